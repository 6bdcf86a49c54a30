"""``ilap import``: labels that exist already are a person's word, and what is not clear is told."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from commands import ilap
from digit_folders import burst, bursts, printed, told
from ilap.data.contract import Dataset


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    return bursts(tmp_path_factory.mktemp("labels") / "pictures", digits, (3, 1, 3, 4, 1, 4), 10)


@pytest.fixture(scope="module")
def learned(source: Path, digits: Dataset) -> Path:
    """Three classes, and an exposure of one picture that is tentative."""
    path = source.parent / "a.ilap"
    told("learn", path, source, "--risk", "0.5", "--set", "caution=0")
    burst(source / "lone", digits, 8, 0, 1)
    told("learn", path, source, "--risk", "0.0001")
    assert [row["class_id"] for row in told("list", path)][:6] == [0, 1, 0, 2, 1, 2]
    return path


@pytest.fixture
def learner(learned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


def places(learner: Path) -> list[tuple[Any, ...]]:
    keys = ("exposure", "class_id", "class_name", "certainty")
    return [tuple(row[key] for key in keys) for row in told("list", learner)]


def table(path: Path, *rows: tuple[str, ...]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_the_table_that_export_wrote_gives_the_same_places_in_a_copy_from_before(
    learner: Path, tmp_path: Path
) -> None:
    """Whatever was corrected in between: named, split off, moved, merged, confirmed, discarded."""
    before = Path(shutil.copy(learner, tmp_path / "before.ilap"))
    told("rename", learner, "0", "three, or =3")
    told("split", learner, "burst 4", "--name", "one")
    told("move", learner, "burst 5", "three, or =3")
    told("merge", learner, "one", "2")
    told("discard", learner, "burst 1")
    told("move", learner, "lone", "new")
    told("export", learner, "--to", "csv", "--out", tmp_path / "labels.csv")
    assert places(before) != places(learner)
    done = told("import", before, tmp_path / "labels.csv")
    assert (done["unmatched"], done["contradictions"], done["ambiguous"]) == ([], [], [])
    assert places(before) == places(learner)
    assert {row["decided_by"] for row in told("list", before)} == {"person"}
    assert "whole" in printed("check", before)


def test_an_import_is_one_event_and_undone_as_one(learner: Path, tmp_path: Path) -> None:
    was, count = places(learner), len(told("history", learner))
    rows = [("exposure", "label"), ("burst 0", "heron"), ("burst 1", "crane"), ("lone", "crane")]
    done = told("import", learner, table(tmp_path / "labels.csv", *rows))
    assert [one["label"] for one in done["classes"]] == ["crane", "heron"]
    (event,) = told("history", learner)[count:]
    assert (event["by"], event["kind"], event["id"]) == ("person", "import", done["event"])
    assert places(learner)[6][1:] == (1, "crane", "sure")
    assert places(learner)[2][1:] == (0, "heron", "sure")  # ilap put it with burst 0, and it stays with it
    told("undo", learner)
    assert places(learner) == was


def test_a_dry_run_says_the_same_and_writes_nothing(learner: Path, tmp_path: Path) -> None:
    before = learner.read_bytes()
    labels = table(tmp_path / "labels.csv", ("folder", "label"), ("burst 3", "heron"))
    would = told("import", learner, labels, "--dry-run")
    assert learner.read_bytes() == before
    assert "nothing was written" in printed("import", learner, labels, "--dry-run")
    done = told("import", learner, labels)
    assert {**would, "event": 0, "said": ""} == {**done, "event": 0, "said": ""}
    assert (would["event"], done["moved"]) == (None, [])


def test_two_labels_in_one_exposure_are_told_and_not_guessed(learner: Path, tmp_path: Path) -> None:
    was = places(learner)
    rows = [
        ("picture", "label"),
        ("burst 0/000.png", "heron"),
        ("burst 0/001.png", "crane"),
        ("burst 3/000.png", "stork"),
        ("burst 9/000.png", "stork"),
        ("burst 4/010.png", ""),
    ]
    labels = table(tmp_path / "labels.csv", *rows)
    done = ilap("import", str(learner), str(labels))
    assert "exposure 0 (burst 0) has several labels: crane, heron" in done.stderr
    assert "1 label of nothing that it knows: line 5: burst 9/000.png" in done.stderr
    assert "1 row without a label" in done.stderr
    assert [row for row in places(learner) if row[0] != 3 and row[0] != 5] == [
        row for row in was if row[0] != 3 and row[0] != 5
    ]
    assert places(learner)[3][2] == "stork"


def test_a_folder_tree_is_matched_by_content_wherever_the_pictures_lie_now(
    learner: Path, source: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "sorted"
    shutil.copytree(source / "burst 0", tree / "heron" / "2024" / "x")
    (tree / "crane").mkdir(parents=True)
    shutil.copy(source / "burst 1" / "000.png", tree / "crane" / "renamed.png")
    (tree / "stork" / "burst 3").mkdir(parents=True)  # empty: the exposure of this name
    shutil.copy(source / "burst 3" / "000.png", tree / "crane" / "other.png")
    (tree / "crane" / "unknown.png").write_bytes(b"not among them")
    done = told("import", learner, tree)
    assert {one["label"]: one["exposures"] for one in done["classes"]} == {"heron": [0], "crane": [1]}
    assert [(one["exposure"], one["labels"]) for one in done["contradictions"]] == [(3, ["crane", "stork"])]
    assert len(done["unmatched"]) == 1
    assert "unknown.png" in done["unmatched"][0]


def test_the_tree_of_links_that_export_made_is_imported_after_a_person_sorted_it(
    learner: Path, tmp_path: Path
) -> None:
    told("export", learner, "--to", "links", "--out", tmp_path / "tree")
    shutil.move(tmp_path / "tree" / "class 1" / "burst 4", tmp_path / "tree" / "class 0" / "burst 4")
    (tmp_path / "tree" / "class 2").rename(tmp_path / "tree" / "four")
    done = told("import", learner, tmp_path / "tree")
    assert done["moved"] == [4]
    assert [row[1:3] for row in places(learner)][:6] == [
        (0, "class 0"),
        (1, "class 1"),
        (0, "class 0"),
        (2, "four"),
        (0, "class 0"),
        (2, "four"),
    ]
    assert places(learner)[6][3] == "tentative"


def test_classes_of_different_labels_are_not_proposed_to_be_one(learner: Path, tmp_path: Path) -> None:
    rows = [("exposure", "label"), ("burst 0", "heron"), ("burst 2", "crane")]
    told("import", learner, table(tmp_path / "labels.csv", *rows))
    assert told("show", learner)["likely_one"] == []
    assert places(learner)[0][2] != places(learner)[2][2]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n", "has to name a column picture or exposure"),
        ("exposure,label\nnowhere,fox\n", "is about one exposure"),
        (None, "There is no file or folder"),
    ],
)
def test_what_is_no_table_of_labels_is_said_and_changes_nothing(
    learner: Path, tmp_path: Path, content: str | None, sentence: str
) -> None:
    before = told("history", learner)
    path = tmp_path / "labels.csv"
    if content is not None:
        path.write_text(content)
    done = ilap("import", str(learner), str(path))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert told("history", learner) == before
