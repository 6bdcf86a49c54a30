"""Two learners as one: exposures of both, people's words of both, all else decided again, the two unharmed."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from commands import ilap
from digit_folders import bursts, printed, told
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import state
from ilap.keep.store.file import LearnerFile

SURE = ("--risk", "0.5", "--set", "caution=0")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> tuple[Path, Path]:
    """Two cameras that saw two digits each, one of them both."""
    root = tmp_path_factory.mktemp("pair")
    for name, labels, first in (("a", (3, 1, 3, 1), 0), ("b", (3, 4, 4), 40)):
        bursts(root / name, digits, labels, 20, first)
        told("learn", root / f"{name}.ilap", root / name, *SURE)
    told("rename", root / "a.ilap", "0", "three")
    told("rename", root / "b.ilap", "0", "three")
    told("rename", root / "b.ilap", "1", "four")
    told("move", root / "b.ilap", "burst 2", "four")
    return root / "a.ilap", root / "b.ilap"


def content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_exposures_of_both_are_in_it_with_their_features_and_both_files_are_untouched(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    before, out = [content(path) for path in pair], tmp_path / "c.ilap"
    done = told("combine", *pair, "--out", out)
    assert (done["exposures"], done["added"], done["known"]) == (4, 3, 0)
    assert [content(path) for path in pair] == before
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")) == ["c.ilap"]
    rows = told("list", out)
    assert [row["name"] for row in rows] == [f"burst {n}" for n in (0, 1, 2, 3, 0, 1, 2)]
    assert "whole" in printed("check", out)
    with LearnerInFile(out, writable=False) as both, LearnerInFile(pair[1], writable=False) as second:
        for number in range(3):
            mine, theirs = (own.store.samples_of(n, True) for own, n in ((both, 4 + number), (second, number)))
            assert np.array_equal(mine.rows, theirs.rows)


def test_peoples_words_hold_and_what_ilap_decided_is_decided_again_over_all(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "c.ilap"
    told("combine", *pair, "--out", out)
    rows = told("list", out)
    assert (rows[6]["decided_by"], rows[6]["class_name"], rows[6]["certainty"]) == ("person", "four", "sure")
    assert {row["decided_by"] for row in rows[:6]} == {"ilap"}
    (anew,) = [event for event in told("history", out) if event["kind"] == "anew"]
    assert {change["exposure"] for change in anew["changes"]} == set(range(6))
    same = {rows[number]["class_id"] for number in (0, 2, 4)}  # the third was seen by the other camera
    assert len(same) == 1
    assert rows[5]["class_name"] == "four"


def test_a_name_that_both_have_is_proposed_and_not_merged(pair: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = (Path(shutil.copy(path, tmp_path / path.name)) for path in pair)
    for path in (a, b):
        told("confirm", path, "three")
    done = told("combine", a, b, "--out", tmp_path / "c.ilap")
    (same,) = done["same_names"]
    assert (same["name"], same["renamed"]) == ("three", "three (b)")
    assert {row["name"] for row in told("show", tmp_path / "c.ilap")["classes"]} >= {"three", "three (b)"}
    assert same["command"] == f"ilap merge {tmp_path / 'c.ilap'} three 'three (b)'"
    told("merge", tmp_path / "c.ilap", same["name"], same["renamed"])
    rows = told("list", tmp_path / "c.ilap", "--class", "three")
    assert {row["exposure"] for row in rows} >= {0, 2, 4}


def test_answers_of_both_hold(pair: tuple[Path, Path], tmp_path: Path) -> None:
    b = Path(shutil.copy(pair[1], tmp_path / "b.ilap"))
    told("answer", b, "0=1", "different")
    told("combine", pair[0], b, "--out", tmp_path / "c.ilap")
    with LearnerInFile(tmp_path / "c.ilap", writable=False) as both:
        assert (4, 5) in both.exact.model.apart
    assert "4 and 5 are different" in printed("history", tmp_path / "c.ilap")


def test_what_both_have_seen_is_there_once_and_a_persons_word_about_it_holds(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    corrected = Path(shutil.copy(pair[0], tmp_path / "corrected.ilap"))
    told("move", corrected, "burst 3", "new")
    done = told("combine", pair[0], corrected, "--out", tmp_path / "c.ilap")
    assert (done["exposures"], done["added"], done["known"]) == (4, 0, 4)
    row = told("list", tmp_path / "c.ilap")[3]
    assert (row["decided_by"], row["certainty"]) == ("person", "sure")
    assert row["class_id"] == len(told("show", pair[0])["classes"]) + 2  # the second's class 2, under a new id
    assert "whole" in printed("check", tmp_path / "c.ilap")


def test_what_cannot_be_combined_is_said_and_nothing_is_left_behind(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    done = ilap("combine", *map(str, pair), "--out", str(pair[0]))
    assert "is there: name a file that is not" in done.stderr
    other = Path(shutil.copy(pair[1], tmp_path / "other.ilap"))

    file = LearnerFile(other)
    with file.transaction() as connection:
        state.set_meta(connection, "backbone", {**state.meta(connection, "backbone"), "prior": "another"})
    file.close()
    done = ilap("combine", str(pair[0]), str(other), "--out", str(tmp_path / "c.ilap"))
    assert done.returncode == 1
    assert "prior" in done.stderr
    assert not (tmp_path / "c.ilap").exists()
    left = {path.name for path in tmp_path.iterdir()} - {".other.ilap.lock"}
    assert left == {"other.ilap"}
