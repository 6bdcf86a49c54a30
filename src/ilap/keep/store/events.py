"""The log (learner/log.py) as rows of the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ilap.exact.told import Told
from ilap.learner.log import Change, Event, answers_of


def append(
    connection: sqlite3.Connection,
    by: str,
    kind: str,
    about: Mapping[str, Any],
    changes: Iterable[Change],
    tentative: Iterable[Change] = (),
) -> int:
    """Write an event; gives its number."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    cursor = connection.execute(
        "INSERT INTO events (time, by, kind, about) VALUES (?, ?, ?, ?)", (now, by, kind, json.dumps(about))
    )
    number = cursor.lastrowid or 0
    for table, moves in (("changes", changes), ("placements", tentative)):
        connection.executemany(
            f"INSERT INTO {table} (event, exposure, before, after) VALUES (?, ?, ?, ?)",
            [(number, c.exposure, c.before, c.after) for c in moves],
        )
    return number


def read(connection: sqlite3.Connection, after: int = 0) -> list[Event]:
    """All events after one, in order."""
    return read_where(connection, "id > ?", after)


def of_kinds(connection: sqlite3.Connection, kinds: Iterable[str], after: int = 0) -> list[Event]:
    """Events of some kinds after one."""
    some = "id > ? AND kind IN (SELECT value FROM json_each(?))"
    return read_where(connection, some, after, json.dumps(list(kinds)))


def some_of(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[Event]:
    """The events of these numbers."""
    return read_where(connection, "id IN (SELECT value FROM json_each(?))", json.dumps(list(numbers)))


def said_of(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[Event]:
    """What moved or confirmed some exposures, and all undos and answers: from these follows whose word holds
    for the exposures, and what people answered."""
    moved = "SELECT event FROM changes WHERE exposure IN (SELECT value FROM json_each(?))"
    some = f"id IN ({moved}) OR kind IN ('undo', 'answer', 'audit')"
    return read_where(connection, some, json.dumps(list(numbers)))


def read_where(connection: sqlite3.Connection, some: str, *given: int | str) -> list[Event]:
    """The events for which a condition holds, in order."""
    changes, tentative = (moves(connection, table, some, given) for table in ("changes", "placements"))
    rows = connection.execute(f"SELECT id, time, by, kind, about FROM events WHERE {some} ORDER BY id", given)
    return [
        Event(
            number,
            time,
            by,
            kind,
            json.loads(about),
            tuple(changes.get(number, ())),
            tuple(tentative.get(number, ())),
        )
        for number, time, by, kind, about in rows
    ]


def moves(
    connection: sqlite3.Connection, table: str, some: str, given: Sequence[int | str]
) -> dict[int, list[Change]]:
    """The moves of these events, of what is sure or of what is tentative."""
    found: dict[int, list[Change]] = {}
    events = f"SELECT id FROM events WHERE {some}"
    asked = f"SELECT event, exposure, before, after FROM {table} WHERE event IN ({events}) ORDER BY rowid"
    for event, *change in connection.execute(asked, given):
        found.setdefault(event, []).append(Change(*change))
    return found


def changed_after(connection: sqlite3.Connection, event: int) -> set[int]:
    """The exposures that came or moved after an event."""
    return {
        number for (number,) in connection.execute("SELECT exposure FROM changes WHERE event > ?", (event,))
    }


def numbers(connection: sqlite3.Connection, after: int = 0) -> list[int]:
    """The numbers of all events after one."""
    return [
        number for (number,) in connection.execute("SELECT id FROM events WHERE id > ? ORDER BY id", (after,))
    ]


def last(connection: sqlite3.Connection) -> int:
    """The number of the last event, 0 where there is none."""
    number: int = connection.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]
    return number


def answered(connection: sqlite3.Connection) -> tuple[Told, ...]:
    """All answers of people that are in force, in order."""
    return answers_of(said_of(connection, ()))
