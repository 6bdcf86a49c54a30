"""Answers: what a person says to a question, and what follows from it.

An answer is about the exposures that were shown, and of nothing else is it the person's word. It moves
exposures into classes, tells pairs apart, or says that nobody can tell; and it teaches how much alike two
groups of this stream have to be (exact/told.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ilap.core.decision import Decision
from ilap.core.errors import BadCorrection
from ilap.exact.questions import SIGNS, Question, Scene
from ilap.exact.statistics import NO_CLASS
from ilap.exact.told import Told, pair
from ilap.learner.log import UNSURE
from ilap.learner.state import State
from ilap.learner.tentative import groups, id_of_new

SAME, DIFFERENT, NEW, CANNOT, ALL = "same", "different", "new", "cannot", "all"
KEYS: Mapping[str, tuple[str, ...]] = {
    "which": ("1", "2", "3", "4", "5", NEW, CANNOT),
    "same": (SAME, DIFFERENT, CANNOT),
    "batch": (ALL, CANNOT),
    "split": (ALL, CANNOT),
}
"""The answers that each kind of question takes. The first letter of a word is enough. Of a batch and of a split
some of what is shown can be left out, as *not 40,7*."""
KIND_OF = {sign: kind for kind, sign in SIGNS.items()}

LOOKED_AT = 10  # unsure exposures that are asked about again after an answer; cost


@dataclass(frozen=True)
class AnswerEffect:
    """What an answer does. ``moves`` are exposures with the classes that they are in from now on; of those that
    are ``named`` this is the person's word. ``founds`` and ``merges`` are a class that is founded, and one that
    becomes part of another."""

    told: Told
    moves: Mapping[int, int]
    named: tuple[int, ...] = ()
    founds: int | None = None
    merges: tuple[int, int] | None = None


def question_of(word: str) -> Question:
    """The question of an id.

    >>> found = question_of("12:40,7")
    >>> found.kind, found.exposure, found.shown
    ('which', 12, (40, 7))
    """
    found = re.fullmatch(r"(\d{1,16})([:=+-])(\d{1,16}(?:,\d{1,16})*)", word.strip())
    numbers = [int(found[1]), *map(int, found[3].split(","))] if found else []
    kind = KIND_OF[found[2]] if found else "same"
    if len(set(numbers)) < 2 or len(set(numbers)) != len(numbers) or (kind == "same" and len(numbers) > 2):
        raise BadCorrection(f"{word!r} is no question: copy one that ilap ask prints, as 12:40,7 or 12=40.")
    return Question(kind, numbers[0], tuple(numbers[1:]))


def keys_of(question: Question) -> list[str]:
    """The answers that a question takes.

    >>> keys_of(Question("which", 12, (40, 7)))
    ['1', '2', 'new', 'cannot']
    """
    return [key for key in KEYS[question.kind] if not key.isdecimal() or int(key) <= len(question.shown)]


def key_of(question: Question, word: str) -> str:
    """The answer that is meant by a word, or by its first letter.

    >>> key_of(Question("same", 0, (1,)), "d")
    'different'
    >>> key_of(Question("batch", 0, (1, 2, 3)), "not 3, 1")
    'not 1,3'
    """
    said = word.strip().lower()
    keys = keys_of(question)
    if ALL in keys and (without := re.fullmatch(r"not\s+(\d{1,16}(?:\s*,\s*\d{1,16})*)", said)):
        numbers = sorted({int(number) for number in without[1].split(",")})
        if odd := [number for number in numbers if number not in question.shown]:
            raise BadCorrection(f"{question.id} does not show exposure {odd[0]}: leave out some that it shows.")
        return f"not {','.join(map(str, numbers))}"
    for key in keys:
        if said and (said in (key, key[0]) or (key == CANNOT and said in ("cannot tell", "cannot-tell"))):
            return key
    also = f", not {question.shown[-1]} for all but some" if ALL in keys else ""
    raise BadCorrection(
        f"{word!r} is no answer to {question.id}: say {', '.join(keys[:-1])} or {keys[-1]}{also}."
    )


def left_out(key: str) -> set[int]:
    """The exposures that an answer leaves out of a batch or a split.

    >>> left_out("all"), left_out("not 1,3")
    (set(), {1, 3})
    """
    return {int(number) for number in re.findall(r"\d+", key)}


def effect(state: State, scene: Scene, question: Question, key: str) -> AnswerEffect:
    """What follows from an answer."""
    for number in (question.exposure, *question.shown):
        if number not in scene.row:
            raise BadCorrection(
                f"Exposure {number} is not there any more, or never was: ilap show lists those there are."
            )
    number, shown = question.exposure, question.shown
    if number in shown:
        raise BadCorrection(f"Exposure {number} cannot be compared with itself: name two exposures.")
    if key == CANNOT:
        return AnswerEffect(Told(untold=tuple((number, other) for other in shown)), {})
    if key == NEW:
        return new(state, scene, number, shown)
    if key == DIFFERENT:
        return different(state, scene, number, shown[0])
    if key == SAME:
        return same(state, scene, number, shown[0])
    if question.kind == "batch":
        return batch(state, scene, number, shown, left_out(key))
    if question.kind == "split":
        return split(state, scene, number, shown, left_out(key))
    return of_class(state, scene, number, shown[int(key) - 1])


def of_class(state: State, scene: Scene, number: int, other: int) -> AnswerEffect:
    """An exposure shows the same as another: it joins its class, or both found one."""
    place = class_of(state, other)
    target = id_of_new(state, other) if place is None else place
    told = Told(((pair(number, other)),), lessons=((joins(scene, number, other), True),))
    return AnswerEffect(
        told, {number: target, other: target}, (number, other), target if place is None else None
    )


def new(state: State, scene: Scene, number: int, shown: tuple[int, ...]) -> AnswerEffect:
    """An exposure shows none of what was shown: it is a class of its own."""
    place = class_of(state, number)
    told = Told(
        apart=tuple(pair(number, other) for other in shown),
        lessons=tuple((joins(scene, number, other), False) for other in shown),
    )
    if place is not None and state.members[place] == (number,):
        return AnswerEffect(told, {number: place}, (number,))
    alone = len(groups(state).get(state.tentative.get(number, NO_CLASS), ())) == 1
    target = id_of_new(state, number) if alone else state.founded
    return AnswerEffect(told, {number: target}, (number,), target)


def same(state: State, scene: Scene, number: int, other: int) -> AnswerEffect:
    """Two exposures show one thing: both found a class, or one joins the other's, or their classes are one."""
    told = Told((pair(number, other),), lessons=((between(scene, number, other), True),))
    known = [place for one in (number, other) if (place := class_of(state, one)) is not None]
    named = (number, other)
    if not known:
        target = id_of_new(state, number)
        return AnswerEffect(told, dict.fromkeys(named, target), named, target)
    into, gone = min(known), max(known)
    if into == gone:
        return AnswerEffect(told, dict.fromkeys(named, into), named)
    moves = {**dict.fromkeys(state.members[gone], into), **dict.fromkeys(named, into)}
    return AnswerEffect(told, moves, named, merges=(into, gone))


