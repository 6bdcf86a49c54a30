from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from commands import ILAP, ilap
from ilap.bench.learners.load import check, settings_of
from ilap.bench.stream import Plan
from ilap.paper import tables_2_and_3 as paper
from ilap.paper.runs import Panel
from ilap.paper.scales import (
    ADAPTED,
    EXACT,
    TABLES,
    WITHOUT_PRETRAINING,
    Column,
    Scale,
    cells_of,
    changes_for,
    with_fewer_seeds,
)
from paper.logs import log


@pytest.mark.slow
def test_a_table_of_the_paper_from_embedded_data(tmp_path: Path) -> None:
    words = [
        "--scale",
        "quick",
        "--learner",
        "fast,oracle,paper-cpu",
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


@pytest.mark.parametrize("scale", TABLES)
def test_every_scale_names_learners_that_there_are(scale: str) -> None:
    chosen = TABLES[scale]
    for learner in chosen.learners:
        check(learner)
    assert set(chosen.changes_of) <= set(chosen.learners)
    assert set(chosen.learners) <= set(chosen.seeds)


def test_what_takes_minutes_a_seed_is_run_by_the_long_scale_or_where_it_is_named() -> None:
    assert not set(ADAPTED) & set(TABLES["cpu"].learners)
    assert set(ADAPTED) <= set(TABLES["cpu-long"].learners)
    assert not set(ADAPTED) & set(with_fewer_seeds("cpu-long").learners)
    cells = cells_of(TABLES["cpu"], TABLES["cpu"].columns[0], ADAPTED, None)
    assert [(cell.learner, cell.seed) for cell in cells] == [
        (name, seed) for name in ADAPTED for seed in range(3)
    ]


OPTIMISER = (
    "backbone",
    "trainable",
    "epochs",
    "batch",
    "patience",
    "head_rate",
    "feature_rate",
    "weight_decay",
)


@pytest.mark.parametrize(
    "scale", [*TABLES.values(), *WITHOUT_PRETRAINING.values()], ids=lambda scale: scale.columns[0].data
)
def test_all_network_rows_of_a_table_have_one_optimiser(scale: Scale) -> None:
    trained = [
        name for name in scale.learners if name not in EXACT + ADAPTED and not name.startswith("authors-code")
    ]
    found = {}
    for name in trained:
        settings = settings_of(name, changes_for(scale, name))
        plain = settings.plain() if settings else {}
        found[name] = {key: plain.get(key, plain.get(f"network.{key}")) for key in OPTIMISER}
    assert len(trained) > 3
    assert all(own == found[trained[0]] for own in found.values()), found


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["table9"], "take one of all, table1, table2, table3, figure1"),
        (["figure5", "--data", "mnist"], "--data and the like are for tables"),
        (["table2", "--scale", "huge"], "take one of quick, cpu, cpu-long, full"),
        (["ablation", "--scale", "full"], "take one of quick, cpu, cpu-long"),
        (["table2", "--scale", "quick", "--data", "cifar10"], "has the data sets digits"),
    ],
)
def test_what_there_is_not_is_said(words: list[str], advice: str, tmp_path: Path) -> None:
    finished = ilap("paper", *words, "--out", str(tmp_path))
    assert finished.returncode == 1
    assert advice in finished.stderr


def test_what_is_decided_at_the_end_stands_beside_what_is_decided_at_once() -> None:
    view = paper.VIEWS["decisions"]
    run = {"exposures": 50, "decisions_right": 40, "right_at_end": 50}
    row = paper.row_of(view, "mnist", "fast", [run, {**run, "decisions_right": 45}])
    grid = paper.grid(view, [row], ["mnist"], ["fast"], {})
    assert grid.rows == (("fast (closed form)", ".850 ± .071 / 1.000"),)


def test_a_variant_stands_beside_the_paper_s_row() -> None:
    row = paper.row_of(paper.VIEWS["table2"], "mnist", "paper-cpu", [{"accuracy": 0.97}])
    assert (row["mean"], row["paper_mean"]) == (0.97, 0.98)


def ended(**ends: float) -> Panel:
    """SVHN with learners that end at these accuracies, in three seeds."""
    logs = {name.replace("_", "-"): [log([True, True], [0.1, end])] * 3 for name, end in ends.items()}
    return Panel("SVHN", Column("svhn", Plan(200, 5)), logs)


def test_an_order_of_rows_that_differs_is_said_with_its_reason() -> None:
    said = paper.order_of_rows([ended(paper_cpu=0.97, paper_cpu_noci=0.9, iolfcv=0.95)], "table2")
    assert said.confirmed == {"SVHN": False}
    assert "SVHN: 2 of 3 pairs of rows in the paper's order" in said.sentence
    assert "iolfcv stands above paper-cpu-noci (frozen features do not drift" in said.sentence
    as_there = paper.order_of_rows([ended(paper_cpu=0.97, paper_cpu_noci=0.9, iolfcv=0.8)], "table2")
    assert as_there.confirmed == {"SVHN": True}


def test_imbalance_helps_a_learner_where_the_gain_exceeds_its_spread() -> None:
    assert paper.in_runs([ended(paper_cpu=0.97, paper_cpu_noci=0.9)], "table2").confirmed == {"SVHN": True}
    same = ended(paper_cpu=0.9, paper_cpu_noci=0.9)
    assert paper.in_runs([same], "table2").verdict == "not shown for SVHN"
