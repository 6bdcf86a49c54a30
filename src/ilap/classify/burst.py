"""Bursts: exposures whose pictures resemble each other more than they resemble their class.

Frames of a clip or adjacent views differ by small steps, and two bursts of one thing may lie far apart, so the
distance of their means says little. What says much is whether they touch: the smallest distance between a
picture of one and a picture of the other, measured in steps.

A burst is known by itself. In capture order, by von Neumann's ratio, the mean squared difference of successive
pictures over twice their variance, which is 1 for independent pictures (von Neumann, "Distribution of the ratio
of the mean square successive difference to the variance", 1941). Without an order, by the mean edge of the
minimum spanning tree of the pictures, which is short where they form a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import logsumexp

from ilap.classify.likelihood import PATIENCE

Array = NDArray[np.float64]

ENOUGH = 4  # pictures that can tell a burst
ORDERED, UNORDERED = (0.65, 0.85), (0.85, 1.0)  # a burst for certain, no burst for certain
TREE, TREE_FALL = (
    0.62,
    -0.15,
)  # the mean edge of n independent pictures, over their variance: at least .62 n^-.15
USUAL = 2.0, 10.0  # pictures' worth of belief in no burst, and at most in what the stream showed before

TOUCH, TOUCH_SPREAD = 2.5, 1.1  # bursts of one thing: the smallest distance in steps, and the spread of its log
APART, APART_SPREAD = 12.0, 0.27  # bursts of two things, before any were seen
EARLY_SPREAD = 0.5
INDEPENDENT = 0.85  # pictures of two things are no farther apart than this share of what is usual for any two


@dataclass(frozen=True)
class Bond:
    """How much an exposure's pictures hang together: 1 where they are independent, less in a burst; ``weight``
    is how many pictures' worth the figure is."""

    ordered: bool
    value: float
    weight: float


def bond(residuals: Array, tr: float, ordered: bool, plain: Array) -> Bond | None:
    """Of an exposure's residuals, ``tr`` being their mean squared length, and of its pictures in the prior's
    coordinates where there is no order; None where there are too few."""
    count = len(residuals)
    if count < ENOUGH:
        return None
    if ordered:
        steps = ((residuals[1:] - residuals[:-1]) ** 2).sum()
        return Bond(True, float(steps) / (count - 1) / 2 / tr, count - 1.0)
    centred = plain - plain.mean(0)
    variance = float((centred**2).sum()) / (count - 1)
    return Bond(False, step(plain) / max(variance, 1e-12) / (TREE * count**TREE_FALL), 3.0)


def burstness(own: Bond | None, ordered: bool, before: Sequence[Bond]) -> float:
    """How surely an exposure is a burst, from 0 to 1: its own bond, pooled with those of the stream so far.

    >>> burstness(Bond(True, 0.1, 17.0), True, []), burstness(Bond(True, 1.0, 17.0), True, [])
    (1.0, 0.0)
    """
    doubt, most = USUAL
    old = [(b.value, b.weight) for b in before if b.ordered == ordered]
    total = sum(weight for _, weight in old)
    none = 1.0 if ordered else 1.2
    usual = (sum(value * weight for value, weight in old) + none * doubt) / (total + doubt)
    trust = min(total, most) + doubt
    value, weight = (own.value, own.weight) if own else (0.0, 0.0)
    pooled = (weight * value + trust * usual) / (weight + trust)
    certain, none = ORDERED if ordered else UNORDERED
    return float(np.clip((none - pooled) / (none - certain), 0, 1))


def step(pictures: Array) -> float:
    """Half the mean squared edge of the minimum spanning tree: how far a picture is from its neighbour.

    >>> step(np.array([[0.0], [2.0], [1.0], [3.0]]))
    0.5
    """
    if len(pictures) < 2:
        return 1e-9
    edges = minimum_spanning_tree(np.maximum(squares(pictures, pictures), 1e-12)).data / 2
    return max(float(edges.mean()) if len(edges) else 0.0, 1e-9)


def squares(a: Array, b: Array) -> Array:
    """Squared distances of all rows of one to all of the other."""
    distances: Array = np.maximum((a**2).sum(1)[:, None] + (b**2).sum(1) - 2 * a @ b.T, 0)
    return distances


def touching(pictures: Array, others: Sequence[Array]) -> Array:
    """The logarithm of half the smallest squared distance to each of the other exposures."""
    sizes = [len(other) for other in others]
    nearest = squares(pictures, np.concatenate(others)).min(0) / 2
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.log(np.maximum(np.minimum.reduceat(nearest, starts), 1e-9))


def log_odds(
    logs: Array,
    own_step: float,
    steps: Array,
    owners: NDArray[np.intp],
    apart: Sequence[float],
    known: int,
    usual_distance: float,
) -> Array:
    """For each class the log odds that the burst is of it and not of a new one. ``logs`` are the smallest
    distances to other exposures, whose steps and classes (columns) are ``steps`` and ``owners``; ``apart`` are
    such distances between exposures of different classes, as they were seen so far. ``usual_distance`` is that
    of any two pictures: however long the steps, two things are not expected to lie farther apart."""
    early = PATIENCE / (PATIENCE + known - 1)
    prior = np.log(min(APART * own_step, INDEPENDENT * usual_distance))
    usual = early * prior + (1 - early) * (float(np.mean(apart)) if len(apart) else prior)
    spread = np.sqrt(APART_SPREAD**2 + early * EARLY_SPREAD**2)
    seen = np.minimum(logs, usual + 0.5 * spread)
    centre = 0.5 * np.log(own_step) + 0.5 * np.log(steps) + np.log(TOUCH)
    same = -0.5 * ((seen - centre) / TOUCH_SPREAD) ** 2 - np.log(TOUCH_SPREAD)
    different = -0.5 * ((seen - usual) / spread) ** 2 - np.log(spread)
    each = same - different
    return np.array(
        [logsumexp(each[owners == k]) - np.log((owners == k).sum()) for k in range(int(owners.max()) + 1)]
    )
