from __future__ import annotations

import csv
import io

from ilap.bench import tables
from ilap.paper.published import ACCURACY, BESIDE, LEARNERS, UNIQUE_CLASSES

ROW = {
    "data": "mnist",
    "learner": "paper",
    "seed": 0,
    "exposures": 50,
    "decisions_right": 49,
    "unsure": 0,
    "asked": 0,
    "accuracy": 0.95,
    "unique_classes": 10,
    "learned_classes": 11,
    "auroc": None,
    "fpr95": 0.1,
    "aupr": 0.9,
    "ari": 0.97,
    "seconds": 12.0,
}


def test_figures_are_averaged_over_seeds_and_decisions_become_a_share() -> None:
    rows = [ROW, {**ROW, "seed": 1, "accuracy": 0.97, "decisions_right": 50}]
    means = tables.averages(rows)["mnist", "paper"]
    assert means["accuracy"] is not None
    assert means["accuracy"].text() == ".960 ± .014"
    assert means["decisions_right"] is not None
    assert means["decisions_right"].text() == ".990 ± .014"
    assert means["auroc"] is None


def test_published_figures_stand_beside_ours() -> None:
    grid = tables.of_bench([ROW], BESIDE)
    row = dict(zip(grid.header, grid.rows[0], strict=True))
    assert row["accuracy"] == ".950"
    assert row["paper: accuracy"] == ".980 ± .002"
    assert row["paper: classes"] == "10.0 ± 0.0"
    assert row["auroc"] == "-"


def test_where_nothing_was_held_out_there_is_no_accuracy_and_the_seeds_still_count() -> None:
    rows = [{**ROW, "seed": seed, "accuracy": None} for seed in range(3)]
    grid = tables.of_bench(rows, {})
    row = dict(zip(grid.header, grid.rows[0], strict=True))
    assert (row["seeds"], row["accuracy"], row["threshold"]) == ("3", "-", "")


def test_all_three_forms_hold_the_same_cells() -> None:
    grid = tables.Grid(("name", "share_of"), (("a & b", ".9 ± .1"), ("c, d", "50 %")))
    assert list(csv.reader(io.StringIO(grid.csv()))) == [
        ["name", "share_of"],
        ["a & b", ".9 ± .1"],
        ["c, d", "50 %"],
    ]
    assert grid.markdown().splitlines()[2] == "| a & b | .9 ± .1 |"
    assert r"a \& b & .9 $\pm$ .1 \\" in grid.latex()
    assert r"c, d & 50 \% \\" in grid.latex()


def test_the_paper_has_a_figure_for_every_row_and_column() -> None:
    for table in (ACCURACY, UNIQUE_CLASSES):
        assert set(table) == {"mnist", "svhn", "cifar10", "cifar100", "crib"}
        assert all(set(column) == set(LEARNERS) for column in table.values())
