"""A file system allows names that are not text: everything works with them, and what other programs read is
text."""

from __future__ import annotations

import csv
import json
import os
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from commands import ilap
from ilap.core.names import readable, restored, stored
from ilap.data.contract import Dataset

BAD = os.fsdecode(b"\xff\xe9")
SIZE = 12
COMMAND = (sys.executable, "-c", "from ilap.cli import main; main()")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are text here")


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_every_name_is_stored_without_loss_and_as_text(name: str) -> None:
    assert restored(stored(name)) == name
    stored(name).encode()
    readable(name).encode()


@given(st.text(max_size=20).filter(lambda name: "\ufdd0" not in name))
def test_ordinary_names_are_stored_as_they_are(name: str) -> None:
    assert stored(name) == name == readable(name)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """Bursts in folders, and a learner, all of whose names are not UTF-8."""
    root = tmp_path_factory.mktemp("names") / f"my {BAD}"
    for number, label in enumerate((3, 1, 3)):
        folder = root / f"burst {number} {BAD}"
        folder.mkdir(parents=True)
        rows = np.flatnonzero(digits.train.labels == label)[SIZE * number :][:SIZE]
        for place, row in enumerate(rows):
            Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{place:02}{BAD}.png")
    done = ilap("learn", str(learner_of(root)), str(root), "--json", "--risk", "0.9", "--set", "caution=0")
    assert done.returncode == 0, done.stderr
    assert [row["pictures"] for row in json.loads(done.stdout)["decisions"]] == [SIZE] * 3
    return root


def learner_of(root: Path) -> Path:
    return root.parent / f"learner {BAD}.ilap"


