"""Somebody's folder of bursts through the command line: learned, continued, corrected, named, never harmed."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from ilap.cli import app
from ilap.core.errors import IlapError
from ilap.data.contract import Dataset

LABELS = (3, 1, 3, 4, 1, 4)
SIZE = 20
Run = Callable[..., Any]


def write(folder: Path, digits: Dataset, label: int, first: int, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    order = np.random.default_rng(label).permutation(np.flatnonzero(digits.train.labels == label))
    for place, row in enumerate(order[first : first + count]):
        Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{first + place:03}.png")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    root = tmp_path_factory.mktemp("own") / "pictures"
    for number, label in enumerate(LABELS):
        write(root / f"burst {number}", digits, label, SIZE * LABELS[:number].count(label), SIZE)
    return root


def ilap(*words: object, fails: bool = False) -> Any:
    """What a command prints, as JSON where it is."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if fails:
        assert result.exit_code != 0
        return result.exception
    assert result.exit_code == 0, result.output + repr(result.exception)
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError:
        return result.stdout


@pytest.fixture(scope="module")
def learned(source: Path) -> Path:
    path = source.parent / "digits.ilap"
    report = ilap("learn", path, source, "--json", "--risk", "0.5", "--set", "caution=0")
    assert [row["decision"] for row in report["decisions"]] == ["new", "new", "known", "new", "known", "known"]
    return path


@pytest.fixture
def learner(learned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "digits.ilap"))


def test_what_was_learned_is_passed_over_and_pictures_are_untouched(learner: Path, source: Path) -> None:
    before = {
        path: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).digest()) for path in files(source)
    }
    report = ilap("learn", learner, source, "--json")
    assert (report["decisions"], report["known"], report["pictures"]) == ([], SIZE * len(LABELS), 0)
    assert before == {
        path: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).digest()) for path in before
    }
    assert set(files(source)) == set(before)


