"""``ilap check``: is the file whole, and does all that is derived follow from the log and the features? And
``ilap compact``, which rebuilds it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np

from ilap.core.errors import BadOutput
from ilap.core.plural import counted
from ilap.core.rule import MetricRule
from ilap.exact.metric import empty_metric
from ilap.keep.store import events, exposures, state
from ilap.keep.store.file import LearnerFile, named_errors
from ilap.learner.log import ILAP, NOWHERE, PLACES, UNSURE, Event, deciders

TOLERANCE = 1e-9


def problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Everything that is wrong, a sentence each."""
    damage = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
    yield from damage
    if damage:
        return
    for table, *_ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to one that is not there"
    backbone = state.meta(connection, "backbone")
    if backbone is None:
        yield "it does not say what made its features"
        return
    log = events.read(connection)
    yield from log_problems(connection, log)
    yield from feature_problems(connection, backbone)
    yield from scatter_problems(connection, backbone)
    yield from class_problems(connection)


def log_problems(connection: sqlite3.Connection, log: list[Event]) -> Iterator[str]:
    """Every change starts where the one before it ended, and exposures are where the log says."""
    now: dict[int, int] = {}
    for event in log:
        for change in event.changes:
            if now.get(change.exposure, NOWHERE) != change.before:
                yield f"event {event.id} moves exposure {change.exposure} from where it was not"
            now[change.exposure] = change.after
    yield from tentative_problems(connection, log, now)
    by = deciders(log)
    for number, place, decided_by in connection.execute("SELECT number, place, decided_by FROM exposures"):
        if place != now.get(number, NOWHERE):
            yield f"exposure {number} is not where the log says"
        if decided_by != by.get(number, ILAP):
            yield f"exposure {number} is said to be decided by {decided_by}, but the log says otherwise"
    numbers = [number for (number,) in connection.execute("SELECT number FROM exposures ORDER BY number")]
    if numbers != list(range(len(numbers))):
        yield "the exposures' numbers have gaps"


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


def feature_problems(connection: sqlite3.Connection, backbone: dict[str, Any]) -> Iterator[str]:
    """Features are those that were written, and the sums are theirs."""
    dtype, dim = backbone["dtype"], backbone["dim"]
    asked = "SELECT number, size, checksum, place, count, total FROM exposures ORDER BY number"
    for number, size, checksum, place, count, total in connection.execute(asked).fetchall():
        found = connection.execute(
            "SELECT included, row FROM pictures LEFT JOIN features ON picture = id WHERE exposure = ?"
            " ORDER BY place",
            (number,),
        ).fetchall()
        if len(found) != size or any(row is None for _, row in found):
            yield f"exposure {number} has not all of its {counted(size, 'picture')}"
            continue
        if hashlib.sha256(b"".join(row for _, row in found)).hexdigest() != checksum:
            yield f"the features of exposure {number} are not those that were written"
            continue
        if place >= 0:
            included = np.stack([exposures.array(row, dtype) for kept, row in found if kept]).astype(np.float64)
            sums = np.frombuffer(total, np.float64)
            if len(included) != count or len(sums) != dim or not close(included.sum(0), sums):
                yield f"the sums of exposure {number} are not those of its features"


def scatter_problems(connection: sqlite3.Connection, backbone: dict[str, Any]) -> Iterator[str]:
    """The pooled scatter is that of the exposures that are learned or unsure."""
    dtype = backbone["dtype"]
    empty = empty_metric(backbone["dim"], True, MetricRule())
    rebuilt = state.scatter_of_all(connection, empty, dtype)
    kept = state.scatter(connection, empty, dtype)
    if kept.freedom != rebuilt.freedom or not close(kept.scatter, rebuilt.scatter):
        yield "the pooled scatter is not that of the exposures: ilap compact rebuilds it"


def class_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Classes have been founded, their exemplars are theirs, and what waits is unsure."""
    known = {class_id for (class_id,) in connection.execute("SELECT id FROM classes")}
    places = dict(connection.execute("SELECT number, place FROM exposures"))
    if odd := {place for place in places.values() if place not in known and place not in PLACES}:
        yield f"there are exposures of classes that were never founded: {sorted(odd)}"
    included = set(connection.execute("SELECT exposure, place FROM pictures WHERE included"))
    for class_id, exposure, place in connection.execute("SELECT class_id, exposure, place FROM exemplars"):
        if places.get(exposure) != class_id or (exposure, place) not in included:
            yield f"picture {place} of exposure {exposure} is no exemplar of class {class_id}"
    waiting = state.meta(connection, "waiting") or []
    for number in waiting:
        if places.get(number) != UNSURE:
            yield f"exposure {number} waits and is not unsure"
    forgotten = [n for n, place in places.items() if place == UNSURE and n not in waiting]
    if forgotten:
        yield f"exposure {forgotten[0]} is unsure and does not wait to be asked about again"
    for (text,) in connection.execute("SELECT decision FROM exposures"):
        json.loads(text)


def close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Equal but for rounding."""
    scale = max(float(np.abs(b).max()) if b.size else 0.0, 1.0)
    return bool(np.abs(a - b).max() <= TOLERANCE * scale) if b.size else True


def compact(file: LearnerFile) -> tuple[int, int]:
    """Make the file's scatter again from its features and give unused space back; gives its size before and
    after. Killed half-way, the file is as it was, or compact. Of a short log no scatter is kept: it takes
    megabytes, and is made at once when the file is opened."""
    before = os.path.getsize(file.path)
    with file.transaction() as connection:
        backbone = state.meta(connection, "backbone")
        if backbone is None:
            raise BadOutput(f"{file.path} holds nothing yet: let it learn first.")
        empty = empty_metric(backbone["dim"], True, MetricRule())
        last = events.last(connection)
        if last < state.CHECKPOINT_EVERY:
            state.checkpoint(connection, empty, last)
        else:
            state.checkpoint(connection, state.scatter_of_all(connection, empty, backbone["dtype"]), last)
    with named_errors(file.path):
        file.connection.execute("VACUUM")
        file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, os.path.getsize(file.path)
