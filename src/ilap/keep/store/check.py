"""``ilap check``: is the file whole, and does all that is derived follow from the log and the features? And
``ilap compact``, which rebuilds it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ilap.core.errors import BadOutput
from ilap.core.plural import counted
from ilap.core.rule import MetricRule
from ilap.exact.metric import empty_metric
from ilap.keep.store import checksums, events, exposures, state
from ilap.keep.store.checksums import CHECKPOINT, in_shell, is_damaged
from ilap.keep.store.derived import DERIVED, derive
from ilap.keep.store.file import UNFINISHED, LearnerFile, lost_commits, named_errors
from ilap.learner.log import ILAP, NOWHERE, PLACES, UNSURE, Event, deciders

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Problem:
    """What is wrong, as a sentence. What is ``derived`` is rebuilt by compact; for the rest there is repair."""

    said: str
    derived: bool = False


@dataclass(frozen=True)
class Checked:
    """A file and all that is wrong with it. ``mend`` says by which command it is mended; None where it is
    whole."""

    learner: str
    problems: tuple[Problem, ...]

    @property
    def mend(self) -> str | None:
        """What to do."""
        if not self.problems:
            return None
        if all(problem.derived for problem in self.problems):
            return f"ilap compact {in_shell(self.learner)} derives it again; nothing is lost."
        return (
            f"put back a copy of the file, or ilap repair {in_shell(self.learner)} --out FIXED.ilap saves what "
            f"can be saved and names what is lost."
        )


def checked(path: str | Path) -> Checked:
    """Check a file, which is left as it is."""
    lost = lost_commits(str(path))
    log = [Problem("the write-ahead log beside it cannot be read to the end")] if lost > 1 else []
    if lost == 1:
        warnings.warn(UNFINISHED.format(path), stacklevel=2)
    with (
        LearnerFile(path, writable=False, verify=False) as file,
        file.snapshot(opening=True) as connection,
    ):
        return Checked(file.path, (*log, *all_problems(connection)))


def problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Everything that is wrong, a sentence each."""
    return (problem.said for problem in all_problems(connection))


def all_problems(connection: sqlite3.Connection) -> Iterator[Problem]:
    """Everything that is wrong. Whether things fit together is looked at where all are as they were written."""
    damage = checksums.damaged(connection)
    yield from (Problem(found.said, found.derived) for found in damage)
    if damage:
        return
    for table, *_ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem(f"a row of {table} refers to one that is not there")
    backbone = state.meta(connection, "backbone")
    if backbone is None:
        yield Problem("it does not say what made its features")
        return
    log = events.read(connection)
    yield from map(Problem, log_problems(connection, log))
    broken = [*feature_problems(connection)]
    yield from map(Problem, broken)
    derived = [place_problems(connection, log), class_problems(connection)]
    if not broken:
        derived += [sum_problems(connection, backbone), scatter_problems(connection, backbone)]
    yield from (Problem(said, True) for part in derived for said in part)


def log_problems(connection: sqlite3.Connection, log: list[Event]) -> Iterator[str]:
    """Every change starts where the one before it ended, and is of an exposure that is there."""
    now: dict[int, int] = {}
    for event in log:
        for change in event.changes:
            if now.get(change.exposure, NOWHERE) != change.before:
                yield f"event {event.id} moves exposure {change.exposure} from where it was not"
            now[change.exposure] = change.after
    adapted = {event.id for event in log if event.kind == "adapt"}
    for (event,) in connection.execute("SELECT event FROM networks"):
        if event not in adapted:
            yield f"there is an adapted network of event {event}, which made none"
    numbers = [number for (number,) in connection.execute("SELECT number FROM exposures ORDER BY number")]
    if numbers != list(range(len(numbers))):
        yield "the exposures' numbers have gaps"


def place_problems(connection: sqlite3.Connection, log: list[Event]) -> Iterator[str]:
    """Exposures are where the log says, by whose word it says."""
    now = {change.exposure: change.after for event in log for change in event.changes}
    yield from tentative_problems(connection, log, now)
    by = deciders(log)
    for number, place, decided_by in connection.execute("SELECT number, place, decided_by FROM exposures"):
        if place != now.get(number, NOWHERE):
            yield f"exposure {number} is not where the log says"
        if decided_by != by.get(number, ILAP):
            yield f"exposure {number} is said to be decided by {decided_by}, but the log says otherwise"


