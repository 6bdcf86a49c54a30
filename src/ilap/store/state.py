"""What a learner knows, out of its file and into it.

Opening reads the sums of every exposure, the pictures that are kept of it and the exemplars of the classes. The
pooled scatter is a checkpoint, to which the exposures that came and went since are added in the same order as
then, so that the learner goes on to the bit as if it had never been closed.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ilap.classify.exact import Exact
from ilap.classify.member import KEPT, Learned, Member, residuals
from ilap.classify.metric import Metric
from ilap.errors import DamagedLearner
from ilap.memory import Exemplars, Memory
from ilap.risk import RECENT
from ilap.state import State
from ilap.store import rows
from ilap.store.events import PERSON, Change

CHECKPOINT_EVERY = 50  # events


def meta(connection: sqlite3.Connection, key: str) -> Any:
    """A value that is one for the whole file; None where there is none."""
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return json.loads(found[0]) if found else None


def set_meta(connection: sqlite3.Connection, key: str, value: Any) -> None:
    """Write one."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))


def load(connection: sqlite3.Connection, empty: State, dtype: str) -> State:
    """The state that the file holds, on top of one that knows nothing."""
    found = connection.execute(
        "SELECT number, size, place, decided_by, count, total, traits FROM exposures ORDER BY since, number"
    ).fetchall()
    learned = [row for row in found if row[2] >= 0]
    pools = connection.execute(
        "SELECT class_id, held_out, exposure, place FROM exemplars ORDER BY class_id, held_out, rank"
    ).fetchall()
    kept = kept_places(connection, [row[0] for row in learned])
    wanted = [(number, place) for number, places in kept.items() for place in places]
    seen = rows.features(connection, [*wanted, *((e, p) for _, _, e, p in pools)], dtype)

    members, sums = {}, dict[int, Learned]()
    of_class: dict[int, tuple[int, ...]] = {}
    for number, _, place, _, count, total, traits in learned:
        own = Learned(count, np.frombuffer(total, np.float64))
        shown = np.stack([seen[number, at] for at in kept[number]])
        members[number] = Member(place, own, shown, rows.traits_of(traits))
        sums[place] = own + sums[place] if place in sums else own
        of_class[place] = (*of_class.get(place, ()), number)
    exact = cast(Exact, empty.classifier)
    fixed = frozenset(row[0] for row in learned if row[3] == PERSON)
    errors = connection.execute(
        "SELECT json_extract(about, '$.error') FROM events WHERE kind = 'learn'"
        " AND json_extract(about, '$.error') IS NOT NULL ORDER BY id DESC LIMIT ?",
        (RECENT,),
    )
    return replace(
        empty,
        classifier=replace(
            exact,
            metric=scatter(connection, exact.metric, dtype),
            exposures=members,
            by_class=sums,
            fixed=fixed,
        ),
        memory=memory(empty.memory, pools, seen),
        sizes=tuple(size for _, size in sorted((row[0], row[1]) for row in found)),
        members={k: tuple(sorted(numbers)) for k, numbers in of_class.items()},
        founded=connection.execute("SELECT coalesce(max(id) + 1, 0) FROM classes").fetchone()[0],
        waiting=tuple(
            rows.samples(connection, number, dtype, everything=True)
            for number in meta(connection, "waiting") or ()
        ),
        errors=tuple(error for (error,) in errors)[::-1],
    )


def kept_places(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, list[int]]:
    """Of each exposure the pictures that are kept to be compared with others, as member.kept chooses them."""
    wanted = set(numbers)
    included: dict[int, list[int]] = {number: [] for number in numbers}
    for number, place in connection.execute(
        "SELECT exposure, place FROM pictures WHERE included ORDER BY exposure, place"
    ):
        if number in wanted:
            included[number].append(place)
    chosen = {}
    for number, places in included.items():
        count = len(places)
        at = np.unique(np.linspace(0, count - 1, min(count, KEPT)).astype(int))
        chosen[number] = [places[i] for i in at]
    return chosen


