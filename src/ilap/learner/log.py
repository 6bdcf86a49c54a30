"""The log: what was decided, by whom, when, with which scores. Nothing in it is ever changed.

An event moves exposures from one place to another. A place is a class (its id), or one of three that are none:
``UNSURE``, where an exposure waits, ``DISCARDED``, where a person has put what is of no use, and ``NOWHERE``,
where it was before it was learned. A change that leaves an exposure where it is confirms that it belongs there.

``undo`` is an event too: it moves back what another one moved. So where everything is now, and what a person
said of it, follows from the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ilap.core.errors import BadCorrection
from ilap.exact.told import Told

UNSURE, DISCARDED, NOWHERE = -1, -2, -3
PLACES = {UNSURE: "unsure", DISCARDED: "discarded", NOWHERE: "undone"}
ILAP, PERSON = "ilap", "person"


@dataclass(frozen=True)
class Change:
    """An exposure's move."""

    exposure: int
    before: int
    after: int


@dataclass(frozen=True)
class Event:
    """One decision or correction. ``about`` has what else there is to say: scores, ``names`` as (class, before,
    after), the event that was undone. Kinds: learn, settle and anew (by ilap), teach, move, merge, split,
    discard, rename, confirm, import, answer, adapt and undo (by a person), regroup (by whoever asked for it),
    audit (drawn by ilap, answered by a person), combine (what came from another file: people's words by a
    person, the rest by ilap). ``tentative`` are moves between tentative places; there NOWHERE is where an
    exposure is that has none."""

    id: int
    time: str
    by: str
    kind: str
    about: Mapping[str, Any]
    changes: tuple[Change, ...]
    tentative: tuple[Change, ...] = ()


def place_in_words(place: int) -> str:
    """Where an exposure is.

    >>> place_in_words(3), place_in_words(-1), place_in_words(-2), place_in_words(-3)
    ('class 3', 'unsure', 'discarded', 'undone')
    """
    return PLACES.get(place, f"class {place}")


def undone(events: Sequence[Event]) -> set[int]:
    """The events that an undo took back, unless it was itself undone."""
    gone: set[int] = set()
    for event in reversed(events):
        if event.kind == "undo" and event.id not in gone:
            gone.add(event.about["event"])
    return gone


def in_force(events: Sequence[Event]) -> list[Event]:
    """The events that count, without undos and what they took back."""
    gone = undone(events)
    return [event for event in events if event.kind != "undo" and event.id not in gone]


def deciders(events: Sequence[Event]) -> dict[int, str]:
    """Whose word holds for every exposure: that of the last event in force that names it."""
    by: dict[int, str] = {}
    for event in in_force(events):
        named = event.about.get("named")  # an answer is a person's word about these alone
        by.update({c.exposure: event.by for c in event.changes if named is None or c.exposure in named})
    return by


def dependants(events: Sequence[Event], event: Event) -> list[Event]:
    """Later events in force that moved the same exposures, or named the same class, or revised the same
    tentative places: they have to be undone before it. So have later undos of what was before it."""
    moved = {change.exposure for change in event.changes if change.before != change.after}
    named = {class_id for class_id, _, _ in event.about.get("names", ())}
    placed = {change.exposure for change in revised(event)}
    gone = undone(events)
    return [
        later
        for later in events
        if later.id > event.id
        and later.id not in gone
        and (later.kind != "undo" or later.about["event"] < event.id)
        and (
            any(change.exposure in moved and change.before != change.after for change in later.changes)
            or any(class_id in named for class_id, _, _ in later.about.get("names", ()))
            or any(change.exposure in placed for change in revised(later))
        )
    ]


def revised(event: Event) -> list[Change]:
    """The moves of what was tentative before and after."""
    return [change for change in event.tentative if NOWHERE not in (change.before, change.after)]


def adapted_by(events: Sequence[Event]) -> Event | None:
    """The event that made the network which names pictures now: the last adaptation in force."""
    return next((event for event in reversed(in_force(events)) if event.kind == "adapt"), None)