def tentative_problems(connection: sqlite3.Connection, log: list[Event], now: dict[int, int]) -> Iterator[str]:
    """What is unsure has the tentative place that the log says, and nothing else has one. ``now`` is where each
    exposure is."""
    placed = {change.exposure: change.after for event in log for change in event.tentative}
    given = {class_id for (class_id,) in connection.execute("SELECT id FROM classes")}
    for number, place in connection.execute("SELECT number, tentative FROM exposures"):
        if (NOWHERE if place is None else place) != placed.get(number, NOWHERE):
            yield f"the tentative place of exposure {number} is not the one that the log says"
        if (place is not None) != (now.get(number) == UNSURE):
            yield f"exposure {number} has {'a' if place is not None else 'no'} tentative place"
        if place is not None and place not in given:
            yield f"the tentative place of exposure {number} has an id that was never given"


def feature_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Features are those that were written."""
    for number, size, checksum in connection.execute("SELECT number, size, checksum FROM exposures").fetchall():
        found = features_of(connection, number)
        if len(found) != size or any(row is None for _, row in found):
            yield f"exposure {number} has not all of its {counted(size, 'picture')}"
        elif hashlib.sha256(b"".join(row for _, row in found)).hexdigest() != checksum:
            yield f"the features of exposure {number} are not those that were written"


def features_of(connection: sqlite3.Connection, number: int) -> list[tuple[int, bytes]]:
    """Of each picture of an exposure whether it is learned from, and its features."""
    asked = (
        "SELECT included, row FROM pictures LEFT JOIN features ON picture = id WHERE exposure = ?"
        " ORDER BY place"
    )
    return connection.execute(asked, (number,)).fetchall()


def sum_problems(connection: sqlite3.Connection, backbone: dict[str, Any]) -> Iterator[str]:
    """Sums are those of the features."""
    asked = "SELECT number, count, total FROM exposures WHERE place >= 0 ORDER BY number"
    for number, count, total in connection.execute(asked).fetchall():
        rows = [
            exposures.array(row, backbone["dtype"]) for kept, row in features_of(connection, number) if kept
        ]
        sums = np.frombuffer(total or b"", np.float64)
        if (
            len(rows) != count
            or len(sums) != backbone["dim"]
            or not close(np.stack(rows).astype(float).sum(0), sums)
        ):
            yield f"the sums of exposure {number} are not those of its features"


def scatter_problems(connection: sqlite3.Connection, backbone: dict[str, Any]) -> Iterator[str]:
    """The pooled scatter is that of the exposures that are learned or unsure."""
    dtype = backbone["dtype"]
    empty = empty_metric(backbone["dim"], True, MetricRule())
    rebuilt = state.scatter_of_all(connection, empty, dtype)
    kept = state.scatter(connection, empty, dtype)
    if kept.freedom != rebuilt.freedom or not close(kept.scatter, rebuilt.scatter):
        yield "the pooled scatter is not that of the exposures"


def class_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Classes have been founded, and their exemplars are theirs."""
    known = {class_id for (class_id,) in connection.execute("SELECT id FROM classes")}
    places = dict(connection.execute("SELECT number, place FROM exposures"))
    if odd := {place for place in places.values() if place not in known and place not in PLACES}:
        yield f"there are exposures of classes that were never founded: {sorted(odd)}"
    included = set(connection.execute("SELECT exposure, place FROM pictures WHERE included"))
    for class_id, exposure, place in connection.execute("SELECT class_id, exposure, place FROM exemplars"):
        if places.get(exposure) != class_id or (exposure, place) not in included:
            yield f"picture {place} of exposure {exposure} is no exemplar of class {class_id}"
    for (text,) in connection.execute("SELECT decision FROM exposures"):
        json.loads(text)


def close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Equal but for rounding."""
    scale = max(float(np.abs(b).max()) if b.size else 0.0, 1.0)
    return bool(np.abs(a - b).max() <= TOLERANCE * scale) if b.size else True


def compact(file: LearnerFile) -> tuple[int, int]:
    """Make the file's scatter again from its features, and where something does not fit all that is derived;
    give unused space back; gives its size before and after. Killed half-way, the file is as it was, or
    compact. Of a short log no scatter is kept: it takes megabytes, and is made at once when the file is
    opened."""
    before = os.path.getsize(file.path)
    with file.transaction() as connection:
        if state.meta(connection, "backbone") is None:
            raise BadOutput(f"{file.path} holds nothing yet: let it learn first.")
        found = list(all_problems(connection))
        if lost := [problem.said for problem in found if not problem.derived]:
            raise is_damaged(file.path, lost[0])
        derive(connection, DERIVED if found else (CHECKPOINT,))
    with named_errors(file.path):
        file.connection.execute("VACUUM")
        file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, os.path.getsize(file.path)
