"""``ilap bench``: learners against each other on the same streams, in as many processes as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from ilap.backbones.stored import Stored
from ilap.bench import log
from ilap.bench.cell import Cell, carry_out, dataset, frozen
from ilap.bench.processes import Job, bars, carry_out_all
from ilap.bench.run import summary
from ilap.errors import BadOutput
from ilap.exposure import Picture
from ilap.learners import load as learners


def run(cells: Sequence[Cell], out: Path, jobs: int | None = None) -> list[dict[str, Any]]:
    """Carry out what is not done yet, show how it goes on stderr, and give a row of figures for every cell."""
    folder = out / "cells"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOutput(f"{out} cannot be written to ({error.strerror}): name another with --out.") from None
    for cell in cells:
        learners.settings_of(cell.learner, cell.changes)  # an error before the work, not in it
    with bars() as progress:
        work = [job_of(cell, folder) for cell in cells]
        prepare([cell for cell, job in zip(cells, work, strict=True) if job.written < job.lines], progress)
        carry_out_all(work, jobs, progress)
    return [row(cell, job.log) for cell, job in zip(cells, work, strict=True)]


def job_of(cell: Cell, folder: Path) -> Job:
    """A cell as work for a process."""
    path = folder / f"{cell.name}.jsonl"
    title = f"{cell.data} {cell.learner} seed {cell.seed}"
    told = partial(tell, cell, path)
    return Job(title, path, len(cell.stream()), partial(carry_out, cell, folder), told)


def tell(cell: Cell, path: Path) -> str:
    """What is said of a finished cell."""
    return line(row(cell, path))


def row(cell: Cell, path: Path) -> dict[str, Any]:
    """The figures of a finished cell, from its log."""
    entries, _ = log.read(path)
    figures = summary([entry.record for entry in entries])
    return {"data": cell.data, "learner": cell.learner, "seed": cell.seed, **figures, **entries[-1].facts}


def prepare(cells: Sequence[Cell], progress: Progress) -> None:
    """Compute the features that frozen learners will ask for: of the streams' pictures and the test set's."""
    wanted: dict[tuple[Stored, str], set[int]] = {}
    for cell in cells:
        settings = learners.settings_of(cell.learner, cell.changes)
        if settings is not None and settings.is_frozen:
            places = wanted.setdefault((frozen(settings), cell.data), set())
            places.update(i for shown in cell.stream().pictures for i in shown)
    for (backbone, name), places in wanted.items():
        data = dataset(name)
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


def line(figures: dict[str, Any]) -> str:
    """A finished cell in one line."""
    right, exposures = figures["decisions_right"], figures["exposures"]
    return (
        f"{figures['data']:<12}{figures['learner']:<16}seed {figures['seed']:<4}"
        f"{right:>4} of {exposures:<4} right  "
        f"{figures['unique_classes']:>3} of {figures['true_classes']:<3} classes  "
        f"accuracy {figures['accuracy']:.3f}  {figures['seconds']:.0f} s"
    )
