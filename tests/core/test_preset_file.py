from __future__ import annotations

import json
from pathlib import Path

import pytest

from ilap import Learner
from ilap.bench import jobs
from ilap.bench.cell import Cell
from ilap.bench.learners.load import check, settings_of
from ilap.bench.stream import Plan
from ilap.core import presets
from ilap.core.errors import BadSetting, MissingFile
from ilap.core.settings import resolve


def written(path: Path, **settings: object) -> str:
    presets.write(path / "mine.json", "paper-cpu", settings, {"data": "digits"})
    return str(path / "mine.json")


def test_a_preset_file_is_taken_wherever_a_preset_is(tmp_path: Path) -> None:
    path = written(tmp_path, theta=0.45, imbalance=0.7, taps=[7, 10], freeze_norm=True)
    settings = resolve(path, {"epochs": 3})
    asked, trained = settings.detector.parameters, settings.classifier.parameters
    assert (asked.theta, asked.imbalance) == (0.45, 0.7)
    assert settings.backbone.parameters.taps == (7, 10)
    assert (settings.classifier.name, trained.freeze_norm, trained.epochs) == ("network", True, 3)
    assert settings_of(path, {}) == resolve(path, {})
    check(path)
    learner = Learner(written(tmp_path, theta=0.3), backbone="lite0")
    assert learner.settings.detector.parameters.theta == 0.3


def test_a_change_on_the_command_line_outdoes_the_file(tmp_path: Path) -> None:
    assert resolve(written(tmp_path, theta=0.45), {"theta": 0.5}).detector.parameters.theta == 0.5


def test_another_content_is_another_cell(tmp_path: Path) -> None:
    paths = [
        jobs.path_of(Cell("digits", written(tmp_path, theta=theta), 0, Plan(20, 3)), tmp_path)
        for theta in (0.4, 0.5, 0.4)
    ]
    assert paths[0] == paths[2] != paths[1]


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("no json", "is no preset file"),
        ("[]", "is no preset file"),
        (json.dumps({"preset": "fast"}), "is no preset file"),
        (json.dumps({"preset": "slow", "settings": {}}), "There is no preset 'slow'"),
        (json.dumps({"preset": "fast", "settings": {"theta": "much"}}), "'much' is no value for theta"),
        (json.dumps({"preset": "fast", "settings": {"thetta": 0.1}}), "There is no setting 'thetta'"),
        (json.dumps({"preset": "fast", "settings": {"theta": 2.0}}), "theta is 2.0"),
    ],
)
def test_a_damaged_file_is_refused_with_advice(content: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(content, encoding="utf-8")
    with pytest.raises(BadSetting, match=advice):
        resolve(str(tmp_path / "bad.json"), {})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"nowhere\.json: make one by ilap calibrate"):
        resolve(str(tmp_path / "nowhere.json"), {})
