"""What the paper leaves open, one factor at a time around ``paper-cpu``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ilap.bench.stream import Plan
from ilap.paper.scales.learners import Column

PRESET = "paper-cpu"
PAPERS_SCHEDULE = {"trial_rate": 2e-4, "trial_batch": 16, "trial_steps": 0, "trial_patience": 5}

FACTORS: Mapping[str, Mapping[str, Any]] = {
    "ranking = nearest": {"ranking": "nearest"},
    "ranking = random": {"ranking": "random"},
    "trial head = random": {"trial_head": "random"},
    "trial head = copy, judge = validation": {"trial_head": "copy", "judge": "validation"},
    "update head = random": {"update_head": "random"},
    "criterion = plain": {"criterion": "plain"},
    "trials = 1": {"trials": 1},
    "trials = 3": {"trials": 3},
    "judge = validation": {"judge": "validation"},
    "trial schedule = the paper's": PAPERS_SCHEDULE,
    "statistic = drop": {"statistic": "drop"},
}
"""Rows: what is set. A copy of the head has seen the rest of P_train, so it is judged on P_val."""


@dataclass(frozen=True)
class Ablation:
    """The streams that every row is run on, how many seeds each has, and what a reader should know."""

    columns: tuple[tuple[Column, int], ...]
    differs: tuple[str, ...]


SMALL = (
    (Column("cifar10", Plan(50, 5)), 3),
    (Column("svhn", Plan(50, 5)), 3),
)
SCALES = {
    "quick": Ablation(
        ((Column("digits", Plan(20, 2, classes=6)), 1),),
        ("Embedded digits, six classes, exposures of 20, 2 of every class, one seed.",),
    ),
    "cpu": Ablation(SMALL, ("Exposures of 50, 5 of every class; CIFAR-100 is run at the scale cpu-long.",)),
    "cpu-long": Ablation(
        (*SMALL, (Column("cifar100", Plan(50, 3)), 1)),
        ("Exposures of 50, 5 of every class, 3 for CIFAR-100, which has one seed.",),
    ),
}
