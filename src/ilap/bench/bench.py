"""``ilap bench``: learners against each other on the same streams, in as many processes as wanted."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from ilap.backbones.stored import Stored
from ilap.bench import log
from ilap.bench.cell import Cell, begin_process, carry_out, dataset, frozen
from ilap.bench.run import summary
from ilap.errors import BadOutput, CellFailed, IlapError
from ilap.exposure import Picture
from ilap.learners import load as learners

POLL = 0.5  # seconds between two looks at the logs


@dataclass(frozen=True)
class Work:
    """A cell, how many exposures it has, and where its log is."""

    cell: Cell
    exposures: int
    path: Path

    @property
    def done(self) -> int:
        """How many exposures are in the log."""
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.cell.data} {self.cell.learner} seed {self.cell.seed}"


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
        work = [Work(cell, len(cell.stream()), folder / f"{cell.name}.jsonl") for cell in cells]
        left = [item for item in work if item.done < item.exposures]
        if left:
            prepare([item.cell for item in left], progress)
            carry_out_all(left, work, jobs or os.cpu_count() or 1, progress)
    return [row(item) for item in work]


def row(item: Work) -> dict[str, Any]:
    """The figures of a finished cell, from its log."""
    entries, _ = log.read(item.path)
    cell = item.cell
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


def carry_out_all(left: Sequence[Work], work: Sequence[Work], jobs: int, progress: Progress) -> None:
    """Run cells in processes, and read from their logs how far they are."""
    whole = progress.add_task("exposures", total=sum(item.exposures for item in work))
    bars: dict[Future[None], tuple[Work, TaskID | None]] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(left)), context, begin_process) as pool:
        try:
            for item in left:
                bars[pool.submit(carry_out, item.cell, item.path.parent)] = (item, None)
            waiting = set(bars)
            while waiting:
                finished, waiting = wait(waiting, POLL, FIRST_COMPLETED)
                for future in finished:
                    item, task = bars[future]
                    future.result()
                    if task is not None:
                        progress.remove_task(task)
                    progress.console.print(line(row(item)), soft_wrap=True)
                for future in waiting:
                    item, task = bars[future]
                    if task is None and future.running() and item.done:
                        bars[future] = item, progress.add_task(f"  {item.title}", total=item.exposures)
                    elif task is not None:
                        progress.update(task, completed=item.done)
                progress.update(whole, completed=sum(min(item.done, item.exposures) for item in work))
        except IlapError:
            stop(pool)
            raise
        except BrokenProcessPool:
            raise CellFailed(
                "A process ended before its work did, for want of memory perhaps: take fewer --jobs, and run "
                "the same command again to go on."
            ) from None
        except Exception as error:
            stop(pool)
            raise CellFailed(
                f"A learner failed ({type(error).__name__}: {error}): mend it, and run the same command again "
                f"to go on."
            ) from error
        except BaseException:
            stop(pool)
            raise


def stop(pool: ProcessPoolExecutor) -> None:
    """End all work at once; what is in the logs stays."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.terminate()


def line(figures: dict[str, Any]) -> str:
    """A finished cell in one line."""
    right, exposures = figures["decisions_right"], figures["exposures"]
    return (
        f"{figures['data']:<12}{figures['learner']:<16}seed {figures['seed']:<4}"
        f"{right:>4} of {exposures:<4} right  "
        f"{figures['unique_classes']:>3} of {figures['true_classes']:<3} classes  "
        f"accuracy {figures['accuracy']:.3f}  {figures['seconds']:.0f} s"
    )


def bars() -> Progress:
    """Bars on stderr, with the time that is left."""
    return Progress(
        TextColumn("{task.description:<28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