def said(*words: object) -> Any:
    """What a command says as JSON, which holds no lone surrogate."""
    done = ilap(*map(str, words), "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def test_what_was_learned_is_known_again_and_paths_lead_to_the_pictures(tree: Path) -> None:
    report = said("learn", learner_of(tree), tree)
    assert (report["known"], report["pictures"], report["skipped"]) == (3 * SIZE, 0, [])
    from ilap.keep.store import view
    from ilap.keep.store.file import LearnerFile

    file = LearnerFile(learner_of(tree), writable=False)
    assert all(os.path.exists(path) for path in view.paths(file.connection))
    file.close()


def test_the_file_holds_text_that_any_program_reads(tree: Path) -> None:
    with sqlite3.connect(learner_of(tree)) as connection:
        for (path,) in connection.execute("SELECT path FROM pictures"):
            assert restored(path).startswith(str(tree))
        assert connection.execute("SELECT name FROM exposures").fetchone() == (r"burst 0 \xff\xe9",)
    connection.close()


def test_names_are_shown_readable(tree: Path) -> None:
    rows = said("show", learner_of(tree))["exposures"]
    assert [row["name"] for row in rows] == [rf"burst {number} \xff\xe9" for number in range(3)]
    assert rows[0]["folder"] == readable(str(tree / f"burst 0 {BAD}"))
    for command in ("history", "check", "review", "ask", "regroup", "compact"):
        said(command, learner_of(tree))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_any_standard_output_takes_them(tree: Path, encoding: str, tmp_path: Path) -> None:
    picture = next((tree / f"burst 0 {BAD}").iterdir())
    for words in (
        ["learn", tmp_path / f"fresh {BAD}.ilap", tree],
        ["ask", learner_of(tree)],
        ["check", learner_of(tree)],
        ["identify", learner_of(tree), picture],
        ["identify", learner_of(tree), picture, "--csv"],
        ["identify", learner_of(tree), tree.parent / f"none {BAD}.png"],
        ["show", tree / f"no such {BAD}.ilap"],
    ):
        done = subprocess.run(
            [*COMMAND, *map(os.fsencode, words)],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        shown = done.stdout.decode(encoding) + done.stderr.decode(encoding)
        assert r"\xff\xe9" in shown, shown


def test_names_on_standard_input_are_bytes(tree: Path) -> None:
    picture = next((tree / f"burst 0 {BAD}").iterdir())
    done = subprocess.run(
        [*COMMAND, "identify", learner_of(tree), "-", "--json"],
        input=os.fsencode(picture) + b"\n",
        capture_output=True,
    )
    assert json.loads(done.stdout)["picture"] == readable(str(picture)), done.stderr


def test_corrections_take_the_name_the_folder_and_what_is_shown(tree: Path) -> None:
    for word in (f"burst 1 {BAD}", tree / f"burst 1 {BAD}", r"burst 1 \xff\xe9"):
        assert said("move", learner_of(tree), word, "new")["exposures"] == [1]
        said("undo", learner_of(tree))
    refused = ilap("rename", str(learner_of(tree)), "0", f"fox {BAD}")
    assert (refused.returncode, refused.stderr) == (1, "ilap: This name is not valid UTF-8: give another.\n")


def test_a_command_that_is_shown_can_be_run(tree: Path) -> None:
    from ilap.keep.words import command

    shown = command(str(learner_of(tree)), "discard", f"it's a \\ {BAD}")
    assert shown.isascii()
    done = subprocess.run(["bash", "-c", f"printf '%s\\n' {shown}"], capture_output=True, check=True)
    words = ["ilap", "discard", str(learner_of(tree)), f"it's a \\ {BAD}"]
    assert os.fsdecode(done.stdout).splitlines() == words
    assert shlex.split(command("a b.ilap", "undo")) == ["ilap", "undo", "a b.ilap"]


def test_the_report_is_a_page_of_text(tree: Path, tmp_path: Path) -> None:
    page = tmp_path / f"page {BAD}.html"
    assert said("report", learner_of(tree), "--out", page)["exposures"] == 3
    assert r"burst 0 \xff\xe9" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["csv", "coco", "label-studio", "links", "camtrap-dp", "parquet"])
def test_every_export_is_text_and_leads_to_the_pictures(tree: Path, tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow", reason="parquet is an extra")
    out = tmp_path / f"out {BAD}"
    for _ in range(2):  # the second replaces the first
        assert said("export", learner_of(tree), "--to", kind, "--out", out)["pictures"] == 3 * SIZE
    shown = readable(str(tree / f"burst 0 {BAD}" / f"00{BAD}.png"))
    if kind == "csv":
        assert next(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))["picture"] == shown
    elif kind == "coco":
        assert json.loads(out.read_bytes())["images"][0]["file_name"] == shown
    elif kind == "label-studio":
        address = json.loads(out.read_bytes())[0]["data"]["image"]
        assert os.path.exists(unquote_to_bytes(address.removeprefix("file://")))
    elif kind == "camtrap-dp":
        (first, *_) = csv.DictReader((out / "media.csv").read_text(encoding="utf-8").splitlines())
        assert os.path.exists(unquote_to_bytes(first["filePath"].removeprefix("file://")))
        assert first["fileName"] == r"00\xff\xe9.png"
    elif kind == "links":
        links = [path for path in out.rglob("*.png") if path.is_symlink()]
        assert len(links) == 3 * SIZE
        assert all(path.exists() for path in links)
    else:
        from pyarrow import parquet

        with out.open("rb") as file:
            assert parquet.read_table(file).to_pylist()[0]["picture"] == shown


def test_pictures_cut_by_name_and_by_time_have_any_name(tree: Path, tmp_path: Path) -> None:
    from datetime import timedelta

    from ilap.sources import bursts

    told: list[str] = []
    assert len(bursts.by_time(tree, timedelta(days=1), told.append)) == 3
    found = bursts.by_name(tree, "^..(.*)\\.", told.append)
    assert {burst.name for burst in found} == {rf"burst {n} \xff\xe9/\xff\xe9" for n in range(3)}
    assert not told
