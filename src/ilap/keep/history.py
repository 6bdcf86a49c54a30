"""The log in words: who decided what, and when."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ilap.core.plural import counted
from ilap.keep import answers
from ilap.keep.answers import share_in_words
from ilap.keep.listing import in_words
from ilap.keep.store import events, view
from ilap.learner.answers import question_of
from ilap.learner.log import Event, place_in_words, to_undo, undone

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
    log, names = events.read(connection), view.names(connection)
    return views([event for event in log if event.id > after], undone(log), names)


def views(log: Sequence[Event], gone: set[int], names: Mapping[int, str]) -> list[EventView]:
    """Events in words; ``gone`` are those that were undone."""
    return [
        EventView(
            event.id,
            event.time,
            event.by,
            event.kind,
            what(event, names),
            tuple(sorted({c.exposure for c in event.changes if c.before != c.after})),
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
    log, names = events.read(connection), view.names(connection)
    return views(to_undo(log, event, with_later=True), undone(log), names)


def what(event: Event, names_of: Mapping[int, str]) -> str:
    """What an event did; ``names_of`` are the exposures' names."""
    moves = [
        f"{in_words([c.exposure], dict(names_of))} to {place_in_words(c.after)}"
        for c in event.changes
        if c.before != c.after
    ]
    names = [
        f"class {k} has no name again" if new is None else f"class {k} is called {new}"
        for k, _, new in event.about.get("names", ())
    ]
    if event.kind == "anew":
        moves = [counted(len({c.exposure for c in event.changes}), "exposure")]
    more = [f"and {len(moves) - MOVES} more"] if len(moves) > MOVES else []
    taken_back = [f"event {event.about['event']}"] if event.kind == "undo" else []
    if not moves and event.tentative:
        taken_back.append(f"tentative places of {counted(len(event.tentative), 'exposure')}")
    did = ", ".join([*taken_back, *moves[:MOVES], *more, *names])
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
