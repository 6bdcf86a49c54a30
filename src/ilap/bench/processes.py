"""Cells in processes of their own, with bars on stderr that follow their logs."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

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

from ilap.bench.cell import begin_process
from ilap.errors import CellFailed, IlapError

POLL = 0.5  # seconds between two looks at the logs


@dataclass(frozen=True)
class Job:
    """What one process does: it is done when its log has so many lines. ``told`` is what is said of it then."""

    title: str
    log: Path
    lines: int
    work: Callable[[], None]
    told: Callable[[], str] | None = None

    @property
    def written(self) -> int:
        """How many lines there are."""
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0


def carry_out_all(jobs: Sequence[Job], at_once: int | None, progress: Progress) -> None:
    """Do what is not done yet, as many at a time as there are cores unless it is said how many."""
    left = [job for job in jobs if job.written < job.lines]
    if not left:
        return
    context = multiprocessing.get_context("spawn")
    count = min(at_once or os.cpu_count() or 1, len(left))
    with ProcessPoolExecutor(count, context, begin_process) as pool:
        try:
            follow({pool.submit(job.work): job for job in left}, jobs, progress)
        except BrokenProcessPool:
            raise CellFailed(
                "A process ended before its work did, for want of memory perhaps: take fewer --jobs, and run "
                "the same command again to go on."
            ) from None
        except BaseException as error:
            stop(pool)
            if isinstance(error, IlapError) or not isinstance(error, Exception):
                raise
            raise CellFailed(
                f"A learner or detector failed ({type(error).__name__}: {error}): mend it, and run the same "
                f"command again to go on."
            ) from error


def follow(running: dict[Future[None], Job], jobs: Sequence[Job], progress: Progress) -> None:
    """Show how far all jobs are, and each that is under way, until the last one ends."""
    whole = progress.add_task("exposures", total=sum(job.lines for job in jobs))
    bars: dict[Future[None], TaskID] = {}
    started = time.perf_counter()
    waiting = set(running)
    while waiting:
        finished, waiting = wait(waiting, POLL, FIRST_COMPLETED)
        for future in finished:
            job = running[future]
            future.result()
            if future in bars:
                progress.remove_task(bars[future])
            seconds = time.perf_counter() - started
            said = job.told() if job.told else f"{job.title}: done after {seconds:.0f} s"
            progress.console.print(said, soft_wrap=True)
        for future in waiting:
            job = running[future]
            if future in bars:
                progress.update(bars[future], completed=job.written)
            elif future.running() and job.written:
                bars[future] = progress.add_task(f"  {job.title}", total=job.lines)
        progress.update(whole, completed=sum(min(job.written, job.lines) for job in jobs))


def stop(pool: ProcessPoolExecutor) -> None:
    """End all work at once; what is in the logs stays."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.terminate()


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
