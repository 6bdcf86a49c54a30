"""``ilap bench``: learners against each other on the same streams, in as many processes as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from ilap.backbones.stored import Stored
from ilap.bench import processes, records, tables
from ilap.bench.cell import Cell
from ilap.bench.data import frozen
from ilap.bench.jobs import Job, Line
from ilap.bench.learners import load as learners
from ilap.bench.records import Entry
from ilap.bench.summary import summary
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset


def run(cells: Sequence[Cell], out: Path, at_once: int | None = None) -> list[dict[str, Any]]:
    """Carry out what is not done yet, show how it goes on stderr, and give a row of figures for every cell."""
    return [row(cell, entries) for cell, entries in zip(cells, logs(cells, out, at_once), strict=True)]


def logs(cells: Sequence[Cell], out: Path, at_once: int | None = None) -> list[list[Entry]]:
    """The same; gives their logs."""
    for cell in cells:
        learners.settings_of(cell.learner, cell.changes)  # an error before the work, not in it
    lines = processes.run(cells, out, at_once, said, prepare)
    return [[records.from_line(line) for line in own] for own in lines]


def said(job: Job, lines: Sequence[Line]) -> str:
    """A finished cell in one line."""
    assert isinstance(job, Cell)
    figures = row(job, [records.from_line(line) for line in lines])
    right, exposures, accuracy = figures["decisions_right"], figures["exposures"], figures["accuracy"]
    return (
        f"{figures['data']:<12} {figures['learner']:<16}seed {figures['seed']:<4}"
        f"{right:>4} of {exposures:<4} right  "
        f"{figures['unique_classes']:>3} of {figures['true_classes']:<3} classes  "
        f"accuracy {tables.NOTHING if accuracy is None else f'{accuracy:.3f}'}  {figures['seconds']:.0f} s"
    )


def row(cell: Cell, entries: Sequence[Entry]) -> dict[str, Any]:
    """The figures of a finished cell, from its log."""
    figures = summary([entry.record for entry in entries])
    return {"data": cell.data, "learner": cell.learner, "seed": cell.seed, **figures, **entries[-1].facts}


def prepare(cells: Sequence[Job], progress: Progress) -> None:
    """Compute the features that frozen learners will ask for: of the streams' pictures and the test set's."""
    wanted: dict[tuple[Stored, str, bool, bool], tuple[Dataset, set[int]]] = {}
    for cell in cells:
        assert isinstance(cell, Cell)
        settings = learners.settings_of(cell.learner, cell.changes)
        if settings is not None and settings.is_frozen:
            stream = cell.stream()
            key = frozen(settings), cell.data, cell.plan.draw == "clips", cell.tested
            _, places = wanted.setdefault(key, (stream.dataset, set()))
            places.update(i for shown in stream.pictures for i in shown)
    for (backbone, name, *_), (data, places) in wanted.items():
        rows = np.array(sorted(places))
        task = progress.add_task(f"features of {name}", total=len(rows) + len(data.test))
        for pictures in (Chosen(data.train.pictures, rows), data.test.pictures):
            backbone.prepare(pictures, partial(progress.advance, task))
        progress.remove_task(task)


class Chosen(Sequence[Picture]):
    """Some of many pictures, none of them read before it is asked for."""

    def __init__(self, pictures: Sequence[Picture], rows: np.ndarray) -> None:
        self._pictures, self._rows = pictures, rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        return self._pictures[int(self._rows[place])]
