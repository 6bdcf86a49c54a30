"""What a person's word changes: exposures move, and all that follows from where they are is made anew.

Every function gives the moves as changes; ``applied`` gives the state after them. A class is a set of exposures
and the scatter knows no labels, so a move between classes costs a subtraction and an addition, and the
classifier is afterwards the same as if the exposure had always been where it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

from ilap.classify.exact import Exact
from ilap.classify.look import Traits
from ilap.errors import BadCorrection
from ilap.exposure import Samples
from ilap.state import State
from ilap.store.events import PLACES, UNSURE, Change, Event

SamplesOf = Callable[[int], Samples]
TraitsOf = Callable[[int], Traits | None]


def place_of(state: State, exposure: int, others: dict[int, int]) -> int:
    """Where an exposure is: its class, or where ``others`` says."""
    if not 0 <= exposure < state.seen:
        raise BadCorrection(f"There is no exposure {exposure}: ilap show lists those there are.")
    for class_id, numbers in state.members.items():
        if exposure in numbers:
            return class_id
    return others.get(exposure, UNSURE)


def known_class(state: State, class_id: int) -> int:
    """The class, if there is one."""
    if class_id not in state.members:
        raise BadCorrection(f"There is no class {class_id}: ilap show lists those there are.")
    return class_id


def merge(state: State, into: int, other: int) -> list[Change]:
    """Two classes are one: the first keeps its id. All of their exposures are confirmed to belong together."""
    if known_class(state, into) == known_class(state, other):
        raise BadCorrection(f"Class {into} cannot be merged with itself: name two classes.")
    stay = [Change(number, into, into) for number in sorted(state.members[into])]
    return stay + [Change(number, other, into) for number in sorted(state.members[other])]


def split(state: State, exposures: Sequence[int]) -> list[Change]:
    """Exposures of one class are another one, which is founded."""
    sources = {place_of(state, number, {}) for number in exposures}
    if len(sources) != 1 or min(sources) < 0:
        raise BadCorrection("Only exposures of one class can be split off together: name them class by class.")
    source = sources.pop()
    if set(exposures) == set(state.members[source]):
        raise BadCorrection(f"These are all exposures of class {source}: leave at least one in it.")
    return [Change(number, source, state.founded) for number in sorted(set(exposures))]


def applied(state: State, changes: Iterable[Change], samples_of: SamplesOf, traits_of: TraitsOf) -> State:
    """The state after exposures have moved."""
    changes = [change for change in changes if change.before != change.after]
    exact = cast(Exact, state.classifier)
    gone = [change.exposure for change in changes if change.before >= 0 > change.after]
    if gone:
        exact = exact.forget([samples_of(number) for number in gone])
    for target in sorted({change.after for change in changes if change.after >= 0}):
        own = [c for c in changes if c.after == target]
        if moved := [c.exposure for c in own if c.before >= 0]:
            exact = exact.move(moved, target)
        for change in own:
            if change.before < 0:
                samples = samples_of(change.exposure)
                traits = traits_of(change.exposure) or exact.look(samples).traits
                exact = exact.take(samples, target, traits)

    members = {k: list(numbers) for k, numbers in state.members.items()}
    for change in changes:
        if change.before >= 0:
            members[change.before].remove(change.exposure)
        if change.after >= 0:
            members.setdefault(change.after, []).append(change.exposure)
    memory = state.memory
    for class_id in sorted({place for c in changes for place in (c.before, c.after) if place >= 0}):
        own_samples = [samples_of(number) for number in sorted(members[class_id])]
        memory = memory.anew(class_id, own_samples, exact.features)

    leaving = {change.exposure for change in changes}
    waiting = [samples for samples in state.waiting if samples.number not in leaving]
    waiting += [samples_of(change.exposure) for change in changes if change.after == UNSURE]
    return replace(
        state,
        classifier=exact,
        memory=memory,
        members={k: tuple(sorted(numbers)) for k, numbers in members.items() if numbers},
        founded=max([state.founded, *(change.after + 1 for change in changes)]),
        waiting=tuple(waiting),
    )


def inverse(event: Event) -> list[Change]:
    """What takes an event back. What it only confirmed stays where it is, which may be elsewhere by now."""
    return [Change(c.exposure, c.after, c.before) for c in reversed(event.changes) if c.before != c.after]


def told(place: int) -> str:
    """A place in words.

    >>> told(3), told(-1), told(-2), told(-3)
    ('class 3', 'unsure', 'discarded', 'undone')
    """
    return PLACES.get(place, f"class {place}")
