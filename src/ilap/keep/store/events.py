"""The log (learner/log.py) as rows of the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
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
    changes, tentative = (moves(connection, table, after) for table in ("changes", "placements"))
    rows = connection.execute("SELECT id, time, by, kind, about FROM events WHERE id > ? ORDER BY id", (after,))
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


def moves(connection: sqlite3.Connection, table: str, after: int) -> dict[int, list[Change]]:
    """The moves of all events after one, of what is sure or of what is tentative."""
    found: dict[int, list[Change]] = {}
    asked = f"SELECT event, exposure, before, after FROM {table} WHERE event > ? ORDER BY rowid"
    for event, *change in connection.execute(asked, (after,)):
        found.setdefault(event, []).append(Change(*change))
    return found


def changed_after(connection: sqlite3.Connection, event: int) -> set[int]:
    """The exposures that came or moved after an event."""
    return {
        number for (number,) in connection.execute("SELECT exposure FROM changes WHERE event > ?", (event,))
    }


def last(connection: sqlite3.Connection) -> int:
    """The number of the last event, 0 where there is none."""
    number: int = connection.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]
    return number


def answered(connection: sqlite3.Connection) -> tuple[Told, ...]:
    """All answers of people that are in force, in order."""
    asked = connection.execute("SELECT 1 FROM events WHERE kind IN ('answer', 'audit') LIMIT 1").fetchone()
    return answers_of(read(connection)) if asked else ()
