"""What a person's word changes: exposures move, and all that follows from where they are is rebuilt.

Every function gives a correction: which exposures it moves, and what else there is to say of it. ``applied``
gives the state after the moves. A class is a set of exposures and the scatter knows no labels, so a move
between classes costs a subtraction and an addition, and the classifier is afterwards the same as if the
exposure had always been where it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ilap.core.errors import BadCorrection
from ilap.core.exposure import Samples
from ilap.exact.statistics import Traits
from ilap.learner.answers import AnswerEffect
from ilap.learner.log import DISCARDED, NOWHERE, UNSURE, Change, Event, plain
from ilap.learner.names import checked
from ilap.learner.state import State, oldest_first
from ilap.learner.tentative import groups, id_of_new

PlaceOf = Callable[[int], int]
Names = Mapping[int, str]
DecisionOf = Callable[[int], Mapping[str, Any]]


@dataclass(frozen=True)
class Correction:
    """A person's word. ``names`` are classes that get another name, as (class, before, after); ``about`` is
    what else the log keeps; ``spoken_of`` are exposures that it speaks of without moving them; ``tentative``
    are moves between tentative places, as far as exposures still are where these begin; ``decisions`` are what
    is told of exposures from now on."""

    kind: str
    changes: tuple[Change, ...] = ()
    names: tuple[tuple[int, str | None, str | None], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    spoken_of: tuple[int, ...] = ()
    tentative: tuple[Change, ...] = ()
    decisions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


def known_class(state: State, class_id: int) -> int:
    """The class, if there is one."""
    if class_id not in state.members:
        raise BadCorrection(f"There is no class {class_id}: ilap show lists those there are.")
    return class_id


def known_place(state: State, place: int) -> int:
    """The class or the tentative group, if there is one."""
    return place if place in state.tentative.values() else known_class(state, place)


def exposures_of(state: State, place: int) -> tuple[int, ...]:
    """The exposures of a class, or of a tentative group."""
    return state.members.get(place) or groups(state).get(place, ())


def rename(state: State, names: Names, class_id: int, name: str) -> Correction:
    """A class or a tentative group gets a name (learner/names.py says which it may have)."""
    kept = checked(name, known_place(state, class_id), in_use(state, names))
    return Correction("rename", names=((class_id, names.get(class_id), kept),))


def in_use(state: State, names: Names) -> dict[int, str]:
    """The names of the classes and tentative groups there are now."""
    return {k: name for k, name in names.items() if k in state.members or k in state.tentative.values()}


def confirm(state: State, place: int) -> Correction:
    """All exposures of a tentative group are one class, which has the group's id; or those of a class are
    right where they are."""
    numbers = exposures_of(state, known_place(state, place))
    before = place if place in state.members else UNSURE
    about = {} if place in state.members else {"founds": place}
    return Correction("confirm", tuple(Change(number, before, place) for number in numbers), about=about)


def merge(state: State, names: Names, into: int, other: int) -> Correction:
    """Two classes are one, either of which may be a tentative group: the first keeps its id, and its name if
    it has one. All of their exposures are confirmed to belong together. What was tentatively placed in the
    other is now tentatively placed in the first."""
    if known_place(state, into) == known_place(state, other):
        raise BadCorrection(f"Class {into} cannot be merged with itself: name two classes.")
    moves = tuple(
        Change(number, place if place in state.members else UNSURE, into)
        for place in (into, other)
        for number in sorted(exposures_of(state, place))
    )
    inherited = ((into, None, names[other]),) if into not in names and other in names else ()
    follow = tuple(Change(n, other, into) for n, place in sorted(state.tentative.items()) if place == other)
    about = {"into": into, "other": other}
    return Correction("merge", moves, inherited, about, tentative=follow)


def split(
    state: State, names: Names, exposures: Sequence[int], name: str | None, place_of: PlaceOf
) -> Correction:
    """Exposures of one class are another one, which is founded."""
    sources = {place_of(number) for number in exposures}
    if len(sources) != 1 or min(sources) < 0:
        raise BadCorrection("Only exposures of one class can be split off together: name them class by class.")
    source = sources.pop()
    if set(exposures) == set(state.members[source]):
        raise BadCorrection(f"These are all exposures of class {source}: leave at least one in it.")
    changes = tuple(Change(number, source, state.founded) for number in sorted(set(exposures)))
    named = () if name is None else ((state.founded, None, checked(name, None, in_use(state, names))),)
    return Correction("split", changes, named, {"founds": state.founded})


def move(state: State, exposures: Sequence[int], class_id: int | None, place_of: PlaceOf) -> Correction:
    """Exposures belong to a class, or where None is given to one of their own. This also settles what is
    unsure, takes up what was discarded, and confirms what is right already. A class of their own has the id of
    the first one's tentative group, if there is one; a tentative group that they are moved to becomes a
    class."""
    target = known_place(state, class_id) if class_id is not None else id_of_new(state, exposures[0])
    changes = tuple(Change(number, place_of(number), target) for number in exposures)
    about = {"founds": target} if class_id is None else {}
    confirms = all(change.before == target for change in changes)
    return Correction("confirm" if confirms else "move", changes, about=about)


def discard(exposures: Sequence[int], place_of: PlaceOf) -> Correction:
    """Exposures are of no use: nothing is learned from them any more."""
    changes = (Change(number, place_of(number), DISCARDED) for number in sorted(set(exposures)))
    return Correction("discard", tuple(change for change in changes if change.before != DISCARDED))


def labelled(names: Names, goes: Mapping[int, int], called: Names, place_of: PlaceOf) -> Correction:
    """Many exposures belong to classes, which may be founded by it, or are of no use; the classes are
    ``called`` so from now on."""
    changes = (Change(number, place_of(number), place) for number, place in sorted(goes.items()))
    renamed = tuple((k, names.get(k), name) for k, name in sorted(called.items()) if names.get(k) != name)
    kept = tuple(change for change in changes if change.after >= 0 or change.before != change.after)
    return Correction("import", kept, renamed)


def inverse(event: Event, of: int) -> Correction:
    """What takes an event back, to undo the event ``of``. What it only confirmed stays where it is, which may
    be elsewhere by now."""
    back = tuple(Change(c.exposure, c.after, c.before) for c in reversed(event.changes) if c.before != c.after)
    names = tuple((k, new, old) for k, old, new in event.about.get("names", ()))
    spoken_of = (*(change.exposure for change in event.changes), *event.about.get("spoken_of", ()))
    confirmed = sorted({*spoken_of} - {change.exposure for change in back})
    about = {"event": event.id, "of": of, **({"spoken_of": confirmed} if confirmed else {})}
    places = tuple(Change(c.exposure, c.after, c.before) for c in event.tentative)
    told = {int(number): decision for number, decision in event.about.get("decisions", {}).items()}
    return Correction("undo", back, names, about, spoken_of, places, told)


def answer(
    names: Names, question: str, key: str, done: AnswerEffect, place_of: PlaceOf, decision_of: DecisionOf
) -> Correction:
    """A person's answer to a question, and what follows from it (learner/answers.py)."""
    changes = tuple(Change(number, place_of(number), place) for number, place in sorted(done.moves.items()))
    renamed: tuple[tuple[int, str | None, str | None], ...] = ()
    if done.merges and done.merges[0] not in names and done.merges[1] in names:
        renamed = ((done.merges[0], None, names[done.merges[1]]),)
    about = {"question": question, "key": key, "named": list(done.named), "told": plain(done.told)}
    founds = {} if done.founds is None else {"founds": done.founds}
    out = {change.exposure: change.before for change in changes if change.after == UNSURE}
    told = {number: doubted(decision_of(number), "known", place) for number, place in out.items()}
    return Correction("answer", changes, renamed, {**about, **founds}, decisions=told)


