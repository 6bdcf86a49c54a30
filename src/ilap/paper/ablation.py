"""``ilap paper ablation``: what the paper leaves open, one factor at a time around ``paper-cpu``.

A row is a setting that differs, a column is a stream. A cell has the share of decisions that are right and the
accuracy at the end, mean and standard deviation over seeds. Every cell is jobs of its own, one a seed; those of
the preset itself are shared with figure 11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ilap.bench import bench, tables
from ilap.bench.cell import Cell
from ilap.bench.records import Entry
from ilap.bench.stream import Plan
from ilap.paper import runs, scales, style
from ilap.paper.contract import ClaimCheck, MadeTable, Request, gaps_of, larger
from ilap.paper.scales import Column

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

TITLE = f"Ablation: what the paper leaves open, one factor at a time around {PRESET}"
CLAIM = f"{PRESET} decides better with its own choice"

Logs = Sequence[Sequence[Entry]]
Found = Mapping[tuple[str, str], Logs]
"""By row and the name of a column."""


def make(request: Request) -> MadeTable:
    """Run or resume every cell."""
    chosen = scales.of(SCALES, request.scale)
    gaps = gaps_of(column.data for column, _ in chosen.columns)
    cells = {
        (row, named(column)): [
            Cell(column.data, PRESET, seed, column.plan, changes) for seed in range(request.seeds or seeds)
        ]
        for column, seeds in chosen.columns
        for row, changes in {PRESET: {}, **FACTORS}.items()
        if column.data not in gaps
    }
    lines = iter(bench.logs([cell for own in cells.values() for cell in own], request.out, request.jobs))
    found = {place: [next(lines) for _ in own] for place, own in cells.items()}
    columns = [named(column) for column, _ in chosen.columns]
    return MadeTable(
        "ablation",
        TITLE,
        grid(found, columns),
        request.command("ablation"),
        f"{' or '.join(sorted({str(len(own)) for own in cells.values()}))}, from 0",
        sum(entry.record.decision.seconds for logs in found.values() for log in logs for entry in log),
        chosen.differs,
        gaps,
        (finding(found),),
    )


def named(column: Column) -> str:
    """A stream in short.

    >>> from ilap.bench.stream import Plan
    >>> named(Column("cifar10", Plan(50, 5)))
    'CIFAR-10, 50 x 5'
    """
    return f"{style.named(column.data)}, {column.plan.exposure_size} x {column.plan.repeats}"


def grid(found: Found, columns: Sequence[str]) -> tables.Grid:
    """Settings down, streams across: decisions right, accuracy."""

    def text(logs: Logs | None) -> str:
        if logs is None:
            return "no data"
        both = runs.shares_right(logs), runs.ends(logs, "accuracy")
        return ", ".join(tables.cell(tables.average(values)) for values in both)

    body = [(row, *(text(found.get((row, name))) for name in columns)) for row in (PRESET, *FACTORS)]
    return tables.Grid(("decisions right, accuracy", *columns), tuple(body))


def finding(found: Found) -> ClaimCheck:
    """Of every factor and stream where it matters, whether the preset's own choice decides better."""
    better, parts = {}, []
    for (row, name), logs in found.items():
        own, other = (runs.shares_right(each) for each in (found[PRESET, name], logs))
        if larger(own, other) or larger(other, own):
            better[f"{row} on {name}"] = larger(own, other)
            parts.append(
                f"{row} on {name}: {runs.right(logs):.0%} against {runs.right(found[PRESET, name]):.0%}"
            )
    if parts:
        return ClaimCheck(CLAIM, better, f"Decisions right, {'; '.join(parts)}; all else within its spread.")
    said = "No other choice differs by more than its spread over three seeds or more."
    return ClaimCheck(CLAIM, {}, said if found else "There were no data to run it on.")
