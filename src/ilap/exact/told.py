"""What people told: each answer to a question, as a value.

An answer names exposures that show one thing, or two. From all answers follow the pairs that are told apart,
those that nobody could tell, and how much two groups of this stream have to be alike to be one: groups are
joined at a mean log odds that is right on average (``alone`` in the rule), but streams differ, and whether two
groups that are so alike were one thing is just what an answer says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ilap.core.classifier import Array

Pair = tuple[int, int]
Lesson = tuple[float, bool]
"""The mean log odds of two groups, and whether a person said that they are one."""

SPREAD = 1.0  # of the threshold between streams, around the rule's; half of what it is over burst families
SOFT = 0.5  # width of the step from two things to one; by hand
SLIPS = 0.02  # share of answers that are wrong; by hand
LOWEST, HIGHEST, STEP = -5.0, 6.0, 0.05  # thresholds that are weighed


@dataclass(frozen=True)
class Told:
    """One answer: exposures that show one thing, that show two, that cannot be told; and what it teaches."""

    together: tuple[Pair, ...] = ()
    apart: tuple[Pair, ...] = ()
    untold: tuple[Pair, ...] = ()
    lessons: tuple[Lesson, ...] = ()


def pair(one: int, other: int) -> Pair:
    """Two exposures, the lower number first."""
    return (one, other) if one < other else (other, one)


def apart(told: Sequence[Told]) -> frozenset[Pair]:
    """The pairs told apart; the last word on a pair holds.

    >>> sorted(apart([Told(apart=((0, 1), (0, 2))), Told(together=((0, 1),))]))
    [(0, 2)]
    """
    found: set[Pair] = set()
    for one in told:
        found -= set(one.together)
        found |= set(one.apart)
    return frozenset(found)


def together(told: Sequence[Told]) -> frozenset[Pair]:
    """The pairs that show one thing; the last word on a pair holds.

    >>> sorted(together([Told(together=((0, 1), (0, 2))), Told(apart=((0, 1),))]))
    [(0, 2)]
    """
    found: set[Pair] = set()
    for one in told:
        found -= set(one.apart)
        found |= set(one.together)
    return frozenset(found)


def threshold(told: Sequence[Told], usual: float) -> float:
    """The mean log odds that two groups of this stream need to be one: the usual ones, and what answers teach
    (the posterior mean of a logistic step, whose place is normal around the usual one).

    >>> threshold([], 2.0)
    2.0
    >>> threshold([Told(lessons=((2.5, False),))], 2.0) > 2.0 > threshold([Told(lessons=((1.5, True),))], 2.0)
    True
    """
    lessons = [lesson for one in told for lesson in one.lessons]
    if not lessons:
        return usual
    places = np.arange(LOWEST, HIGHEST, STEP)
    before = -0.5 * ((places - usual) / SPREAD) ** 2
    after = before.copy()
    for odds, same in lessons:
        one = SLIPS + (1 - 2 * SLIPS) / (1 + np.exp((places - odds) / SOFT))
        after += np.log(one if same else 1 - one)
    moved = mean_place(places, after) - mean_place(places, before)  # the grid's ends weigh in both alike
    return float(np.clip(usual + moved, LOWEST, HIGHEST))


def mean_place(places: Array, logs: Array) -> float:
    """The mean of a density that is known by its logarithm, up to a constant."""
    weights = np.exp(logs - logs.max())
    return float(weights @ places / weights.sum())
