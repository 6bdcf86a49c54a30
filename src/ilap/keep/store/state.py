"""What a learner knows, out of its file and into it.

Opening reads the sums and traits of every exposure, some of its pictures, and the exemplars of the classes. The
pooled scatter is a checkpoint, to which the exposures that came and went since are added in the same order as
then, so that the learner goes on to the bit as if it had never been closed.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.exemplars import Exemplars, Memory
from ilap.exact.metric import Metric
from ilap.exact.statistics import NO_CLASS, Statistics, Sums, Traits, evenly, residuals_of, sums_of
from ilap.keep.store import events, exposures, networks
from ilap.learner.log import NOWHERE, PERSON, UNSURE, Change
from ilap.learner.state import State
from ilap.learner.tentative import placements

CHECKPOINT_EVERY = 50  # events


def meta(connection: sqlite3.Connection, key: str) -> Any:
    """A value that is one for the whole file; None where there is none."""
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return json.loads(found[0]) if found else None


def set_meta(connection: sqlite3.Connection, key: str, value: Any) -> None:
    """Write one."""
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, json.dumps(value)))


def note_rule(connection: sqlite3.Connection, rule: str) -> None:
    """Note by which rule is decided from now on, where it is another than before: the file keeps all of them,
    with the event after which each held."""
    rules = meta(connection, "rules") or []
    if not rules or rules[-1][0] != rule:
        last = events.last(connection)
        set_meta(connection, "rules", [*rules, [rule, last]])


def load(connection: sqlite3.Connection, empty: State, dtype: str) -> State:
    """The state that the file holds, on top of one that knows nothing."""
    found = connection.execute(
        "SELECT number, size, place, decided_by, count, total, traits FROM exposures ORDER BY since, number"
    ).fetchall()
    learned = [row for row in found if row[2] >= 0]
    pools = connection.execute(
        "SELECT class_id, held_out, exposure, place FROM exemplars ORDER BY class_id, held_out, rank"
    ).fetchall()
    exact = empty.exact
    some = {
        number: [places[i] for i in evenly(len(places), exact.rule.naming.kept)]
        for number, places in exposures.included(connection).items()
    }
    wanted = [(row[0], place) for row in learned for place in some[row[0]]]
    seen = exposures.features(connection, [*wanted, *((e, p) for _, _, e, p in pools)], dtype)
    numbers = sorted(row[0] for row in found if row[2] == UNSURE)
    waiting = tuple(exposures.samples(connection, number, dtype) for number in numbers)
    told = {row[0]: exposures.traits_of(row[6]) if row[6] else Traits() for row in found}

    statistics, sums = {}, dict[int, Sums]()
    members: dict[int, tuple[int, ...]] = {}
    for number, _, place, _, count, total, _ in learned:
        own = Sums(count, np.frombuffer(total, np.float64))
        pictures = np.stack([seen[number, at] for at in some[number]])
        statistics[number] = Statistics(place, own, told[number], pictures)
        sums[place] = own + sums[place] if place in sums else own
        members[place] = (*members.get(place, ()), number)
    model = replace(
        exact.model.with_metric(scatter(connection, exact.model.metric, dtype)),
        exposures=statistics,
        unsure={own.number: Statistics(NO_CLASS, sums_of(own), told[own.number]) for own in waiting},
        by_class=sums,
        fixed=frozenset(row[0] for row in learned if row[3] == PERSON),
        told=events.answered(connection),
    )
    return replace(
        empty,
        classifier=replace(exact, model=model),
        memory=memory(empty.memory, pools, seen),
        sizes=tuple(size for _, size in sorted((row[0], row[1]) for row in found)),
        members={k: tuple(sorted(numbers)) for k, numbers in members.items()},
        founded=connection.execute("SELECT coalesce(max(id) + 1, 0) FROM classes").fetchone()[0],
        waiting=waiting,
        tentative=dict(
            connection.execute(
                "SELECT number, tentative FROM exposures WHERE tentative IS NOT NULL ORDER BY number"
            )
        ),
        adapted=networks.in_force(connection),
    )


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
    found = connection.execute("SELECT event, freedom, dim, scatter FROM checkpoint").fetchone()
    metric, after = empty, 0
    if found:
        after, freedom, dim, blob = found
        metric = replace(empty, scatter=np.frombuffer(blob, np.float64).reshape(dim, dim), freedom=freedom)
    tail = connection.execute(
        "SELECT exposure, before, after FROM changes WHERE event > ? ORDER BY rowid", (after,)
    )
    for change in tail.fetchall():
        metric = followed(metric, Change(*change), connection, dtype)
    return metric


def scatter_of_all(connection: sqlite3.Connection, empty: Metric, dtype: str) -> Metric:
    """The same from the features of all exposures that are learned or unsure."""
    metric = empty
    for (number,) in connection.execute(
        "SELECT number FROM exposures WHERE place >= 0 OR place = ? ORDER BY number", (UNSURE,)
    ).fetchall():
        metric = metric.add(residuals_of(exposures.samples(connection, number, dtype, whole=True)))
    return metric


def followed(metric: Metric, change: Change, connection: sqlite3.Connection, dtype: str) -> Metric:
    """The scatter after one change: an exposure is part of it whether it is learned or unsure."""
    was, now = (place >= 0 or place == UNSURE for place in (change.before, change.after))
    if was == now:
        return metric
    own = residuals_of(exposures.samples(connection, change.exposure, dtype, whole=True))
    return metric.add(own) if now else metric.remove(own)


def checkpoint(connection: sqlite3.Connection, metric: Metric, event: int) -> None:
    """Write the pooled scatter as it is after an event; without any residual there is none."""
    if not metric.freedom:
        connection.execute("DELETE FROM checkpoint")
        return
    blob = np.ascontiguousarray(metric.scatter).tobytes()
    connection.execute(
        "INSERT OR REPLACE INTO checkpoint (id, event, freedom, dim, scatter, checksum)"
        " VALUES (1, ?, ?, ?, ?, ?)",
        (event, metric.freedom, metric.dim, blob, hashlib.sha256(blob).hexdigest()),
    )


def checkpoint_if_due(connection: sqlite3.Connection, after: State, event: int) -> None:
    """The same, now and then: it is some megabytes."""
    last = connection.execute("SELECT event FROM checkpoint").fetchone()
    if event - (last[0] if last else 0) >= CHECKPOINT_EVERY:
        checkpoint(connection, after.exact.model.metric, event)


def save(
    connection: sqlite3.Connection, before: State, after: State, changes: Iterable[Change], event: int, by: str
) -> None:
    """What an event changed, beside the event itself."""
    learned, seen = after.exact.model.exposures, after.exact.model.seen
    connection.executemany(
        "INSERT OR IGNORE INTO classes (id) VALUES (?)",
        [(class_id,) for class_id in range(before.founded, after.founded)],
    )
    for change in changes:
        connection.execute(
            "UPDATE exposures SET place = ?, decided_by = ? WHERE number = ?",
            (change.after, by, change.exposure),
        )
        if change.before < 0 <= change.after:
            own = learned[change.exposure].sums
            connection.execute(
                "UPDATE exposures SET since = ?, count = ?, total = ? WHERE number = ?",
                (event, own.count, own.total.tobytes(), change.exposure),
            )
        if change.exposure in seen:
            connection.execute(
                "UPDATE exposures SET traits = ? WHERE number = ?",
                (exposures.traits_text(seen[change.exposure].traits), change.exposure),
            )
    save_exemplars(connection, before.memory, after.memory)
    connection.executemany(
        "UPDATE exposures SET tentative = ? WHERE number = ?",
        [(None if c.after == NOWHERE else c.after, c.exposure) for c in placements(before, after)],
    )


def save_exemplars(connection: sqlite3.Connection, before: Memory, after: Memory) -> None:
    """The pools that are others than before."""
    for held_out, old, new in ((0, before.train, after.train), (1, before.val, after.val)):
        if old is new:
            continue
        for class_id in {**old, **new}:
            if old.get(class_id) is new.get(class_id):
                continue
            connection.execute(
                "DELETE FROM exemplars WHERE class_id = ? AND held_out = ?", (class_id, held_out)
            )
            origins = new[class_id].origins.tolist() if class_id in new else []
            connection.executemany(
                "INSERT INTO exemplars (class_id, held_out, rank, exposure, place) VALUES (?, ?, ?, ?, ?)",
                [(class_id, held_out, rank, exposure, place) for rank, (exposure, place) in enumerate(origins)],
            )


def names(connection: sqlite3.Connection) -> dict[int, str]:
    """The names that classes were given."""
    return dict(connection.execute("SELECT id, name FROM classes WHERE name IS NOT NULL"))


def set_name(connection: sqlite3.Connection, class_id: int, name: str | None) -> None:
    """Give a class a name, or remove it."""
    connection.execute("UPDATE classes SET name = ? WHERE id = ?", (name, class_id))


def decision_of(connection: sqlite3.Connection, number: int) -> dict[str, Any]:
    """What was told of an exposure when it was last asked about."""
    asked = "SELECT decision FROM exposures WHERE number = ?"
    told: dict[str, Any] = json.loads(connection.execute(asked, (number,)).fetchone()[0])
    return told


def set_decisions(connection: sqlite3.Connection, told: Mapping[int, Mapping[str, Any]]) -> None:
    """Write what is told of exposures."""
    connection.executemany(
        "UPDATE exposures SET decision = ? WHERE number = ?",
        [(json.dumps(decision), number) for number, decision in told.items()],
    )


def set_decider(connection: sqlite3.Connection, number: int, by: str) -> None:
    """Whose word holds for an exposure."""
    connection.execute("UPDATE exposures SET decided_by = ? WHERE number = ?", (by, number))
