"""New bursts, taken in while the server answers: by a thread beside it, which reads the pictures and gives the
learner one burst at a time, in turn with what people ask and say."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from ilap.core.decision import Decision
from ilap.core.errors import IlapError
from ilap.core.plural import counted
from ilap.keep.cuts import judge
from ilap.keep.learn import Before, before, look_again, take, unfinished
from ilap.keep.learner import LearnerInFile
from ilap.keep.redecide import redecide
from ilap.keep.store import view
from ilap.serve.problems import Problem
from ilap.sources.bursts import Burst, Cutting, count, cut
from ilap.sources.read import ahead, to_read
from ilap.sources.roots import only_below
from ilap.sources.watch import QUIET, Watched

log = logging.getLogger("ilap.serve")

T = TypeVar("T")
PAUSE = 1.0  # seconds between two looks at a folder that is watched
RETRY = 30.0  # seconds after which a watched folder is tried again that could not be learned from
MOST_ORDERS = 100  # folders that wait
MOST_NOTES = 20  # sentences that are kept


class Turn(Protocol):
    """Has something done by the thread that has the learner, and waits for it."""

    def __call__(self, do: Callable[[LearnerInFile], T]) -> T:
        """What came of it."""
        ...


@dataclass(frozen=True)
class Order:
    """A folder to learn from, once, or for as long as the server runs; links are followed to what is below
    ``roots`` only."""

    folder: Path
    how: Cutting
    watch: bool
    roots: tuple[Path, ...] = field(compare=False)


@dataclass(frozen=True)
class Progress:
    """How far it is. ``pictures`` of ``total`` are done, of those in bursts that have something new; ``bursts``
    and ``of_bursts`` are the same in bursts. ``notes`` are what else there is to say, the last at the end;
    ``waiting`` are folders whose turn comes, ``watching`` those that are looked at again and again. When it is
    idle, ``said`` tells how it ended, and ``failed`` whether it ended by an error."""

    state: Literal["idle", "looking", "learning", "settling", "stopping"] = "idle"
    folder: str | None = None
    pictures: int = 0
    total: int = 0
    bursts: int = 0
    of_bursts: int = 0
    seconds_left: float | None = None
    failed: bool = False
    said: str = ""
    notes: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    watching: tuple[str, ...] = ()


@dataclass(eq=False)
class Job:
    """An order that is carried out when it is ``due``. ``stop`` is set where it is to end after the burst that
    is under way."""

    order: Order
    watched: Watched | None
    due: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)


class Learning:
    """Carries out orders, one after the other."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._changed = threading.Condition()
        self._jobs: list[Job] = []
        self._now: Job | None = None
        self._closed = False
        self._thread: threading.Thread | None = None
        self._progress = Progress()

    @property
    def progress(self) -> Progress:
        """How far it is."""
        with self._changed:
            jobs = [job for job in (self._now, *self._jobs) if job and not job.stop.is_set()]
            return replace(
                self._progress,
                waiting=tuple(str(job.order.folder) for job in self._jobs if not job.watched),
                watching=tuple(str(job.order.folder) for job in jobs if job.watched),
            )

    def begin(self, order: Order) -> Progress:
        """Learn from a folder when its turn comes; what is under way already, or waits, is not begun again."""
        with self._changed:
            if len(self._jobs) >= MOST_ORDERS:
                raise Problem(409, f"{MOST_ORDERS} folders wait to be learned from: wait, or stop them.")
            jobs = [job for job in (self._now, *self._jobs) if job and not job.stop.is_set()]
            if not self._closed and order not in [job.order for job in jobs]:
                self._jobs.append(Job(order, Watched(order.folder, QUIET) if order.watch else None))
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="ilap-learning")
                    self._thread.start()
                if self._progress.state == "idle" and not order.watch:
                    self._look(order)
                self._changed.notify_all()
            return self.progress

    def stop(self) -> Progress:
        """Stop after the burst that is under way, and watch nothing any more. What was learned is kept."""
        with self._changed:
            stopped = [job for job in (self._now, *self._jobs) if job]
            for job in stopped:
                job.stop.set()
            self._jobs.clear()
            if self._progress.state != "idle" and self._now:
                self._show(state="stopping", said="Learning stops after this burst.")
            elif stopped:
                self._show(state="idle", said="Stopped: the same request goes on.")
            else:
                self._show(said="Nothing is being learned.")
            self._changed.notify_all()
            return self.progress

    def close(self) -> None:
        """The same, for good; waits until it is done."""
        with self._changed:
            self._closed = True
        self.stop()
        if self._thread:
            self._thread.join()

    def _show(self, **changes: Any) -> None:
        with self._changed:
            self._progress = replace(self._progress, **changes)

    def _look(self, order: Order) -> None:
        self._progress = Progress(
            "looking", str(order.folder), said=f"Looking for new pictures in {order.folder}."
        )

    def _note(self, sentence: str) -> None:
        notes = [note for note in self._progress.notes if note != sentence]
        self._show(notes=(*notes, sentence)[-MOST_NOTES:])

    def _next(self) -> Job | None:
        """The next job, when it is due; None when there will be none."""
        with self._changed:
            while not self._closed:
                job = min(self._jobs, key=lambda job: job.due, default=None)
                wait = None if job is None else job.due - time.monotonic()
                if job and wait is not None and wait <= 0:
                    self._jobs.remove(job)
                    self._now = job
                    return job
                self._changed.wait(wait)
            return None

    def _run(self) -> None:
        while job := self._next():
            failed = True
            try:
                said, failed = self._carry_out(job), False
            except IlapError as error:
                said = str(error)
            except Exception as error:
                log.error("learning from %s failed", job.order.folder, exc_info=error)
                said = "This is a defect of ilap; nothing is lost. The terminal of ilap serve has more."
            with self._changed:
                self._now = None
                if said is not None:
                    self._show(state="idle", said=said, failed=failed, seconds_left=None)
                if job.watched and not job.stop.is_set():
                    job.due = time.monotonic() + (RETRY if failed else PAUSE)
                    self._jobs.append(job)

    def _carry_out(self, job: Job) -> str | None:
        """Learn what is new in a folder; of one that is watched what is whole. Gives how it ended, None where
        there was nothing to do."""
        order = job.order
        if job.watched and not job.watched.look():
            return None
        with self._changed:
            self._look(order)
        found = only_below(cut(order.folder, order.how, self._note), order.roots, self._note)
        if job.watched:
            found = job.watched.ready(found)
        known = self._turn(before)
        found = to_read(found, known.files, known.contents)
        decided = self._learn(job, found, known) if found else []
        if not job.stop.is_set() and (decided or (not job.watched and self._turn(unfinished))):
            self._settle(decided)
        if job.stop.is_set():
            done = f"{self._progress.bursts} of {counted(len(found), 'burst')}"
            return f"Stopped after {done} of {order.folder}: the same request goes on."
        if job.watched:
            job.watched.done()
        return summary(order.folder, decided)

    def _learn(self, job: Job, found: Sequence[Burst], known: Before) -> list[Decision]:
        """Show the learner the bursts, each in its turn; gives what was decided of them."""
        total, decided = count(found), list[Decision]()
        self._show(state="learning", total=total, of_bursts=len(found), said=far(0, total))
        if self._turn(lambda learner: view.crops(learner.file.connection)):
            self._note("This learner looked at boxes: new pictures are learned whole.")
        if redecided := self._turn(redecide):
            self._note(redecided.said)
        started = time.monotonic()
        with closing(ahead(found, known.files, known.contents)) as bursts:
            for loaded in bursts:
                if job.stop.is_set():
                    break
                outcome = self._turn(partial(take, loaded=loaded, known=known))
                decided += [outcome.decision] if outcome.decision else []
                for sentence in outcome.bad:
                    self._note(sentence)
                pictures = self._progress.pictures + len(outcome.burst.paths)
                left = (time.monotonic() - started) / pictures * (total - pictures)
                with self._changed:
                    self._show(pictures=pictures, bursts=self._progress.bursts + 1, seconds_left=round(left, 1))
                    if not job.stop.is_set():
                        self._show(said=far(pictures, total))
        return decided

    def _settle(self, decided: Sequence[Decision]) -> None:
        """Ask again about what is unsure, and look whether the bursts were cut well."""
        self._show(state="settling", seconds_left=None, said="Asking again about what is unsure.")
        self._turn(look_again)
        for sentence in self._turn(lambda learner: judge(learner, [one.exposure for one in decided])).said:
            self._note(sentence)


def far(pictures: int, total: int) -> str:
    """How far it is, in words.

    >>> far(40, 200)
    'Learning: 40 of 200 pictures.'
    """
    return f"Learning: {pictures} of {counted(total, 'picture')}."


def summary(folder: Path, decided: Sequence[Decision]) -> str:
    """What came of a folder, in words."""
    if not decided:
        return f"There is nothing new in {folder}."
    kinds = Counter(one.kind for one in decided)
    told = ", ".join(f"{kinds[kind]} {kind}" for kind in ("new", "known", "unsure") if kinds[kind])
    return f"{counted(len(decided), 'exposure')} learned from {folder}: {told}."
