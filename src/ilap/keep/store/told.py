"""What people answered, out of the log: events of kind *answer* hold it as JSON takes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ilap.exact.told import Told
from ilap.keep.store import events
from ilap.keep.store.events import Event

ANSWER = "answer"


def answered(connection: sqlite3.Connection) -> tuple[Told, ...]:
    """All answers that are in force, in order."""
    asked = connection.execute("SELECT 1 FROM events WHERE kind = ? LIMIT 1", (ANSWER,)).fetchone()
    return of_log(events.read(connection)) if asked else ()


def of_log(log: Sequence[Event]) -> tuple[Told, ...]:
    """The same of a log that was read."""
    return tuple(restored(event.about["told"]) for event in events.in_force(log) if event.kind == ANSWER)


def plain(one: Told) -> dict[str, Any]:
    """An answer as JSON takes it."""
    return {
        "together": [list(pair) for pair in one.together],
        "apart": [list(pair) for pair in one.apart],
        "untold": [list(pair) for pair in one.untold],
        "lessons": [list(lesson) for lesson in one.lessons],
    }


def restored(fields: dict[str, Any]) -> Told:
    """The same, read.

    >>> restored(plain(Told(apart=((0, 2),), lessons=((1.5, False),))))
    Told(together=(), apart=((0, 2),), untold=(), lessons=((1.5, False),))
    """
    return Told(**{name: tuple((first, second) for first, second in own) for name, own in fields.items()})
