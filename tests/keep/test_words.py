"""A word means what it says: a number is an id, a name may not be a word of a command, and suggested commands
never name the wrong thing."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import ilap
from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.cli import app
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Exposure
from ilap.keep.learner import LearnerInFile
from ilap.keep.words import class_of, class_or_new, exposure_of


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


def test_a_number_is_an_id_and_a_name_that_is_a_number_is_quoted(learner: LearnerInFile) -> None:
    with pytest.warns(UserWarning, match="3 is class 3; class 1 is called 3 too and is meant by name:3"):
        assert class_of(learner, "3") == 3
    assert class_of(learner, "name:3") == 1
    assert class_of(learner, "0") == 0
    with pytest.warns(UserWarning, match="exposure 3 is called 1 too"):
        assert exposure_of(learner, "1") == 1
    assert exposure_of(learner, "name:1") == 3
    assert exposure_of(learner, "burst 1") == 1
    assert class_or_new(learner, "new") is None


def test_what_is_not_there_or_not_clear_is_said(learner: LearnerInFile) -> None:
    with pytest.raises(BadCorrection, match="There is no class 'fox'"):
        class_of(learner, "fox")
    with pytest.raises(BadCorrection, match="There is no exposure 99"):
        exposure_of(learner, "99")
    learner.rename(2, "77")
    with pytest.raises(BadCorrection, match="no class 77: class 2 is called so and is meant by name:77"):
        class_of(learner, "77")


def test_a_file_whose_names_were_ambiguous_still_opens(learner: LearnerInFile, lite0: Cached) -> None:
    for class_id, name in ((0, "fox"), (1, "fox"), (2, "class 0"), (3, "new")):
        learner.file.connection.execute("UPDATE classes SET name = ? WHERE id = ?", (name, class_id))
    path = learner.path
    learner.close()
    with Learner.open(path, backbone=lite0) as opened:
        with pytest.raises(BadCorrection, match=r"Several classes are called fox: use their ids, \[0, 1\]"):
            class_of(opened, "fox")
        with pytest.warns(UserWarning, match="class 2 is called class 0 too"):
            assert class_of(opened, "class 0") == 0
        assert class_or_new(opened, "new") is None
        assert class_of(opened, "name:new") == 3
        opened.rename(1, "hare")
        assert class_of(opened, "fox") == 0


@pytest.mark.parametrize(
    "name", ["", "  ", "\u202e\u200b", "new", "New", "unsure", "discarded", "same", "different", "cannot",
             "class 5", "group 5", "Class  5", "name:4", "\udcff"],
)  # fmt: skip
def test_a_name_that_is_empty_or_a_word_of_a_command_is_refused(learner: LearnerInFile, name: str) -> None:
    before = dict(learner.names), len(learner.history())
    with pytest.raises(BadCorrection):
        learner.rename(0, name)
    learner.move(3, 0)
    with pytest.raises(BadCorrection):
        learner.split([3], name)
    learner.undo()
    assert (dict(learner.names), len(learner.history()) - 2) == before


def test_white_space_around_a_name_is_dropped_and_a_second_one_of_a_name_is_refused(
    learner: LearnerInFile,
) -> None:
    learner.rename(0, "  the fu\u0308chs\t")
    assert learner.names[0] == "the fu\u0308chs"
    learner.rename(0, "the f\u00fcchs")  # its own, written otherwise
    with pytest.raises(BadCorrection, match="If they are one, use ilap merge 0 2"):
        learner.rename(2, "the fu\u0308chs")
    assert class_of(learner, "the fu\u0308chs") == 0
    learner.merge(0, 1)
    learner.rename(2, "3")  # the class that was called so is gone


def test_a_refused_name_is_one_sentence_on_the_command_line(learner: LearnerInFile) -> None:
    path = learner.path
    learner.close()
    done = ilap("rename", path, "0", "class 9")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ilap: A class cannot be called 'class 9', which commands take for something else.\n"
    assert ilap("rename", path, "name:3", "hare").stdout == "class 1 is called hare (event 7)\n"


EVIL = "\x1b[2Jfox\n\r\u202e\x9b31m\x7f"


def test_control_characters_never_reach_a_terminal(tmp_path: Path, exposures: Exposures, lite0: Cached) -> None:
    path = tmp_path / "digits.ilap"
    with Learner.open(path, backbone=lite0, risk=0.001) as made:
        for number, label in enumerate((3, 1, 3)):
            made.teach(Exposure(exposures[label][number].pictures, name=f"burst {number} {EVIL}"))
        made.observe(Exposure(exposures[7][0].pictures[:1], name=EVIL))
        made.rename(0, EVIL)
    commands = ["show", "review", "history", "ask"]
    said = [ilap(name, str(path), *how).stdout for name in commands for how in ([], ["--json"])]
    for done in (
        ilap("confirm", str(path), "0"),
        ilap("confirm", str(path), f"name:{EVIL}", "--json"),
        ilap("rename", str(path), "1", EVIL),
        ilap("move", str(path), EVIL + "?", "0"),
    ):
        said += [done.stdout, done.stderr]
    assert [text for text in said if "fox" in text]
    for text in said:
        assert not set(EVIL).difference("fox[2J31m\n") & set(text)
        assert "fox\n" not in text
    (about, *_) = json.loads(ilap("review", str(path), "--json").stdout)["unsure"]
    assert about["name"] == EVIL  # what a program reads is what was there


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
