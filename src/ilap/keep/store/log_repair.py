"""The log of a damaged file, as far as it can be read, with events that stand for what is lost (repair.py)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ilap.keep.store import checksums
from ilap.keep.store.salvage import Lost, Tables
from ilap.learner.log import ILAP, NOWHERE, PERSON, UNSURE, Change

LOST, REPAIR = "lost", "repair"  # kinds of events that stand for lost ones, and for what their moves were


def parsed(text: Any) -> Any:
    """A value from JSON; None where it is none."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return None


@dataclass
class Log:
    """The log of the new file: events as (time, by, kind, about), and the moves of each."""

    events: dict[int, tuple[str, str, str, dict[str, Any]]] = field(default_factory=dict)
    changes: dict[int, list[Change]] = field(default_factory=dict)
    placements: dict[int, list[Change]] = field(default_factory=dict)

    def ids(self) -> Iterator[int]:
        """Of all classes and tentative groups that it speaks of."""
        for moves in (*self.changes.values(), *self.placements.values()):
            for change in moves:
                yield from (change.before, change.after)


def log_of(tables: Tables, seen: Mapping[int, bool], lost: list[Lost]) -> Log:
    """The events that are left, and what stands for the others. ``seen`` says of every exposure whether a
    picture of it is left."""
    log, rows = Log(), {row[0]: row for row in tables[checksums.EVENTS].good}
    there = {number for number, left in seen.items() if left}
    now, tentative = dict[int, int](), dict[int, int]()
    moves = [grouped(tables[one].good, there) for one in (checksums.CHANGES, checksums.PLACEMENTS)]
    whole = {row[0]: row for row in tables[checksums.PLACES].good}
    people = {number for number, row in whole.items() if row[3] == PERSON}
    time = min((row[1] for row in rows.values()), default=datetime.now(UTC).isoformat(timespec="milliseconds"))
    for number in range(1, max([0, *rows, *moves[0], *moves[1]]) + 1):
        about = parsed(rows[number][4]) if number in rows else None
        if isinstance(about, dict):
            _, time, by, kind, _ = rows[number]
        else:
            by = PERSON if any(change.exposure in people for change in moves[0].get(number, ())) else ILAP
            kind, about = LOST, {"reason": "this event was lost, and its moves as far as they are not here"}
            lost.append(Lost("event", f"event {number}", number))
        log.events[number] = time, by, kind, about
        log.changes[number] = list(joined(moves[0].get(number, ()), now))
        log.placements[number] = list(joined(moves[1].get(number, ()), tentative))
    told = not any(one.kind == "event" for one in lost) and not tables[checksums.CHANGES].lost
    end_of(log, seen, now, tentative, whole, told, time)
    return log


def grouped(rows: list[tuple[Any, ...]], there: set[int]) -> dict[int, list[Change]]:
    """Moves of exposures that are there, by their events."""
    found: dict[int, list[Change]] = {}
    for event, exposure, before, after in rows:
        if exposure in there:
            found.setdefault(event, []).append(Change(exposure, before, after))
    return found


def joined(moves: Iterable[Change], now: dict[int, int]) -> Iterator[Change]:
    """Moves, with one before each that does not begin where the exposure is."""
    for change in moves:
        at = now.get(change.exposure, NOWHERE)
        if at != change.before:
            yield Change(change.exposure, at, change.before)
        yield change
        now[change.exposure] = change.after


def end_of(
    log: Log,
    seen: Mapping[int, bool],
    now: dict[int, int],
    tentative: dict[int, int],
    whole: Mapping[int, tuple[Any, ...]],
    told: bool,
    time: str,
) -> None:
    """Events that move exposures to where they are, where the log does not lead there. ``whole`` is where they
    are by their own rows, ``told`` whether the log has all moves."""
    moves: dict[str, list[Change]] = {ILAP: [], PERSON: []}
    placements = []
    fresh = (
        max([-1, *log.ids(), *(row[1] for row in whole.values()), *(row[6] or 0 for row in whole.values())]) + 1
    )
    for number, left in seen.items():
        at = now.get(number, NOWHERE)
        row = whole.get(number)
        place = row[1] if row else at if told else UNSURE
        place = place if left else NOWHERE
        if place != at or number not in now:
            by = PERSON if row and row[3] == PERSON else ILAP
            moves[by].append(Change(number, at, place))
        likeliest, before = NOWHERE, tentative.get(number, NOWHERE)
        if place == UNSURE:
            likeliest = row[6] if row and row[6] is not None else before
            if likeliest == NOWHERE:
                likeliest, fresh = fresh, fresh + 1
        if likeliest != before:
            placements.append(Change(number, before, likeliest))
    for by, own in moves.items():
        if own or (by == ILAP and placements):
            number = max(log.events, default=0) + 1
            about = {"reason": "the file was damaged, and these places were saved without the log"}
            log.events[number] = time, by, REPAIR, about
            log.changes[number] = own
            log.placements[number] = placements if by == ILAP else []


def names_of(tables: Tables, log: Log, ids: range, lost: list[Lost]) -> dict[int, str | None]:
    """The names of classes: as they are, or where that is lost as the log says."""
    said: dict[int, str | None] = {}
    for number in sorted(log.events):
        said.update((k, after) for k, _, after in log.events[number][3].get("names", ()))
    found: dict[int, str | None] = dict(tables[checksums.CLASSES].good)
    missing = [k for k in ids if k not in found] if tables[checksums.CLASSES].lost else []
    lost += [Lost("name", f"the name of class {k}, if it has one", k) for k in missing if said.get(k) is None]
    return {k: found.get(k, said.get(k)) for k in ids}
