"""A word means what it says: a name goes first, and suggested commands never name the wrong thing."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.cli import app
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Exposure
from ilap.keep.learner import LearnerInFile
from ilap.keep.words import class_of, class_or_new, commands, exposure_of


@pytest.fixture
def learner(tmp_path: Path, exposures: Exposures, lite0: Cached) -> LearnerInFile:
    """Classes 0 and 3 are one digit; class 1 is called 3, and an exposure is called 1."""
    made = Learner.open(tmp_path / "my digits.ilap", backbone=lite0, risk=0.001)
    for label in (3, 1, 4):
        made.teach(Exposure(exposures[label][0].pictures, name=f"burst {label}"))
    made.teach(Exposure(exposures[3][1].pictures, name="1"))
    made.rename(1, "3")
    assert made.observe(exposures[7][0].pictures[:1]).kind == "unsure"
    return made


def test_a_name_goes_before_a_number(learner: LearnerInFile) -> None:
    assert class_of(learner, "3") == 1
    assert class_of(learner, "class 3") == 3
    assert class_of(learner, "0") == 0
    assert exposure_of(learner, "1") == 3
    assert exposure_of(learner, "burst 1") == 1
    assert class_or_new(learner, "new") is None


def test_what_is_not_there_or_not_clear_is_said(learner: LearnerInFile) -> None:
    learner.rename(2, "3")
    with pytest.raises(BadCorrection, match="Several classes are called 3"):
        class_of(learner, "3")
    with pytest.raises(BadCorrection, match="There is no class 'fox'"):
        class_of(learner, "fox")
    with pytest.raises(BadCorrection, match="There is no exposure 99"):
        exposure_of(learner, "99")
    learner.rename(2, "new")
    assert class_or_new(learner, "new") == 2


def test_suggested_words_mean_what_they_should(learner: LearnerInFile) -> None:
    words = commands(learner).words
    for class_id in learner.classes:
        assert class_of(learner, words.for_class(class_id)) == class_id
    for number in range(learner.state.seen):
        assert exposure_of(learner, words.for_exposure(number)) == number


def test_show_and_review_print_commands_that_do_what_they_say(learner: LearnerInFile) -> None:
    """Two classes are likely one, and their id is another's name: the command as printed merges these two."""
    path = learner.path
    learner.close()
    told = json.loads(CliRunner().invoke(app, ["show", path, "--json"]).stdout)
    (pair,) = told["likely_one"]
    assert pair["classes"] == [0, 3]
    for command in ("show", "review"):
        printed = CliRunner().invoke(app, [command, path]).stdout
        assert pair["command"] in printed
    words = shlex.split(pair["command"])
    assert words[:3] == ["ilap", "merge", path]
    done = CliRunner().invoke(app, [*words[1:], "--json"])
    assert done.exit_code == 0, done.output
    merged = json.loads(done.stdout)
    assert merged["class_id"] == 0
    assert {change["exposure"] for change in merged["changes"]} == {0, 3}


def test_review_prints_commands_that_settle_what_is_unsure(learner: LearnerInFile) -> None:
    path = learner.path
    learner.close()
    (row,) = json.loads(CliRunner().invoke(app, ["review", path, "--json"]).stdout)["unsure"]
    printed = CliRunner().invoke(app, ["review", path]).stdout
    assert all(command in printed for command in row["commands"])
    founded = next(command for command in row["commands"] if command.endswith(" new"))
    assert CliRunner().invoke(app, shlex.split(founded)[1:]).exit_code == 0
    assert json.loads(CliRunner().invoke(app, ["review", path, "--json"]).stdout)["unsure"] == []
