"""Runs of learners behind a figure: the cells of the tables, or others of their kind, read from their logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ilap.bench import bench
from ilap.bench.cell import Cell
from ilap.bench.records import Entry
from ilap.paper.contract import Order
from ilap.paper.gaps import gaps_of
from ilap.paper.scales.learners import Column, Scale, cells_of

Logs = Mapping[str, Sequence[Sequence[Entry]]]
"""By learner, a log a seed."""


@dataclass(frozen=True)
class Panel:
    """A column of a scale with its logs; ``missing`` is the file that it lacks, or why it was not run. The
    paper's tables stand beside it where they are of a stream like it: ``comparable``."""

    name: str
    column: Column
    logs: Logs = field(default_factory=dict)
    missing: str = ""
    comparable: bool = True

    @property
    def exposures(self) -> int:
        """How long the streams are."""
        return max((len(entries) for logs in self.logs.values() for entries in logs), default=0)


def panels(scale: Scale, order: Order, columns: Mapping[str, Column]) -> list[Panel]:
    """Run or resume all columns, each under a name, and read their logs."""
    gaps = gaps_of(column.data for column in columns.values())
    cells = {
        name: [] if column.data in gaps else cells_of(scale, column, scale.learners, order.seeds)
        for name, column in columns.items()
    }
    every = [cell for own in cells.values() for cell in own]
    found = dict(zip(map(id, every), bench.logs(every, order.out, order.jobs), strict=True))
    return [
        Panel(name, column, by_learner(cells[name], found), gaps.get(column.data, ""))
        for name, column in columns.items()
    ]


def by_learner(cells: Sequence[Cell], found: Mapping[int, list[Entry]]) -> dict[str, list[list[Entry]]]:
    """The logs of cells, by learner."""
    logs: dict[str, list[list[Entry]]] = {}
    for cell in cells:
        logs.setdefault(cell.learner, []).append(found[id(cell)])
    return logs


def over(logs: Sequence[Sequence[Entry]], figure: str) -> NDArray[np.float64]:
    """A figure of the records, a row a seed and a column an exposure."""
    return np.array([[float(getattr(entry.record, figure)) for entry in entries] for entries in logs])


def ends(logs: Sequence[Sequence[Entry]], figure: str) -> list[float]:
    """A figure at the end, one a seed."""
    return [float(value) for value in over(logs, figure)[:, -1]]


def last(logs: Sequence[Sequence[Entry]], figure: str) -> float:
    """Its mean over seeds."""
    return float(np.mean(ends(logs, figure)))


def shares_right(logs: Sequence[Sequence[Entry]]) -> list[float]:
    """The share of decisions that were right at once, one a seed."""
    return [float(value) for value in over(logs, "right").mean(axis=1)]


def right(logs: Sequence[Sequence[Entry]]) -> float:
    """Its mean over seeds."""
    return float(np.mean(shares_right(logs)))


def seconds(every: Sequence[Panel]) -> float:
    """What the learners took for all decisions and updates."""
    return float(
        sum(
            entry.record.decision.seconds
            for panel in every
            for logs in panel.logs.values()
            for entries in logs
            for entry in entries
        )
    )


def seeds(every: Sequence[Panel]) -> str:
    """How many seeds there are, from 0 on.

    >>> seeds([])
    'none'
    """
    counts = sorted({len(logs) for panel in every for logs in panel.logs.values()})
    return f"{' or '.join(map(str, counts))}, from 0" if counts else "none"