def apart(events: Sequence[Event]) -> set[tuple[int, int]]:
    """Pairs of classes that a person has told apart: by a split, by moving an exposure from one to the other,
    or by labels that were imported; what was said in a file that was taken up (combine) is among it."""
    pairs: set[tuple[int, int]] = set()
    for event in in_force(events):
        if event.kind == "import":
            pairs.update(combinations(sorted({c.after for c in event.changes if c.after >= 0}), 2))
        pairs.update((low, high) for low, high in event.about.get("apart", ()))
        for change in event.changes:
            if event.by == PERSON and event.kind in ("split", "move") and change.before != change.after:
                low, high = sorted((change.before, change.after))
                if low >= 0:
                    pairs.add((low, high))
    return pairs


def to_undo(log: Sequence[Event], event: int | None, with_later: bool) -> list[Event]:
    """What has to be taken back, in this order, to undo an event: the last correction, or the one of this
    number, be it a correction or something that was learned. What became sure by an answer goes with it."""
    if event is None:
        corrections = [e for e in in_force(log) if e.by == PERSON]
        if not corrections:
            raise BadCorrection("There is no correction to undo: name an event (ilap history) to undo it.")
        chosen = corrections[-1]
    else:
        gone = undone(log)
        found = [e for e in log if e.id == event and e.id not in gone]
        if not found:
            raise BadCorrection(
                f"Event {event} is not there, or is undone already: ilap history lists those in force."
            )
        chosen = found[0]
    back = {chosen.id: chosen}
    unseen = [chosen]
    while unseen:  # what depends on an event has dependants of its own
        one = unseen.pop()
        follows = [e for e in in_force(log) if e.about.get("after") == one.id]
        unseen += [e for e in (*follows, *dependants(log, one)) if e.id not in back]
        back.update((e.id, e) for e in unseen)
    later = [e for e in back.values() if e is not chosen and e.about.get("after") != chosen.id]
    if later and not with_later:
        numbers = ", ".join(f"{e.id} ({e.kind})" for e in sorted(later, key=lambda e: e.id))
        raise BadCorrection(
            f"Event {chosen.id} cannot be undone alone, since later ones moved the same: {numbers}. Undo "
            f"these first, or all with --with-later."
        )
    return sorted(back.values(), key=lambda e: -e.id)


def to_redo(log: Sequence[Event]) -> list[Event]:
    """What has to be undone, in this order, to carry out again what the last undo took back: the events of that
    undo. Whatever a person has said since, there is nothing to redo."""
    by_id = {event.id: event for event in log}
    stack: list[list[Event]] = []
    for event in log:
        if event.kind != "undo":
            if event.by == PERSON:
                stack.clear()
            continue
        target = by_id[event.about["event"]]
        if target.kind == "undo":
            stack = [left for own in stack if (left := [e for e in own if e.id != target.id])]
        elif stack and action(stack[-1][-1]) == action(event) and stack[-1][-1].id == event.id - 1:
            stack[-1].append(event)
        else:
            stack.append([event])
    if not stack:
        raise BadCorrection("There is nothing to redo: nothing was undone since the last correction.")
    chosen = sorted(stack[-1], key=lambda e: -e.id)
    own = {e.id for e in chosen}
    later = {e.id: e.kind for one in chosen for e in dependants(log, one) if e.id not in own}
    if later:
        numbers = ", ".join(f"{number} ({kind})" for number, kind in sorted(later.items()))
        raise BadCorrection(f"This cannot be redone, since later events moved the same: {numbers}.")
    return chosen


def action(event: Event) -> int:
    """Of an event that undoes another: which event a person wanted to undo by it. One undo may take back
    several."""
    number: int = event.about.get("of", event.about["event"])
    return number


def answers_of(log: Sequence[Event]) -> tuple[Told, ...]:
    """What people answered, as far as it is in force, in order: events of kinds *answer* and *audit* hold it as
    JSON."""
    return tuple(restored(event.about["told"]) for event in in_force(log) if "told" in event.about)


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
