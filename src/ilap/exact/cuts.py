"""Whether a stream was cut into exposures where it changes: bursts that look mixed, and cuts at which nothing
changes.

A *jump* is the squared distance of the means of a few pictures before a place and a few after it, over what
noise would make of it. Inside a burst of one thing jumps are small, from one thing to the next they are large.
How small and how large is told by the stream itself: by the median jump inside bursts, and by the median over
bursts of the largest jump inside or right after each, as there is a change be the cut right or wrong. On the
scale of logarithms between these two lie the bounds beyond which a jump counts as a change, or as none.

The bounds were set by hand on streams of 6 to 40 bursts of COIL-20, digits, turning objects, cattle and traffic
signs. Cut right, no more than 25 % of the bursts looked mixed, and 27 % of the cuts like none (of digits, some
of which do show the same on both sides); bursts of 8 cut by 10, at least 40 % looked mixed and, of ten bursts
and more, half of the cuts like none. Of chimpanzees' faces up to two thirds look mixed however they are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np

from ilap.core.classifier import Array

INSIDE, AROUND = (
    4,
    2,
)  # pictures on each side of a place in a burst, and of a cut, beyond which a change may lie
CHANGE, NO_CHANGE = 0.75, 0.25  # bounds between the jump inside a burst (0) and that between two things (1)
STANDS_OUT = log(1.5)  # by how much a change exceeds the median jump of its own burst
FEWEST = 4  # bursts that tell anything, and pictures of such a burst
MANY = 0.3  # of the bursts or cuts, from which on it is no accident
CLEAR = 1.3  # between the two sizes of jumps, from which on a single burst is told, too
TINY = 1e-9


@dataclass(frozen=True)
class Signs:
    """What speaks against a cut. ``mixed`` are bursts, each with the picture before which it changes, ``alike``
    the bursts after which nothing changes; each empty where it may be an accident."""

    mixed: tuple[tuple[int, int], ...] = ()
    alike: tuple[int, ...] = ()


def jump(before: Array, after: Array) -> float:
    """The logarithm of a jump."""
    away = float(((before.mean(0) - after.mean(0)) ** 2).sum())
    return log(max(away / (1 / len(before) + 1 / len(after)), TINY))


@dataclass(frozen=True)
class Jumps:
    """The jumps inside bursts, each by as many pictures on both sides, those from each burst to the next, and
    what is usual: inside a burst, and from one thing to another."""

    inside: Sequence[Array]
    after: Sequence[float]
    small: float
    large: float

    def bound(self, share: float) -> float:
        """So far from the small to the large ones."""
        return self.small + share * (self.large - self.small)


def jumps_of(bursts: Sequence[Array], width: int) -> Jumps:
    """All jumps of a stream."""
    inside = [
        np.array([jump(own[max(0, k - width) : k], own[k : k + width]) for k in range(1, len(own))])
        for own in bursts
    ]
    after = [jump(one[-width:], other[:width]) for one, other in pairwise(bursts)]
    largest = [max([*own, *after[i : i + 1]]) for i, own in enumerate(inside) if len(own)]
    return Jumps(inside, after, float(np.median(np.concatenate(inside))), float(np.median(largest)))


def signs(bursts: Sequence[Array], cut: Sequence[bool] | None = None) -> Signs:
    """What speaks against the cut of a stream: features of its bursts, pictures in order. ``cut`` says after
    which bursts a rule has cut, and not a person; everywhere by default."""
    if sum(len(own) >= FEWEST for own in bursts) < FEWEST:
        return Signs()
    jumps = jumps_of(bursts, INSIDE)
    judged = [i for i, own in enumerate(bursts) if len(own) >= FEWEST]
    mixed = [(i, place) for i in judged if (place := change(jumps.inside[i], jumps.bound(CHANGE)))]
    if jumps.large - jumps.small < CLEAR and not many(len(mixed), len(judged)):
        mixed = []
    near = jumps_of(bursts, AROUND)
    places = [i for i in range(len(near.after)) if cut is None or cut[i]]
    alike = [i for i in places if near.after[i] <= near.bound(NO_CHANGE)]
    return Signs(tuple(mixed), tuple(alike) if many(len(alike), len(places)) else ())


def change(inside: Array, bound: float) -> int | None:
    """The picture before which a burst changes; None where it does not."""
    at = int(inside.argmax())
    others = inside[np.abs(np.arange(len(inside)) - at) > 1]
    stands_out = len(others) and inside[at] - float(np.median(others)) >= STANDS_OUT
    return at + 1 if stands_out and inside[at] >= bound else None


def many(count: int, total: int) -> bool:
    """Whether so many are no accident."""
    return count >= 2 and count >= MANY * total
