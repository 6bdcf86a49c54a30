"""Tentative places: where exposures that are unsure most likely belong, with ids that last.

A place is a known class, or a *tentative group*: exposures that wait and are likely one thing. Groups take
their ids from the same counter as classes, so that no id is ever used twice, and a group that becomes a class
keeps its id. Nothing is learned from a tentative place, so it can be changed at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ilap.core.classifier import places_exposures
from ilap.core.exposure import Samples
from ilap.detect.contract import Finding
from ilap.exact.questions import ASKED
from ilap.learner.log import NOWHERE, Change
from ilap.learner.state import State

AROUND = 200  # exposures whose places may change by an answer, where there are very many; cost


@dataclass(frozen=True)
class Regrouped:
    """What looking at everything again has changed: the exposures that have another tentative place now, and
    how many are tentative, in how many groups. ``event`` is its number in a learner's file, None where nothing
    changed."""

    moved: tuple[int, ...]
    tentative: int
    groups: int
    event: int | None = None


def groups(state: State) -> dict[int, tuple[int, ...]]:
    """The tentative groups: their exposures, by their ids."""
    found: dict[int, list[int]] = {}
    for number, place in sorted(state.tentative.items()):
        if place not in state.members:
            found.setdefault(place, []).append(number)
    return {place: tuple(numbers) for place, numbers in sorted(found.items())}


def places(state: State) -> dict[int, int]:
    """Where every exposure is: its class where that is sure, its tentative place where it waits."""
    found = dict(state.tentative)
    for k, numbers in state.members.items():
        found.update(dict.fromkeys(numbers, k))
    return {number: found[number] for number in sorted(found)}


def id_of_new(state: State, number: int) -> int:
    """The id of a class that an exposure founds: that of its tentative group, if it has one."""
    place = state.tentative.get(number)
    return state.founded if place is None or place in state.members else place


def place_of_newcomer(now: State, samples: Samples, found: Finding) -> int:
    """Where an exposure most likely belongs that is unsure: the known class that is likelier than a new one,
    or else the tentative group that it goes with, or else a group of its own, which has the next id. Where a
    classifier cannot compare exposures it is always one of its own."""
    shares, classes = found.probabilities, now.classifier.classes
    if shares is not None and len(shares) > 1 and shares[1:].max() > shares[0]:
        return classes[int(shares[1:].argmax())]
    if places_exposures(now.classifier):
        waiting = {number: k for number, k in now.tentative.items() if k not in now.members}
        best = now.classifier.group_of(samples, waiting)
        if best is not None:
            return best
    return now.founded


def regrouped(state: State, among: Collection[int] | None = None) -> State:
    """All tentative places inferred at once, or those of some exposures, what is sure staying as it is. A group
    has the id of the one that it was before; other groups get new ids."""
    classifier = state.classifier
    if not places_exposures(classifier) or not state.tentative:
        return state
    joint = classifier.places(state.founded, among)
    found = {number: joint.get(number, place) for number, place in state.tentative.items()}
    before = {number: k for number, k in state.tentative.items() if k not in state.members}
    known = {number: k for number, k in found.items() if k in state.members}
    fresh = {number: k for number, k in found.items() if k not in state.members}
    named = with_old_ids(fresh, before, state.founded)
    after = {number: known.get(number, named.get(number, 0)) for number in sorted(found)}
    return replace(state, tentative=after, founded=max([state.founded, *(k + 1 for k in after.values())]))


def around(state: State, about: Sequence[int]) -> set[int] | None:
    """The exposures whose tentative places may change by an answer about some: all of the places that these and
    the nearest others are in; None, for all, where there are few."""
    model, now = state.exact.model, places(state)
    if len(model.seen) <= ASKED:
        return None
    near = {
        other for number in about if number in model.seen for other in model.near(number, AROUND // len(about))
    }
    touched = {now[number] for number in (*near, *about) if number in now}
    return {number for number, place in now.items() if place in touched}


def changed(before: Mapping[int, int], state: State) -> Regrouped:
    """What is told of it. ``before`` are the tentative places as they were."""
    moved = tuple(number for number, place in state.tentative.items() if before.get(number) != place)
    return Regrouped(moved, len(state.tentative), len(groups(state)))


def with_old_ids(groups: Mapping[int, int], before: Mapping[int, int], next_id: int) -> dict[int, int]:
    """Groups under lasting ids: of every exposure its group now, and its group before. A group keeps the id of
    an earlier one if it has more than half of that one's exposures; where there are several such, that of
    which it has most. All others get ids from ``next_id`` on.

    >>> with_old_ids({1: 50, 2: 50, 3: 51}, {1: 7, 2: 7, 3: 7}, next_id=9)
    {1: 7, 2: 7, 3: 9}
    """
    sizes = Counter(before.values())
    shared = Counter((k, before[number]) for number, k in groups.items() if number in before)
    first: dict[int, int] = {}
    for number in sorted(groups):
        first.setdefault(groups[number], number)
    ids: dict[int, int] = {}
    largest = sorted((-count, first[group], old, group) for (group, old), count in shared.items())
    for count, _, old, group in largest:
        if group not in ids and -2 * count > sizes[old]:
            ids[group] = old
    for group in sorted(set(groups.values()) - set(ids), key=lambda group: first[group]):
        ids[group] = next_id
        next_id += 1
    return {number: ids[group] for number, group in sorted(groups.items())}


def placements(before: State, after: State) -> list[Change]:
    """How tentative places differ."""
    old, new = before.tentative, after.tentative
    if old is new:
        return []
    moved = sorted({number for number, _ in old.items() ^ new.items()})
    return [Change(number, old.get(number, NOWHERE), new.get(number, NOWHERE)) for number in moved]
