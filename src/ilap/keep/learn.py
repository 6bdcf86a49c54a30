"""``ilap learn``: bursts of pictures through a learner in a file.

What was learned before is known by its content and passed over, so the same command goes on after it was
stopped, and next month with the pictures that are new.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ilap.core.decision import Decision
from ilap.core.exposure import Exposure
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events, exposures, state
from ilap.sources.bursts import Burst
from ilap.sources.read import Known, Loaded, ahead
from ilap.sources.roots import topmost

LOOKED = "looked"  # under which the file notes the event after which everything was looked at again


@dataclass(frozen=True)
class Outcome:
    """What came of a burst: a decision, or none where nothing in it was new or could be read. ``files`` are how
    many of its files were read, known before or not read; a video is one of them."""

    burst: Burst
    decision: Decision | None
    pictures: int
    known: int
    bad: tuple[str, ...]
    files: tuple[int, int, int]


@dataclass(frozen=True)
class Learned:
    """A decision as it is told: about the burst itself, or (``settled``) about an earlier one that is sure
    now. ``place`` is where it most likely belongs, sure or not."""

    exposure: int
    name: str
    pictures: int
    decision: str
    class_id: int | None
    class_name: str | None
    error: float | None
    reason: str
    strangers: int
    settled: bool
    moved: tuple[int, ...]
    seconds: float
    place: int | None
    place_name: str | None


@dataclass(frozen=True)
class Before:
    """What was learned before: files by their paths, and the contents of all pictures. What is learned is added
    to the contents."""

    files: Known
    contents: set[str]


def before(learner: LearnerInFile) -> Before:
    """What a learner has learned."""
    connection = learner.file.connection
    return Before(exposures.known_files(connection), exposures.known_contents(connection))


def folders(connection: sqlite3.Connection) -> list[Path]:
    """The folders that a learner has learned from, as far as its file tells; never a whole file system."""
    known = exposures.folders(connection)
    return topmost(folder for folder in known if folder.is_absolute() and folder != folder.parent)


def learn(learner: LearnerInFile, bursts: Sequence[Burst]) -> Iterator[Outcome]:
    """Show a learner the bursts that it has not seen, one by one."""
    known = before(learner)
    for loaded in ahead(bursts, known.files, known.contents):
        yield take(learner, loaded, known)


def take(learner: LearnerInFile, loaded: Loaded, known: Before) -> Outcome:
    """Show a learner what is new of a burst that was read."""
    burst, decision = loaded.burst, None
    if loaded.pictures:
        folder = str(burst.folder) if burst.folder else None
        exposure = Exposure(loaded.pictures, burst.ordered, burst.name, loaded.files, folder)
        decision = learner.observe(exposure)
        known.contents.update(file.sha256 for file in loaded.files)
    if moved := [file for file in loaded.known if file.path not in known.files]:
        with learner.file.transaction() as connection:
            exposures.relocate(connection, moved, burst.folder)
    return Outcome(burst, decision, *counts(loaded)[:2], tuple(loaded.bad), files_of(loaded))


def counts(loaded: Loaded) -> tuple[int, int, int]:
    """How many pictures of a burst were read, known before or not read."""
    return len(loaded.pictures), len(loaded.known), len(loaded.bad)


def files_of(loaded: Loaded) -> tuple[int, int, int]:
    """The same of its files: a video was read if any of its frames was."""
    read, known, bad = counts(loaded)
    if loaded.burst.video is None:
        return read, known, bad
    return (1, 0, 0) if read else (0, 1, 0) if known else (0, 0, 1)


def unfinished(learner: LearnerInFile) -> bool:
    """Whether something waits, and something has happened since everything was looked at again: the last run
    was stopped before it, or a person has spoken."""
    connection = learner.file.connection
    return bool(learner.waiting) and state.meta(connection, LOOKED) != events.last(connection)


def look_again(learner: LearnerInFile) -> list[Learned]:
    """Ask about what is unsure again where something near it has changed since the last time, and regroup what
    stays so; gives what is sure now."""
    last = state.meta(learner.file.connection, LOOKED)
    sure = learner.ask_again(None if last is None else events.changed_after(learner.file.connection, last))
    learner.regroup(by="ilap")
    with learner.file.transaction() as connection:
        state.set_meta(connection, LOOKED, events.last(connection))
    return settled(learner, sure)


def rows_of(learner: LearnerInFile, outcome: Outcome) -> list[Learned]:
    """What was decided of a burst, and of earlier ones that are sure now."""
    if outcome.decision is None:
        return []
    return [row_of(learner, outcome.decision), *settled(learner, outcome.decision.settled)]


def settled(learner: LearnerInFile, decisions: Sequence[Decision]) -> list[Learned]:
    """What was decided of earlier exposures that are sure now."""
    return [row_of(learner, decision, settled=True) for decision in decisions]


def row_of(learner: LearnerInFile, decision: Decision, settled: bool = False) -> Learned:
    """A decision with the names of what it speaks of."""
    return Learned(
        decision.exposure,
        learner.name_of_exposure(decision.exposure),
        learner.size_of(decision.exposure),
        decision.kind,
        decision.class_id,
        None if decision.class_id is None else learner.name_of(decision.class_id),
        decision.error,
        decision.reason,
        len(decision.strangers),
        settled,
        decision.moved,
        decision.seconds,
        decision.place,
        None if decision.place is None else learner.name_of(decision.place),
    )