def test_looking_at_a_learner_needs_no_network(learner: Path) -> None:
    """Importing torch takes longer than all the rest."""
    code = (
        "import sys; from ilap import Learner; from ilap.keep.overview import overview;"
        f"overview(Learner.open({str(learner)!r})); print({{'torch', 'onnxruntime'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


def test_a_folder_that_has_grown_is_an_exposure_of_what_is_new(
    learner: Path, source: Path, digits: Dataset, tmp_path: Path
) -> None:
    grown = tmp_path / "pictures"
    shutil.copytree(source / "burst 0", grown / "burst 0")
    moved = ilap("learn", learner, grown, "--json")
    assert moved["decisions"] == []
    write(grown / "burst 0", digits, 3, 60, 15)
    report = ilap("learn", learner, grown, "--json")
    assert [(row["pictures"], row["decision"]) for row in report["decisions"]] == [(15, "known")]


def test_folders_that_were_renamed_are_found_again(learner: Path, source: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(source, elsewhere)
    other = tmp_path / "other.ilap"
    ilap("learn", other, elsewhere, "--json")
    shutil.move(elsewhere, tmp_path / "renamed")
    assert ilap("learn", other, tmp_path / "renamed", "--json")["decisions"] == []
    rows = ilap("show", other, "--json")["exposures"]
    assert all(str(tmp_path / "renamed") in row["folder"] for row in rows)


def test_bad_files_are_told_and_the_rest_is_learned(learner: Path, digits: Dataset, tmp_path: Path) -> None:
    root = tmp_path / "mixed"
    write(root / "слон", digits, 0, 0, 12)
    (root / "слон" / "x.png").write_text("no picture")
    (root / "слон" / "y.jpg").write_bytes(b"")
    (root / "only bad").mkdir()
    (root / "only bad" / "z.png").write_bytes(b"\x89PNG")
    write(root / "single", digits, 3, 90, 1)
    report = ilap("learn", learner, root, "--json")
    assert len(report["skipped"]) == 3
    assert {row["name"]: row["pictures"] for row in report["decisions"]} == {"слон": 12, "single": 1}
    assert "whole" in ilap("check", learner)


def test_one_picture_that_is_not_clear_is_unsure_and_a_person_settles_it(
    learner: Path, digits: Dataset, tmp_path: Path
) -> None:
    root = tmp_path / "one"
    for label, number in ((8, 0), (2, 1), (9, 2), (5, 3)):
        write(root / f"lone {number}", digits, label, 0, 1)
    ilap("learn", learner, root, "--json", "--risk", "0.0001")
    waiting = ilap("review", learner, "--json")["unsure"]
    assert waiting
    assert waiting[0]["reason"]
    first = waiting[0]["exposure"]
    ilap("move", learner, first, "new")
    assert first not in {row["exposure"] for row in ilap("review", learner, "--json")["unsure"]}
    ilap("undo", learner)
    assert first in {row["exposure"] for row in ilap("review", learner, "--json")["unsure"]}


def test_corrections_by_name_are_kept_and_undone(learner: Path) -> None:
    ilap("rename", learner, "0", "three")
    ilap("merge", learner, "three", "1")
    told = ilap("show", learner, "--json")
    assert [(row["name"], len(row["exposures"])) for row in told["classes"]] == [("three", 4), ("class 2", 2)]
    assert told["likely_two"][0]["class_id"] == 0
    parts = [sorted(part) for part in told["likely_two"][0]["parts"]]
    assert sorted(parts) == [[0, 2], [1, 4]]
    ilap("split", learner, "burst 1", "burst 4", "--name", "one")
    names = {row["name"]: row["exposures"] for row in ilap("show", learner, "--json")["classes"]}
    assert names == {"three": [0, 2], "one": [1, 4], "class 2": [3, 5]}
    ilap("undo", learner)
    ilap("undo", learner)
    assert len(ilap("show", learner, "--json")["classes"]) == 3
    history = ilap("history", learner, "--json")
    assert [(event["by"], event["kind"], event["undone"]) for event in history][-5:] == [
        ("person", "rename", False),
        ("person", "merge", True),
        ("person", "split", True),
        ("person", "undo", False),
        ("person", "undo", False),
    ]


def test_what_a_person_discarded_stays_so_when_it_is_shown_again(learner: Path, source: Path) -> None:
    ilap("discard", learner, "burst 5")
    report = ilap("learn", learner, source, "--json")
    assert report["decisions"] == []
    row = ilap("show", learner, "--json")["exposures"][5]
    assert (row["decision"], row["class_id"], row["decided_by"]) == ("discarded", None, "person")


def test_single_pictures_are_named_and_strange_ones_are_none_of_these(
    learner: Path, source: Path, tmp_path: Path
) -> None:
    picture = source / "burst 0" / "000.png"
    noise = tmp_path / "noise.png"
    Image.effect_noise((64, 64), 120).save(noise)
    result = CliRunner().invoke(app, ["identify", str(learner), str(picture), str(noise), "--json"])
    first, second = map(json.loads, result.stdout.splitlines())
    assert (first["class_id"], first["nearest"][0]) == (0, str(picture))
    assert (second["class_name"], second["class_id"]) == ("none of these", None)
    table = CliRunner().invoke(app, ["identify", str(learner), "-", "--csv"], input=f"{picture}\n").stdout
    assert next(csv.DictReader(table.splitlines()))["class_name"] == "class 0"
    listed = CliRunner().invoke(app, ["identify", str(learner), str(source / "burst 0")]).stdout
    assert len(listed.splitlines()) == SIZE + 1


@pytest.mark.parametrize(
    "words",
    [
        ("learn", "{learner}", "{tmp}/nowhere"),
        ("merge", "{learner}", "0", "77"),
        ("merge", "{learner}", "0", "0"),
        ("split", "{learner}", "0", "1"),
        ("split", "{learner}", "0", "2"),
        ("move", "{learner}", "no such", "0"),
        ("undo", "{learner}", "999"),
        ("show", "{tmp}/no.ilap"),
        ("check", "{tmp}"),
        ("identify", "{learner}", "{tmp}/no.png"),
        ("learn", "{learner}", "{source}", "--by-time", "soon"),
        ("learn", "{learner}", "{source}", "--backbone", "small"),
    ],
)
def test_a_wrong_word_is_one_sentence_and_changes_nothing(
    learner: Path, source: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = ilap("history", learner, "--json")
    error = ilap(*(word.format(learner=learner, source=source, tmp=tmp_path) for word in words), fails=True)
    assert isinstance(error, IlapError)
    assert str(error).endswith(".")
    assert ilap("history", learner, "--json") == before


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")
def test_a_learner_in_a_folder_that_cannot_be_written_is_read_and_not_written(learner: Path) -> None:
    learner.parent.chmod(0o500)
    try:
        assert len(ilap("show", learner, "--json")["classes"]) == 3
        assert isinstance(ilap("rename", learner, "0", "x", fails=True), IlapError)
    finally:
        learner.parent.chmod(0o700)


def test_compacting_changes_nothing_but_the_size(learner: Path) -> None:
    before = ilap("show", learner, "--json")
    ilap("merge", learner, "0", "1")
    ilap("undo", learner)
    report = ilap("compact", learner, "--json")
    after = ilap("show", learner, "--json")
    assert report["bytes"] == after["bytes"]
    assert {**after, "bytes": 0, "events": 0} == {**before, "bytes": 0, "events": 0}
    assert "whole" in ilap("check", learner)
