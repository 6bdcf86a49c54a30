from __future__ import annotations

import pytest

from ilap import Learner
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.settings import PRESETS, resolve


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        ({"theta": 0.0}, "theta is 0.0"),
        ({"theta": 1.5}, "between 0 and 1"),
        ({"theta": float("nan")}, "theta is nan"),
        ({"imbalance": 1.0}, "lambda is 1.0"),
        ({"imbalance": -0.1}, "from 0 to below 1"),
        ({"exemplars": 1}, "at least 2"),
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
    assert resolve("fast", {"theta": 0.5}).theta == 0.5
    assert PRESETS["fast"].theta != 0.5


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
