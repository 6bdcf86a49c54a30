from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from commands import ILAP, ilap
from ilap.bench.learners.load import names
from ilap.paper import tables_2_and_3 as paper


@pytest.mark.slow
def test_a_table_of_the_paper_from_embedded_data(tmp_path: Path) -> None:
    words = [
        "--scale",
        "quick",
        "--learner",
        "fast,oracle,paper",
        "--seeds",
        "1",
        "--out",
        str(tmp_path),
        "--json",
    ]
    reports = []
    for table in ("table2", "table3"):
        finished = subprocess.run([ILAP, "paper", table, *words], capture_output=True, text=True, check=True)
        reports.append(json.loads(finished.stdout))
        assert (tmp_path / f"{table}-quick.md").exists()
    accuracy = {row["learner"]: row["mean"] for row in reports[0]["rows"]}
    classes = {row["learner"]: row["mean"] for row in reports[1]["rows"]}
    assert accuracy["fast"] > 0.95
    assert abs(accuracy["fast"] - accuracy["oracle"]) < 0.01
    assert classes["fast"] == classes["oracle"] == 10
    assert reports[0]["differs"]


def test_a_column_without_data_is_a_gap_that_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    result = paper.table("table2", "cpu", ["svhn", "crib"], [], None, tmp_path, 1)
    assert "train_32x32.mat" in result.gaps["svhn"]
    assert "crib" in result.gaps
    assert all(row["mean"] is None for row in result.rows)
    assert "no data (.881 ± .008)" in result.grid.markdown()


@pytest.mark.parametrize("scale", paper.SCALES)
def test_every_scale_names_learners_that_there_are(scale: str) -> None:
    chosen = paper.SCALES[scale]
    assert set(chosen.learners) <= set(names())
    assert set(chosen.changes_of) <= set(chosen.learners)
    assert set(chosen.learners) <= set(chosen.seeds)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["table9"], "take one of all, table1, table2, table3, figure1"),
        (["figure5", "--data", "mnist"], "--data and the like are for tables"),
        (["table2", "--scale", "huge"], "take one of quick, cpu, full"),
        (["table2", "--scale", "quick", "--data", "cifar10"], "has the data sets digits"),
    ],
)
def test_what_there_is_not_is_said(words: list[str], advice: str, tmp_path: Path) -> None:
    finished = ilap("paper", *words, "--out", str(tmp_path))
    assert finished.returncode == 1
    assert advice in finished.stderr
