from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ilap import Learner
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.presets import PRESETS
from ilap.core.settings import parse, resolve

PATIENT = '''
"""A detector from outside."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ilap.detect.contract import Finding


@dataclass(frozen=True)
class Parameters:
    patience: int = 1


@dataclass(frozen=True)
class Patient:
    own: Parameters
    needs: ClassVar[frozenset[str]] = frozenset()

    def __call__(self, classifier, exposure, memory, seed):
        return Finding("new", None, 0.0, np.zeros(len(classifier.classes)), "always")


create = Patient
'''


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        ({"theta": 0.0}, "theta is 0.0"),
        ({"theta": 1.5}, "between 0 and 1"),
        ({"theta": float("nan")}, "theta is nan"),
        ({"imbalance": 1.0}, "imbalance is 1.0"),
        ({"imbalance": -0.1}, "it is a share"),
        ({"exemplars": 1}, "take 2 or more"),
        ({"discard_below": 1.5}, "discard_below"),
        ({"epochs": 0}, "epochs is 0"),
        ({"criterion": "best"}, "weighted or plain"),
        ({"feature_rate": -1.0}, "small positive number"),
        ({"thetta": 0.5}, "There is no setting 'thetta'"),
        ({"detector": "oracle"}, "There is no detector 'oracle': take one of"),
        ({"classifier": "forest"}, "There is no classifier 'forest'"),
        ({"backbone": "vgg"}, "There is no backbone 'vgg'"),
        ({"resolution": 100}, "multiple of 32"),
        ({"taps": (99,)}, "block numbers between 0 and 15"),
    ],
)
def test_a_wrong_setting_is_refused_with_advice(changes: dict[str, object], advice: str) -> None:
    with pytest.raises(BadSetting, match=advice):
        Learner("fast", **changes)


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadSetting, match="take one of fast"):
        resolve("slow", {})


def test_a_change_leaves_the_preset_as_it_was() -> None:
    changed = resolve("paper", {"theta": 0.5})
    assert changed.detector.parameters.theta == 0.5
    assert resolve("paper", {}).detector.parameters.theta == 0.6
    assert PRESETS["paper"].settings["confusion.theta"] == 0.6


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("detector", "confusion"),
        ("classifier", "exact"),
        ("backbone", "lite0"),
        ("backbone", "small"),
        ("classifier", "network"),
        ("data set", "digits"),
    ],
)
def test_the_registry_finds_what_lies_in_the_folder_and_nothing_else(kind: str, name: str) -> None:
    assert name in registry.names(kind)
    assert callable(registry.find(kind, name))
    assert not {
        "contract",
        "runtime",
        "prior",
        "pictures",
        "cached",
        "layers",
        "training",
        "files",
        "__init__",
    } & set(registry.names(kind))


def test_a_parameter_goes_by_its_component_its_kind_or_its_own_name() -> None:
    for name in ("odin.temperature", "detector.temperature", "temperature"):
        settings = resolve("paper", {"detector": "odin", name: 3.0})
        assert settings.detector.parameters.temperature == 3.0
        assert settings.plain()["odin.temperature"] == 3.0


def test_words_of_the_command_line_become_what_the_parameter_is() -> None:
    words = ("classifier=network", "network.freeze_norm=true", "epochs=3", "device=none", "lite0.taps=7,10")
    settings = resolve("fast", dict(parse(word) for word in words))
    trained = settings.classifier.parameters
    assert (trained.freeze_norm, trained.epochs, trained.device) == (True, 3, None)
    assert settings.backbone.parameters.taps == (7, 10)
    with pytest.raises(BadSetting, match="'many' is no value for epochs, which is of the kind int"):
        resolve("paper", dict([parse("epochs=many")]))
    with pytest.raises(BadSetting, match="write name=value"):
        parse("epochs")


def test_a_name_that_two_chosen_components_have_has_to_be_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "detect").mkdir()
    (tmp_path / "detect" / "patient.py").write_text(PATIENT, encoding="utf-8")
    monkeypatch.setenv("ILAP_PATH", str(tmp_path))
    with pytest.raises(BadSetting, match=r"several components: write network\.patience or patient\.patience"):
        resolve("paper", {"detector": "patient", "patience": 3})
    settings = resolve("paper", {"detector": "patient", "patient.patience": 3, "network.patience": 4})
    assert (settings.detector.parameters.patience, settings.classifier.parameters.patience) == (3, 4)


def test_a_detector_from_outside_declares_its_own_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "detect").mkdir()
    (tmp_path / "detect" / "patient.py").write_text(PATIENT, encoding="utf-8")
    monkeypatch.setenv("ILAP_PATH", str(tmp_path))
    assert "patient" in registry.names("detector")
    assert resolve("fast", {"detector": "patient"}).plain()["patient.patience"] == 1
    with pytest.raises(BadSetting, match=r"There is no setting 'patient\.speed'"):
        resolve("fast", {"detector": "patient", "patient.speed": 1})


def test_an_entry_point_of_an_installed_package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = EntryPoint("mine", "ilap.detect.msp", "ilap.detect")
    registry.entries.cache_clear()
    monkeypatch.setattr(registry, "entry_points", lambda group: [mine] if group == "ilap.detect" else [])
    assert "mine" in registry.names("detector")
    assert registry.find("detector", "Mine") is registry.find("detector", "msp")
    registry.entries.cache_clear()


def test_what_was_not_chosen_has_no_effect_and_is_checked_all_the_same() -> None:
    assert resolve("fast", {"epochs": 3}) == resolve("fast", {})
    assert resolve("fast", {"odin.temperature": 3.0}) == resolve("fast", {})
    with pytest.raises(BadSetting, match="epochs is 0"):
        resolve("fast", {"epochs": 0})


@pytest.mark.parametrize("preset", PRESETS)
def test_full_names_give_the_same_settings_again(preset: str) -> None:
    settings = resolve(preset, {"risk": 0.01})
    again = resolve("fast", settings.plain())
    assert again == settings
    assert again.plain() == json.loads(json.dumps(settings.plain()))


@pytest.mark.parametrize("name", ["ResNet-18", "resnet_18", "RESNET18"])
def test_a_backbone_goes_by_any_spelling_of_its_name(name: str) -> None:
    learner = Learner("paper", backbone=name, weights="random", resolution=32)
    assert learner.settings.backbone.name == "resnet18"
    assert Learner(backbone="Lite-0").settings.backbone.name == "lite0"