def different(state: State, scene: Scene, number: int, other: int) -> AnswerEffect:
    """Two exposures show two things. Of one class that which fits worse is a class of its own."""
    told = Told(apart=(pair(number, other),), lessons=((between(scene, number, other), False),))
    place = class_of(state, number)
    if place is None or place != class_of(state, other):
        return AnswerEffect(told, {})
    rest = [scene.row[n] for n in state.members[place] if n not in (number, other)]
    fits = [scene.odds[scene.row[one], rest].mean() if rest else -one for one in (number, other)]
    worse = number if fits[0] < fits[1] else other
    return AnswerEffect(told, {worse: state.founded}, (worse,), state.founded)


def batch(state: State, scene: Scene, number: int, shown: tuple[int, ...], out: set[int]) -> AnswerEffect:
    """All of some exposures show the same as one, but for those left ``out``: they are in its class, and what
    was wrongly in it waits."""
    place, own = class_of(state, number), tuple(other for other in shown if other not in out)
    target = id_of_new(state, number) if place is None else place
    told = Told(
        tuple(pair(number, other) for other in own),
        tuple(pair(number, other) for other in shown if other in out),
        lessons=tuple((joins(scene, other, number), other not in out) for other in shown),
    )
    moves = {other: UNSURE for other in sorted(out) if class_of(state, other) == target}
    moves.update(dict.fromkeys((number, *own), target))
    return AnswerEffect(told, moves, (number, *own), target if place is None else None)


def split(state: State, scene: Scene, number: int, shown: tuple[int, ...], kept: set[int]) -> AnswerEffect:
    """Some exposures of a place are a class of their own. Of those that are ``kept`` there nothing is said; but
    where all are, all of it is one."""
    own = tuple(other for other in shown if other not in kept)
    if not own:
        return batch(state, scene, number, shown, set())
    rows = [scene.row[other] for other in own]
    rest = [row for row in scene.rows(int(scene.places[scene.row[number]])) if row not in rows]
    told = Told(
        tuple(pair(own[0], other) for other in own[1:]),
        tuple(pair(number, other) for other in own),
        lessons=((float(scene.odds[np.ix_(rest or [scene.row[number]], rows)].mean()), False),),
    )
    return AnswerEffect(told, dict.fromkeys(own, state.founded), own, state.founded)


def class_of(state: State, number: int) -> int | None:
    """The class that an exposure is part of."""
    return next((k for k, own in state.members.items() if number in own), None)


def joins(scene: Scene, number: int, other: int) -> float:
    """The log odds of an exposure with the place that another one stands for."""
    row, place = scene.row[number], int(scene.groups[1][scene.row[other]])
    found = float(scene.means[row, place])
    return found if np.isfinite(found) else float(scene.odds[row, scene.row[other]])


def between(scene: Scene, number: int, other: int) -> float:
    """The log odds of the groups that two exposures stand for; where these are parts of one place, the mean
    over all pairs."""
    one, two = scene.row[number], scene.row[other]
    inside = scene.groups[1]
    if inside[one] != inside[two]:
        return float(scene.between[inside[one], inside[two]])
    return float(scene.odds[np.ix_(*scene.sides(one, two))].mean())


def nearest(scene: Scene, state: State, about: tuple[int, ...]) -> list[int]:
    """The exposures that wait and are most like some others: an answer about these may settle them."""
    waiting = [samples.number for samples in state.waiting if samples.number in scene.row]
    rows = [scene.row[number] for number in about]
    alike = {number: float(scene.odds[scene.row[number], rows].max()) for number in waiting}
    return sorted(waiting, key=lambda number: (-alike[number], number))[:LOOKED_AT]


def decisions(state: State, done: AnswerEffect) -> list[Decision]:
    """What a person decided of exposures, after the moves."""
    found = []
    for place, number in enumerate(done.named):
        target = done.moves[number]
        new = target == done.founds and not place
        all_moved = state.members[target] if done.merges and not place else ()
        found.append(
            Decision(
                "new" if new else "known",
                target,
                float("nan"),
                {},
                "a person said so",
                number,
                0.0,
                moved=all_moved,
                moved_to=target if all_moved else None,
                by="person",
            )
        )
    return found