def doubted(told: Mapping[str, Any], kind: str, place: int) -> dict[str, Any]:
    """What is told of an exposure that a person took out of a class, where it was called so."""
    reason = f"a person said that it is not {kind}{f': class {place}' if kind == 'known' else ''}"
    p_known = {k: share for k, share in told.get("p_known", {}).items() if int(k) != place}
    return {**told, "kind": "unsure", "class": None, "error": None, "p_known": p_known, "reason": reason}


class Recalls(Protocol):
    """What an exposure was, by its number."""

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        """Its features, without the pictures that were left out or ``whole``."""

    def traits_of(self, number: int) -> Traits | None:
        """What it told of the stream."""


def known(place: int) -> bool:
    """Whether an exposure at this place, a class or UNSURE, is part of what the learner knows."""
    return place >= 0 or place == UNSURE


def applied(state: State, changes: Iterable[Change], store: Recalls, tentative: Iterable[Change] = ()) -> State:
    """The state after exposures have moved, also between tentative places. What is unsure now and was not has
    a tentative group of its own where nothing is said."""
    changes = [change for change in changes if change.before != change.after]
    exact, samples_of = state.exact, store.samples_of
    gone = [change.exposure for change in changes if known(change.before) and not known(change.after)]
    if gone:
        exact = exact.forget([samples_of(number, whole=True) for number in gone])
    if doubted := [change.exposure for change in changes if change.before >= 0 and change.after == UNSURE]:
        exact = exact.doubt(doubted)
    for change in changes:
        if not known(change.before) and known(change.after):
            exact = exact.see(samples_of(change.exposure, whole=True), store.traits_of(change.exposure))
    for target in sorted({change.after for change in changes if change.after >= 0}):
        own = [c for c in changes if c.after == target]
        if moved := [c.exposure for c in own if c.before >= 0]:
            exact = exact.move(moved, target)
        for change in own:
            if change.before < 0:
                exact = exact.learn(samples_of(change.exposure), target, state.memory, 0)

    members = {k: list(numbers) for k, numbers in state.members.items()}
    for change in changes:
        if change.before >= 0:
            members[change.before].remove(change.exposure)
        if change.after >= 0:
            members.setdefault(change.after, []).append(change.exposure)
    memory = state.memory
    for class_id in sorted({place for c in changes for place in (c.before, c.after) if place >= 0}):
        own_samples = [samples_of(number) for number in sorted(members[class_id])]
        memory = memory.rechosen(class_id, own_samples, exact.features)

    last = {change.exposure: change.after for change in changes}
    waiting = [samples for samples in state.waiting if samples.number not in last]
    waiting += [samples_of(number) for number, place in last.items() if place == UNSURE]
    founded = max([state.founded, *(change.after + 1 for change in changes)])
    places = placed(state.tentative, [own.number for own in waiting], last, tentative, founded)
    return replace(
        state,
        classifier=exact,
        memory=memory,
        members={k: tuple(sorted(numbers)) for k, numbers in members.items() if numbers},
        founded=max([founded, *(place + 1 for place in places.values())]),
        waiting=oldest_first(waiting),
        tentative=places,
    )


def placed(
    before: Mapping[int, int],
    waiting: Iterable[int],
    moved: Collection[int],
    said: Iterable[Change],
    next_id: int,
) -> dict[int, int]:
    """The tentative places of what waits, after some exposures have moved and these moves between tentative
    places were said.

    >>> placed({1: 7, 2: 7}, [1, 3, 4], [2, 3, 4], [Change(1, 7, 5), Change(3, NOWHERE, 6)], next_id=9)
    {1: 5, 3: 6, 4: 9}
    """
    now = {number: place for number, place in before.items() if number not in moved}
    for change in said:
        if now.get(change.exposure, NOWHERE) == change.before and change.after != NOWHERE:
            now[change.exposure] = change.after
    found: dict[int, int] = {}
    for number in sorted(waiting):
        found[number] = now.get(number, next_id)
        next_id += number not in now
    return found
