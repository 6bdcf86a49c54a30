"""What a person's word changes: exposures move, and all that follows from where they are is made anew.

Every function gives a correction: which exposures it moves, and what else there is to say of it. ``applied``
gives the state after the moves. A class is a set of exposures and the scatter knows no labels, so a move
between classes costs a subtraction and an addition, and the classifier is afterwards the same as if the
exposure had always been where it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ilap.core.errors import BadCorrection
from ilap.core.exposure import Samples
from ilap.exact.statistics import Traits
from ilap.keep.store.events import DISCARDED, PLACES, UNSURE, Change, Event
from ilap.keep.store.state import exact_of
from ilap.learner.state import State

SamplesOf = Callable[[int], Samples]
TraitsOf = Callable[[int], Traits | None]
PlaceOf = Callable[[int], int]
Names = Mapping[int, str]


@dataclass(frozen=True)
class Correction:
    """A person's word. ``names`` are classes that get another name, as (class, before, after); ``about`` is
    what else the log keeps; ``spoken_of`` are exposures that it speaks of without moving them."""

    kind: str
    changes: tuple[Change, ...] = ()
    names: tuple[tuple[int, str | None, str | None], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    spoken_of: tuple[int, ...] = ()


def known_class(state: State, class_id: int) -> int:
    """The class, if there is one."""
    if class_id not in state.members:
        raise BadCorrection(f"There is no class {class_id}: ilap show lists those there are.")
    return class_id


def rename(state: State, names: Names, class_id: int, name: str) -> Correction:
    """A class gets a name."""
    return Correction("rename", names=((known_class(state, class_id), names.get(class_id), name),))


def merge(state: State, names: Names, into: int, other: int) -> Correction:
    """Two classes are one: the first keeps its id, and its name if it has one. All of their exposures are
    confirmed to belong together."""
    if known_class(state, into) == known_class(state, other):
        raise BadCorrection(f"Class {into} cannot be merged with itself: name two classes.")
    stay = tuple(Change(number, into, into) for number in sorted(state.members[into]))
    come = tuple(Change(number, other, into) for number in sorted(state.members[other]))
    inherited = ((into, None, names[other]),) if into not in names and other in names else ()
    return Correction("merge", stay + come, inherited, {"into": into, "other": other})


def split(state: State, exposures: Sequence[int], name: str | None, place_of: PlaceOf) -> Correction:
    """Exposures of one class are another one, which is founded."""
    sources = {place_of(number) for number in exposures}
    if len(sources) != 1 or min(sources) < 0:
        raise BadCorrection("Only exposures of one class can be split off together: name them class by class.")
    source = sources.pop()
    if set(exposures) == set(state.members[source]):
        raise BadCorrection(f"These are all exposures of class {source}: leave at least one in it.")
    changes = tuple(Change(number, source, state.founded) for number in sorted(set(exposures)))
    names = ((state.founded, None, name),) if name else ()
    return Correction("split", changes, names, {"founds": state.founded})


def move(state: State, exposure: int, class_id: int | None, place_of: PlaceOf) -> Correction:
    """An exposure belongs to a class, or where None is given to one of its own. This also settles what is
    unsure, takes up what was discarded, and confirms what is right already."""
    target = state.founded if class_id is None else known_class(state, class_id)
    change = Change(exposure, place_of(exposure), target)
    about = {"founds": target} if class_id is None else {}
    return Correction("confirm" if change.before == target else "move", (change,), about=about)


def discard(exposures: Sequence[int], place_of: PlaceOf) -> Correction:
    """Exposures are of no use: nothing is learned from them any more."""
    changes = (Change(number, place_of(number), DISCARDED) for number in sorted(set(exposures)))
    return Correction("discard", tuple(change for change in changes if change.before != DISCARDED))


def inverse(event: Event) -> Correction:
    """What takes an event back. What it only confirmed stays where it is, which may be elsewhere by now."""
    back = tuple(Change(c.exposure, c.after, c.before) for c in reversed(event.changes) if c.before != c.after)
    names = tuple((k, new, old) for k, old, new in event.about.get("names", ()))
    spoken_of = tuple(change.exposure for change in event.changes)
    return Correction("undo", back, names, {"event": event.id}, spoken_of)


def applied(state: State, changes: Iterable[Change], samples_of: SamplesOf, traits_of: TraitsOf) -> State:
    """The state after exposures have moved."""
    changes = [change for change in changes if change.before != change.after]
    exact = exact_of(state)
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
                traits = traits_of(change.exposure) or exact.evidence(samples).traits
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


def place_in_words(place: int) -> str:
    """Where an exposure is.

    >>> place_in_words(3), place_in_words(-1), place_in_words(-2), place_in_words(-3)
    ('class 3', 'unsure', 'discarded', 'undone')
    """
    return PLACES.get(place, f"class {place}")
