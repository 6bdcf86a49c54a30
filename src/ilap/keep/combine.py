"""``ilap combine``: one learner that holds the exposures of two.

It begins as a copy of the first, with its log. Exposures of the second follow under new numbers, its classes
under new ids, with features as they are. People's words of both hold: where they placed exposures, names,
answers. What ilap decided by itself is tentative at first and decided again over all exposures. Classes of both
with one name stay two, and that they are one is proposed: two herds may both have a *Bella*.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ilap.backbones.contract import Backbone
from ilap.core.errors import BadOutput, BadSetting
from ilap.core.files import draft_of
from ilap.core.plural import counted
from ilap.exact.told import Pair, pair
from ilap.keep.learn import LOOKED
from ilap.keep.learner import LearnerInFile
from ilap.keep.redecide import decide_again
from ilap.keep.store import events, exposures, state
from ilap.keep.summary import Tally, tally
from ilap.keep.words import command
from ilap.learner import corrections, log
from ilap.learner.answers import question_of
from ilap.learner.log import DISCARDED, ILAP, NOWHERE, PERSON, UNSURE, Change
from ilap.learner.store import Entry

Numbers = Mapping[int, int]
"""Numbers of the second learner, as they are in the combined one."""


@dataclass(frozen=True)
class SameName:
    """A name that both have, what the second's class is called now, and the command that makes them one."""

    name: str
    renamed: str
    command: str


@dataclass(frozen=True)
class Combined:
    """What was made: exposures of the first, those that the second added, those of the second that the first
    had already, by their pictures, and people's words of the second that gave way to the first's."""

    learner: str
    exposures: int
    added: int
    known: int
    overruled: int
    same_names: tuple[SameName, ...]
    tally: Tally

    @property
    def said(self) -> str:
        """In a sentence."""
        both = f", {self.known} more were in both" if self.known else ""
        lost = f"; the first's word held for {counted(self.overruled, 'exposure')}" if self.overruled else ""
        some = counted(self.exposures, "exposure")
        return f"{self.learner}: {some} of the first, {self.added} of the second{both}{lost}\n{self.tally.said}"


def combine(
    first: str | Path, second: str | Path, out: str | Path, backbone: str | Backbone | None = None
) -> Combined:
    """Make a learner of two, which stay as they are. Settings are the first's."""
    path = Path(out).expanduser().absolute()
    if os.path.lexists(path):
        raise BadOutput(f"{path} is there: name a file that is not, and remove this one yourself.")
    with (
        LearnerInFile(first, backbone=backbone, writable=False) as one,
        LearnerInFile(second, backbone=backbone, writable=False) as other,
    ):
        made_by = [state.meta(own.file.connection, "backbone") for own in (one, other)]
        if made_by[0] != made_by[1]:
            raise BadSetting(
                f"{one.path} has features of {made_by[0]['key']} and {other.path} of {made_by[1]['key']}, or "
                f"their priors differ: only learners of one backbone and one prior can be combined."
            )
        with draft_of(path) as draft:
            try:
                with one.snapshot() as connection, sqlite3.connect(draft) as copy:
                    connection.backup(copy)
                copy.close()
                with LearnerInFile(draft, backbone=backbone, create=False) as both, other.snapshot():
                    done = add(both, other, Path(second).stem)
            finally:
                for left in draft.parent.glob(f"*{draft.name}[-.]*"):  # what SQLite and the lock keep beside it
                    left.unlink()
    proposals = tuple(
        replace(own, command=command(str(path), "merge", own.name, own.renamed)) for own in done.same_names
    )
    return replace(done, learner=str(path), same_names=proposals)


