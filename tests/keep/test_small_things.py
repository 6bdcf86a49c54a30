"""What is said, and what is left behind, in small matters."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from commands import ilap
from digit_folders import burst, bursts, printed, told
from ilap import Learner
from ilap.core.errors import BadSetting
from ilap.data.contract import Dataset


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    root = bursts(tmp_path_factory.mktemp("small") / "pictures", digits, (3, 1), 10)
    burst(root / f"a burst whose name is long enough to fill a line {'and more ' * 5}", digits, 4, 0, 1)
    return root


@pytest.fixture(scope="module")
def learned(source: Path) -> Path:
    path = source.parent / "a.ilap"
    assert ilap("learn", str(path), str(source)).returncode == 0
    return path


@pytest.fixture
def learner(learned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


def test_history_says_that_a_name_was_taken_away(learner: Path) -> None:
    told("rename", learner, "0", "fox")
    told("undo", learner)
    last = printed("history", learner).splitlines()[-1]
    assert "class 0 has no name again" in last
    assert "None" not in last


def test_compacting_never_makes_a_small_file_larger(learner: Path) -> None:
    report = told("compact", learner)
    assert report["bytes"] <= report["bytes_before"] < 1_000_000
    assert "whole" in printed("check", learner)


def test_compacting_rebuilds_a_scatter_that_is_damaged(learner: Path) -> None:
    with sqlite3.connect(learner) as connection:
        connection.execute(
            "INSERT INTO checkpoint (id, event, freedom, dim, scatter, checksum)"
            " VALUES (1, 1, 3, 2, ?, 'wrong')",
            (bytes(32),),
        )
    connection.close()
    assert "damaged" in ilap("show", str(learner)).stderr
    told("compact", learner)
    assert len(told("show", learner)["exposures"]) == 3
    assert "whole" in printed("check", learner)


@pytest.mark.parametrize(
    "options",
    [("--backbone", "small"), ("--set", "no_such=1"), ("--risk", "7"), ("--backbone", "no such")],
    ids=str,
)
def test_a_learner_that_could_not_be_made_leaves_nothing_behind(
    source: Path, tmp_path: Path, options: tuple[str, str]
) -> None:
    done = ilap("learn", str(tmp_path / "new.ilap"), str(source), *options)
    assert done.returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_a_learner_that_learned_nothing_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "pictures" / "burst").mkdir(parents=True)
    (tmp_path / "pictures" / "burst" / "a.png").write_bytes(b"no picture")
    done = ilap("learn", str(tmp_path / "new.ilap"), str(tmp_path / "pictures"))
    assert "nothing was learned, so" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pictures"]


def test_a_learner_that_was_there_stays_whatever_fails(learner: Path) -> None:
    before = learner.read_bytes()
    with pytest.raises(BadSetting):
        Learner.open(learner, backbone="small")
    assert learner.read_bytes() == before


def test_one_picture_is_no_pictures(learner: Path, source: Path, tmp_path: Path) -> None:
    lone = tmp_path / "lone.ilap"
    (tmp_path / "one").mkdir()
    shutil.copytree(source / "burst 0", tmp_path / "one" / "b")
    for path in sorted((tmp_path / "one" / "b").iterdir())[1:]:
        path.unlink()
    lines = [ilap("learn", str(lone), str(tmp_path / "one")).stdout]
    lines += [
        printed(*words) for words in (("show", lone), ("review", lone), ("list", lone), ("history", lone))
    ]
    lines.append(printed("report", lone, "--out", tmp_path / "page.html"))
    lines.append(printed("export", lone, "--to", "csv", "--out", tmp_path / "a.csv"))
    said = "\n".join(lines)
    assert "1 picture " in said
    assert "1 exposure, 1 picture," in said
    for wrong in ("1 pictures", "1 exposures", "1 classes", "1 groups"):
        assert f" {wrong}" not in said


def test_tables_that_are_piped_are_as_wide_as_they_have_to_be(learner: Path) -> None:
    name = f"a burst whose name is long enough to fill a line {'and more ' * 5}".strip()
    (row,) = [line for line in printed("list", learner).splitlines() if name in line]
    assert len(row) > 200