def memory(
    empty: Memory, pools: Iterable[tuple[int, int, int, int]], seen: dict[tuple[int, int], NDArray[Any]]
) -> Memory:
    """The exemplars of every class."""
    origins: tuple[dict[int, list[tuple[int, int]]], ...] = ({}, {})
    for class_id, held_out, exposure, place in pools:
        for part in (0, 1):
            origins[part].setdefault(class_id, [])
        origins[held_out][class_id].append((exposure, place))
    dim = next((len(row) for row in seen.values()), 0)
    dtype = next((row.dtype for row in seen.values()), np.dtype(np.float16))
    made: list[dict[int, Exemplars]] = [
        {
            class_id: Exemplars(
                np.stack([seen[at] for at in own]) if own else np.empty((0, dim), dtype),
                np.array(own, np.int64).reshape(-1, 2),
            )
            for class_id, own in part.items()
        }
        for part in origins
    ]
    return replace(empty, train=made[0], val=made[1])


def scatter(connection: sqlite3.Connection, empty: Metric, dtype: str) -> Metric:
    """The pooled scatter: the checkpoint, and what came and went since."""
    found = connection.execute("SELECT event, freedom, dim, scatter, checksum FROM checkpoint").fetchone()
    metric, after = empty, 0
    if found:
        after, freedom, dim, blob, checksum = found
        if hashlib.sha256(blob).hexdigest() != checksum:
            raise DamagedLearner(
                "The checkpoint of the learner is damaged: run ilap compact, which makes it anew."
            )
        metric = replace(empty, scatter=np.frombuffer(blob, np.float64).reshape(dim, dim), freedom=freedom)
    tail = connection.execute(
        "SELECT exposure, before, after FROM changes WHERE event > ? ORDER BY rowid", (after,)
    )
    for change in tail.fetchall():
        metric = followed(metric, Change(*change), connection, dtype)
    return metric


def followed(metric: Metric, change: Change, connection: sqlite3.Connection, dtype: str) -> Metric:
    """The scatter after one change."""
    if (change.before >= 0) == (change.after >= 0):
        return metric
    own = residuals(rows.samples(connection, change.exposure, dtype))
    return metric.add(own) if change.after >= 0 else metric.remove(own)


def checkpoint(connection: sqlite3.Connection, metric: Metric, event: int) -> None:
    """Write the pooled scatter as it is after an event."""
    blob = np.ascontiguousarray(metric.scatter).tobytes()
    connection.execute(
        "INSERT OR REPLACE INTO checkpoint VALUES (1, ?, ?, ?, ?, ?)",
        (event, metric.freedom, metric.dim, blob, hashlib.sha256(blob).hexdigest()),
    )


def checkpoint_if_due(connection: sqlite3.Connection, metric: Metric, event: int) -> None:
    """The same, now and then: it is some megabytes."""
    last = connection.execute("SELECT event FROM checkpoint").fetchone()
    if event - (last[0] if last else 0) >= CHECKPOINT_EVERY:
        checkpoint(connection, metric, event)


def save(
    connection: sqlite3.Connection, before: State, after: State, changes: Iterable[Change], event: int, by: str
) -> None:
    """What an event changed, beside the event itself."""
    exact = cast(Exact, after.classifier)
    connection.executemany(
        "INSERT OR IGNORE INTO classes VALUES (?, NULL)",
        [(class_id,) for class_id in range(before.founded, after.founded)],
    )
    for change in changes:
        connection.execute(
            "UPDATE exposures SET place = ?, decided_by = ? WHERE number = ?",
            (change.after, by, change.exposure),
        )
        if change.before < 0 <= change.after:
            member = exact.exposures[change.exposure]
            connection.execute(
                "UPDATE exposures SET since = ?, count = ?, total = ?, traits = ? WHERE number = ?",
                (
                    event,
                    member.learned.count,
                    member.learned.total.tobytes(),
                    rows.traits_text(member.traits),
                    change.exposure,
                ),
            )
    save_exemplars(connection, before.memory, after.memory)
    numbers = [[samples.number for samples in state.waiting] for state in (before, after)]
    if numbers[0] != numbers[1]:
        set_meta(connection, "waiting", numbers[1])


def save_exemplars(connection: sqlite3.Connection, before: Memory, after: Memory) -> None:
    """The pools that are others than before."""
    for held_out, old, new in ((0, before.train, after.train), (1, before.val, after.val)):
        for class_id in {**old, **new}:
            if old.get(class_id) is new.get(class_id):
                continue
            connection.execute(
                "DELETE FROM exemplars WHERE class_id = ? AND held_out = ?", (class_id, held_out)
            )
            origins = new[class_id].origins.tolist() if class_id in new else []
            connection.executemany(
                "INSERT INTO exemplars VALUES (?, ?, ?, ?, ?)",
                [(class_id, held_out, rank, exposure, place) for rank, (exposure, place) in enumerate(origins)],
            )
