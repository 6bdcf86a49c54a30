"""The log in words: who decided what, and when."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ilap.core.plural import counted
from ilap.keep import answers
from ilap.keep.answers import share_in_words
from ilap.keep.listing import in_words
from ilap.keep.store import events, exposures
from ilap.learner.answers import question_of
from ilap.learner.log import Change, Event, place_in_words, to_undo, undone

MOVES = 4  # of an event that are listed


@dataclass(frozen=True)
class EventView:
    """An event. ``said`` is what it did, in words, and ``why`` the reason that was noted; ``exposures`` are
    those that it moved; ``undone`` says that it was taken back."""

    event: int
    time: str
    by: str
    kind: str
    said: str
    exposures: tuple[int, ...]
    error: float | None
    undone: bool
    why: str = ""


def history(connection: sqlite3.Connection, after: int = 0) -> list[EventView]:
    """All events after one, in order."""
    return views(connection, events.read(connection, after))


def some_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[EventView]:
    """Some events, in order."""
    return views(connection, events.some_of(connection, numbers))


def views(connection: sqlite3.Connection, log: Sequence[Event]) -> list[EventView]:
    """Events in words."""
    first = min((event.id for event in log), default=0)
    gone = undone(events.of_kinds(connection, ("undo",), first))
    told = {change.exposure for event in log for change in moved(event)[:MOVES]}
    names = {number: exposures.name_of(connection, number) for number in told}
    return [
        EventView(
            event.id,
            event.time,
            event.by,
            event.kind,
            what(event, names),
            tuple(sorted({change.exposure for change in moved(event)})),
            event.about.get("error"),
            event.id in gone,
            why(event),
        )
        for event in log
    ]


def why(event: Event) -> str:
    """Why somebody did it, as far as the log tells."""
    if cause := event.about.get("after"):
        return f"followed from event {cause}"
    if reason := event.about.get("reason"):
        return str(reason)
    error = event.about.get("error")
    return "" if error is None else f"wrong with a probability of {share_in_words(float(error))}"


def to_be_undone(connection: sqlite3.Connection, event: int) -> list[EventView]:
    """What is taken back if an event is undone with all that depends on it, the latest first."""
    return views(connection, to_undo(events.read(connection), event, with_later=True))


def moved(event: Event) -> list[Change]:
    """The changes that put an exposure elsewhere."""
    return [change for change in event.changes if change.before != change.after]


def what(event: Event, names_of: Mapping[int, str]) -> str:
    """What an event did; ``names_of`` are the names of the exposures that are listed."""
    changes = moved(event)
    moves = [f"{in_words([c.exposure], names_of)} to {place_in_words(c.after)}" for c in changes[:MOVES]]
    more = [f"and {len(changes) - MOVES} more"] if len(changes) > MOVES else []
    names = [
        f"class {k} has no name again" if new is None else f"class {k} is called {new}"
        for k, _, new in event.about.get("names", ())
    ]
    if event.kind == "anew":
        moves, more = [counted(len({c.exposure for c in event.changes}), "exposure")], []
    taken_back = [f"event {event.about['event']}"] if event.kind == "undo" else []
    if not moves and event.tentative:
        taken_back.append(f"tentative places of {counted(len(event.tentative), 'exposure')}")
    did = ", ".join([*taken_back, *moves, *more, *names])
    if event.kind == "answer":
        said = answers.in_words(question_of(event.about["question"]), event.about["key"])
        return f"{said}: {did}" if did else said
    if event.kind == "adapt":
        about = event.about
        return (
            f"a network adapted to {counted(about['classes'], 'class')} names {about['adapted_right']} of "
            f"{counted(about['held_out'], 'held-out picture')} right, {about['frozen_right']} before"
        )
    if event.kind == "audit":
        drawn, verdict = event.about.get("drawn", ()), event.about.get("verdict")
        said = f"{event.about['exposure']} is {verdict}" if verdict else f"{len(drawn)} decisions drawn"
        return f"{said.replace('is cannot', 'cannot be told')}{f': {did}' if did else ''}"
    return did
