"""Reliability: of the answers that called themselves right with some probability, how many were.

Answers are put in bins by the probability that they stated of being right, whether they were sure or not. In
each bin the share that was right should be the mean that was stated (reliability diagram: Murphy & Winkler,
1977). An answer that is unsure counts by what it held for the likeliest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ilap.bench.follow import Followed
from ilap.bench.records import Record
from ilap.core.metrics import wilson

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""Most answers call themselves likely right, so bins are finer there."""
COLUMNS = 4


@dataclass(frozen=True)
class Stated:
    """One answer: how likely it called itself right, and whether it was."""

    probability: float
    right: bool


@dataclass(frozen=True)
class Bin:
    """The answers of a bin: how many, the mean that they stated, and the share that was right."""

    count: int
    stated: float
    right: float


def stated(records: Sequence[Record]) -> list[Stated]:
    """All answers of a run, at once and later, but for those that people gave."""
    followed = Followed()
    judged = [one for record in records for one in followed.take(record.decision, record.truth)]
    return [
        Stated(one.stated, one.likeliest_right)
        for one in judged
        if one.stated is not None and one.likeliest_right is not None and one.answer.by != "person"
    ]


def bins(answers: Sequence[Stated]) -> list[Bin]:
    """The bins that have answers.

    >>> bins([Stated(0.96, True), Stated(0.98, False)])
    [Bin(count=2, stated=0.97, right=0.5)]
    """
    said = np.array([one.probability for one in answers])
    right = np.array([one.right for one in answers], float)
    place = np.clip(np.searchsorted(EDGES, said, side="right") - 1, 0, len(EDGES) - 2)
    inside = [place == own for own in range(len(EDGES) - 1)]
    return [
        Bin(int(own.sum()), float(said[own].mean()), float(right[own].mean())) for own in inside if own.any()
    ]


def gap(answers: Sequence[Stated], above: float = 0.9) -> float | None:
    """By how much answers that called themselves likely right claimed too much, on average."""
    own = [one for one in answers if one.probability >= above]
    return sum(one.probability - one.right for one in own) / len(own) if own else None


def draw(families: Mapping[str, Sequence[Stated]], path: Path) -> None:
    """A diagram for every family."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = -(-len(families) // COLUMNS)
    figure, axes = plt.subplots(
        rows,
        COLUMNS,
        figsize=(3 * COLUMNS, 3 * rows),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axis in axes.flat[len(families) :]:
        axis.set_visible(False)
    for axis, (name, answers) in zip(axes.flat, families.items(), strict=False):
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        found = bins(answers)
        ends = [wilson(one.right, one.count) for one in found]
        errors = [
            [max(one.right - low, 0) for one, (low, _) in zip(found, ends, strict=True)],
            [max(high - one.right, 0) for one, (_, high) in zip(found, ends, strict=True)],
        ]
        axis.errorbar(
            [one.stated for one in found],
            [one.right for one in found],
            errors,
            marker="o",
            markersize=4,
            capsize=2,
        )
        axis.set_title(f"{name} (n {len(answers):,})", fontsize=10)
        axis.set(xlim=(0, 1.02), ylim=(0, 1.02))
    figure.supxlabel("stated probability of being right")
    figure.supylabel("share that was right")
    figure.savefig(path, dpi=110)
    plt.close(figure)
