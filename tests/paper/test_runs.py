"""Figures 5 to 12 from logs, against numbers worked by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ilap.bench.stream import Plan
from ilap.paper import figures_5_to_12, runs, scales
from ilap.paper.figures import early
from ilap.paper.runs import Panel
from ilap.paper.scales import SIZES, Column, with_fewer_seeds
from paper.logs import log

COLUMN = Column("mnist", Plan(20, 2))
LOGS = {
    "paper": [log([True, True, False, True], [0.1, 0.2, 0.4, 0.6]), log([True] * 4, [0.1, 0.2, 0.4, 0.8], 1)],
    "fast": [log([True] * 4, [0.2, 0.4, 0.8, 0.9]), log([True] * 4, [0.2, 0.4, 0.8, 0.9], 1)],
}
PANEL = Panel("MNIST", COLUMN, LOGS)


def test_curves_are_over_seeds_and_exposures() -> None:
    assert runs.over(LOGS["paper"], "accuracy").shape == (2, 4)
    assert runs.last(LOGS["paper"], "accuracy") == pytest.approx(0.7)
    assert runs.right(LOGS["paper"]) == 7 / 8
    assert runs.seconds([PANEL]) == 16 * 0.5
    assert runs.seeds([PANEL]) == "2, from 0"
    assert runs.shown_so_far(PANEL) == [1, 2, 2, 2]


def test_every_method_has_its_rows_and_a_gap_has_the_paper_s() -> None:
    gap = Panel("SVHN", Column("svhn", Plan(1, 1)), missing="train_32x32.mat")
    rows = runs.rows_of([PANEL, gap], ("paper-cpu", "fast"))
    assert len(rows) == 16 + 2
    assert rows[0] == ("MNIST", "mnist", "paper", 0, 1, 0.1, 1, 2, 1, "")
    assert rows[-2][:7] == ("SVHN", "svhn", "paper-cpu", "", "", 0.881, 10)
    assert "train_32x32.mat" in rows[-1][-1]
    assert all(len(row) == len(runs.HEADER) for row in rows)


def test_a_figure_with_a_gap_is_drawn(tmp_path: Path) -> None:
    gap = Panel("SVHN", Column("svhn", Plan(1, 1)), missing="train_32x32.mat")
    figure = runs.pairs([PANEL, gap])
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert any("train_32x32.mat" in word for word in words)
    figure.savefig(tmp_path / "pairs.svg")


def test_small_exposures_hold_or_not_for_each_learner() -> None:
    large = replace(PANEL, name="toys, exposures of 40", column=Column("toys", Plan(40, 2)))
    large_logs = {name: [logs[0]] * 3 for name, logs in LOGS.items()}
    large = replace(large, logs=large_logs)
    small_logs = {"paper": [log([True, False], [0.1, 0.3])] * 3, "fast": [log([True] * 2, [0.5, 0.89])] * 3}
    said = figures_5_to_12.sizes_hold(
        [large, Panel("toys, exposures of 10", Column("toys", Plan(10, 2)), small_logs)]
    )
    assert said.confirmed == {"paper": False, "fast": True}
    assert "From toys, exposures of 40 to 10" in said.sentence
    assert "0.300 and 50% with the smallest" in said.sentence
    assert figures_5_to_12.sizes_hold([large]).confirmed == {}


def test_order_matters_to_a_fixed_threshold_and_not_to_confusion() -> None:
    shuffled = dict.fromkeys(early.METHODS, (0.9, 0.9, 0.9))
    later = {**shuffled, early.FIXED: (0.7, 0.6, 0.7), "paper": (0.9, 0.7, 0.8)}
    said = early.finding({"shuffled": shuffled, "early": later})
    assert said.confirmed == {"paper": False, "fast": True, "the fixed threshold's failure": True}
    assert "IOLfCV (shuffled stream's threshold) 90% shuffled, 67% early" in said.sentence
    assert early.finding({}).confirmed == {}


def test_without_pre_training_the_learners_are_compared_at_their_ends() -> None:
    ends = {"paper": 0.4, "paper-noci": 0.3, "iolfcv": 0.5}
    logs = {name: [log([True, False], [0.1, end])] * 3 for name, end in ends.items()}
    said = figures_5_to_12.leads_from_scratch(
        Panel("toys", Column("toys", Plan(40, 2)), logs, comparable=False)
    )
    assert said.confirmed == {"paper over paper-noci": True, "paper over iolfcv": False}
    assert "iLAP with imbalance 0.400 and 50%" in said.sentence


def test_wrong_decisions_of_both_orders_are_drawn_and_kept() -> None:
    panels = {which: replace(PANEL, name=which) for which in ("shuffled", "early")}
    rows = early.rows_of(panels)
    assert len(rows) == 2 * 16
    assert all(len(row) == len(early.HEADER) for row in rows)
    missing = early.rows_of({"early": Panel("early", COLUMN, missing="a file")})
    assert [row[2] for row in missing] == list(early.METHODS)


@pytest.mark.parametrize("scale", scales.NAMES)
def test_every_scale_has_columns_for_smaller_exposures(scale: str) -> None:
    assert set(with_fewer_seeds(scale).seeds) >= set(with_fewer_seeds(scale).learners)
    for panels in SIZES.values():
        assert scales.of(panels, scale)
