"""Jobs in processes of their own, with bars on stderr that follow their logs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from rich.progress import Progress, TaskID

from ilap.bench import jobs
from ilap.bench.jobs import Job, Line
from ilap.core.errors import CellFailed, IlapError
from ilap.core.extras import installed
from ilap.core.terminal import bars, printable

POLL = 0.5  # seconds between two looks at the logs
MOST = 61  # processes that Windows lets one wait for

Told = Callable[[Job, Sequence[Line]], str]
"""What is said of a job that is done."""


def run(
    work: Sequence[Job],
    out: Path,
    at_once: int | None = None,
    told: Told | None = None,
    prepare: Callable[[Sequence[Job], Progress], None] | None = None,
) -> list[list[Line]]:
    """The lines of all jobs, made where they are not there. ``prepare`` is done before, for those that are
    not."""
    jobs.folder_for(out)
    with bars() as progress:
        left = [job for job in work if jobs.written(jobs.path_of(job, out)) < job.steps]
        if prepare:
            prepare(left, progress)
        if left:
            carry_out_all(work, left, out, at_once, told, progress)
    return [jobs.read(job, out).lines for job in work]


def carry_out_all(
    work: Sequence[Job],
    left: Sequence[Job],
    out: Path,
    at_once: int | None,
    told: Told | None,
    progress: Progress,
) -> None:
    """Do what is not done yet, as many at a time as there are cores unless it is said how many."""
    context = multiprocessing.get_context("spawn")
    count = min(at_once or os.cpu_count() or 1, len(left), MOST)
    with ProcessPoolExecutor(count, context, begin_process) as pool:
        try:
            follow({pool.submit(jobs.carry_out, job, out): job for job in left}, work, out, told, progress)
        except BrokenProcessPool:
            raise CellFailed(
                "A process ended before its work did, perhaps for lack of memory: take fewer --jobs, and run "
                "the same command again to go on."
            ) from None
        except (KeyboardInterrupt, IlapError):
            stop(pool)
            raise
        except Exception as error:
            stop(pool)
            raise CellFailed(
                f"A learner or detector failed ({type(error).__name__}: {error}): fix it, and run the same "
                f"command again to go on."
            ) from error


def follow(
    running: dict[Future[None], Job], work: Sequence[Job], out: Path, told: Told | None, progress: Progress
) -> None:
    """Show how far all jobs are, and each that is under way, until the last one ends."""
    paths = {id(job): jobs.path_of(job, out) for job in work}
    steps = {id(job): job.steps for job in work}  # asked for once: a stream is made to count its exposures
    whole = progress.add_task("exposures", total=sum(steps.values()))
    shown: dict[Future[None], TaskID] = {}
    started = time.perf_counter()
    waiting = set(running)
    while waiting:
        finished, waiting = wait(waiting, POLL, FIRST_COMPLETED)
        for future in finished:
            job = running[future]
            future.result()
            if future in shown:
                progress.remove_task(shown[future])
            said = f"{job.title}: done after {time.perf_counter() - started:.0f} s"
            if told:
                said = told(job, jobs.read(job, out).lines)
            progress.console.print(printable(said), soft_wrap=True)
        for future in waiting:
            job = running[future]
            done = jobs.written(paths[id(job)])
            if future in shown:
                progress.update(shown[future], completed=done)
            elif future.running() and done:
                shown[future] = progress.add_task(f"  {job.title}", total=steps[id(job)])
        progress.update(whole, completed=sum(min(jobs.written(paths[key]), own) for key, own in steps.items()))


def stop(pool: ProcessPoolExecutor) -> None:
    """End all work at once; what is in the logs stays."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.terminate()


def begin_process() -> None:
    """One thread of linear algebra a process, however many there are, so that results do not depend on that;
    and no process outlives the one that began it."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # said by the process that began this one
    threadpool_limits(1)
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """A benchmark that is killed takes its processes with it: they would write where it writes again."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
