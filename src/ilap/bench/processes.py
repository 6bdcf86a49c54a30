"""Cells in processes of their own, with a bar on stderr that follows their logs."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from ilap.bench.bench import POLL, bars, stop
from ilap.bench.cell import begin_process
from ilap.errors import CellFailed, IlapError


@dataclass(frozen=True)
class Job:
    """What one process does: it is done when its log has so many lines."""

    title: str
    log: Path
    lines: int
    work: Callable[[], None]

    @property
    def written(self) -> int:
        """How many lines there are."""
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0


def carry_out_all(jobs: Sequence[Job], at_once: int | None) -> None:
    """Do what is not done yet, as many at a time as there are cores unless it is said how many."""
    left = [job for job in jobs if job.written < job.lines]
    if not left:
        return
    context = multiprocessing.get_context("spawn")
    count = min(at_once or os.cpu_count() or 1, len(left))
    with bars() as progress, ProcessPoolExecutor(count, context, begin_process) as pool:
        task = progress.add_task("exposures", total=sum(job.lines for job in jobs))
        started = time.perf_counter()
        try:
            running: dict[Future[None], Job] = {pool.submit(job.work): job for job in left}
            waiting = set(running)
            while waiting:
                finished, waiting = wait(waiting, POLL, FIRST_COMPLETED)
                for future in finished:
                    future.result()
                    seconds = time.perf_counter() - started
                    progress.console.print(f"{running[future].title}: done after {seconds:.0f} s")
                progress.update(task, completed=sum(min(job.written, job.lines) for job in jobs))
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
                f"A detector failed ({type(error).__name__}: {error}): mend it, and run the same command again "
                f"to go on."
            ) from error
        except BaseException:
            stop(pool)
            raise