def add(both: LearnerInFile, other: LearnerInFile, source: str) -> Combined:
    """Add the exposures of a learner to another."""
    before, shift = both.state.seen, both.state.founded
    with both.file.transaction() as connection:
        numbers, known = exposures.adopt(connection, other.file.connection, before)
        fresh = {theirs: ours for theirs, ours in numbers.items() if ours >= before}
        now = both.state
        for ours in fresh.values():
            now = now.arrived(both.store.samples_of(ours, whole=True))
        said = log.deciders(other.history())
        mine = log.deciders(both.history())
        moves, overruled = list[Change](), 0
        for theirs, ours in numbers.items():
            place = other.place_of(theirs)
            if said.get(theirs) != PERSON or place in (NOWHERE, UNSURE):
                continue
            if mine.get(ours) == PERSON:
                overruled += 1
                continue
            moves.append(Change(ours, both.place_of(ours), place + shift if place >= 0 else DISCARDED))
        names, same = names_of(both, other, shift, source)
        pairs = [[a + shift, b + shift] for a, b in sorted(log.apart(other.history()))]
        about = {"of": source, "names": [list(own) for own in names], "apart": pairs}
        after = corrections.applied(now, moves, both.store)
        after = replace(after, founded=max(after.founded, shift + other.state.founded))
        both.store.write(Entry(PERSON, "combine", about, moves, names=names), now, after)
        for entry in answers_of(other, numbers):
            both.store.write(entry, after, after)
        placed = {change.exposure for change in moves}
        likeliest = other.places
        waits = [
            (ours, likeliest[theirs] + shift)
            for theirs, ours in fresh.items()
            if theirs in likeliest and ours not in placed
        ]
        came = [Change(ours, NOWHERE, UNSURE) for ours, _ in waits]
        likely = [Change(ours, NOWHERE, place) for ours, place in waits]
        waiting = corrections.applied(after, came, both.store, likely)
        if came:
            both.store.write(Entry(ILAP, "combine", {"of": source}, came), after, waiting)
    both.reload()
    own = log.deciders(both.history())
    decided = [n for k in both.state.members.values() for n in k if own.get(n) != PERSON]
    decide_again(both, sorted(decided))
    with both.file.transaction() as connection:
        state.set_meta(connection, LOOKED, events.last(connection))
    return Combined("", before, len(fresh), known, overruled, same, tally(both))


def names_of(
    both: LearnerInFile, other: LearnerInFile, shift: int, source: str
) -> tuple[tuple[tuple[int, str | None, str | None], ...], tuple[SameName, ...]]:
    """The names of the second's classes and groups. One that the first has too gets the file's name added."""
    taken = {name for k, name in both.names.items() if k in {*both.state.members, *both.groups}}
    there = {*other.state.members, *other.groups}
    found, same = list[tuple[int, str | None, str | None]](), list[SameName]()
    for k, name in sorted(other.names.items()):
        if k not in there:
            continue
        own, tries = name, 1
        while own in taken:
            own = f"{name} ({source}{f' {tries}' if tries > 1 else ''})"
            tries += 1
        taken.add(own)
        found.append((k + shift, None, own))
        if own != name and name in both.names.values():
            same.append(SameName(name, own, ""))
    return tuple(found), tuple(same)


def answers_of(other: LearnerInFile, numbers: Numbers) -> Iterable[Entry]:
    """The answers that people gave, about exposures by their new numbers; without those about exposures that
    the first learner has in another cut."""
    for event in log.in_force(other.history()):
        if event.kind != "answer":
            continue
        asked, told = question_of(event.about["question"]), log.restored(event.about["told"])
        spoken_of = (asked.exposure, *asked.shown)
        if len({numbers[n] for n in spoken_of if n in numbers}) < len(spoken_of):
            continue
        again = replace(asked, exposure=numbers[asked.exposure], shown=tuple(numbers[n] for n in asked.shown))
        moved = replace(
            told,
            together=pairs(told.together, numbers),
            apart=pairs(told.apart, numbers),
            untold=pairs(told.untold, numbers),
        )
        about = {"question": again.id, "key": event.about["key"], "named": [], "told": log.plain(moved)}
        yield Entry(PERSON, "answer", about)


def pairs(said: Iterable[Pair], numbers: Numbers) -> tuple[Pair, ...]:
    """Pairs of exposures by their new numbers."""
    return tuple(pair(numbers[a], numbers[b]) for a, b in said if a in numbers and b in numbers)
