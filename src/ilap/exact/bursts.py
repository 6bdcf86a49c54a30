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

from ilap.core.classifier import Array
from ilap.core.rule import BurstRule


@dataclass(frozen=True)
class Bond:
    """How much an exposure's pictures hang together: 1 where they are independent, less in a burst; ``weight``
    is how many pictures' worth the figure is."""

    ordered: bool
    value: float
    weight: float


def bond(residuals: Array, tr: float, ordered: bool, plain: Array, rule: BurstRule) -> Bond | None:
    """Of an exposure's residuals, ``tr`` being their mean squared length, and of its pictures in the prior's
    coordinates where there is no order; None where there are too few."""
    count = len(residuals)
    if count < rule.enough:
        return None
    if ordered:
        steps = ((residuals[1:] - residuals[:-1]) ** 2).sum()
        return Bond(True, float(steps) / (count - 1) / 2 / tr, count - 1.0)
    centred = plain - plain.mean(0)
    variance = float((centred**2).sum()) / (count - 1)
    usual = rule.tree * count**rule.tree_fall
    return Bond(False, step(plain) / max(variance, 1e-12) / usual, rule.tree_weight)


def burstness(own: Bond | None, ordered: bool, before: Sequence[Bond], rule: BurstRule) -> float:
    """How surely an exposure is a burst, from 0 to 1: its own bond, pooled with those of the stream so far.

    >>> rule = BurstRule()
    >>> burstness(Bond(True, 0.1, 17.0), True, [], rule), burstness(Bond(True, 1.0, 17.0), True, [], rule)
    (1.0, 0.0)
    """
    old = [(b.value, b.weight) for b in before if b.ordered == ordered]
    total = sum(weight for _, weight in old)
    independent = rule.ordered_usual if ordered else rule.tree_usual
    usual = (sum(value * weight for value, weight in old) + independent * rule.doubt) / (total + rule.doubt)
    trust = min(total, rule.most_trust) + rule.doubt
    value, weight = (own.value, own.weight) if own else (0.0, 0.0)
    pooled = (weight * value + trust * usual) / (weight + trust)
    certain = rule.ordered_burst if ordered else rule.tree_burst
    none = rule.ordered_none if ordered else rule.tree_none
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
    patience: float,
    rule: BurstRule,
) -> Array:
    """For each class the log odds that the burst is of it and not of a new one. ``logs`` are the smallest
    distances to other exposures, whose steps and classes (columns) are ``steps`` and ``owners``; ``apart`` are
    such distances between exposures of different classes, as they were seen so far. ``usual_distance`` is that
    of any two pictures: however long the steps, two things are not expected to lie farther apart. ``patience``
    is how many classes' worth of belief there is in the constants, where ``known`` classes are known."""
    early = patience / (patience + known - 1)
    expected = np.log(min(rule.apart * own_step, rule.independent * usual_distance))
    usual = early * expected + (1 - early) * (float(np.mean(apart)) if len(apart) else expected)
    spread = np.sqrt(rule.apart_spread**2 + early * rule.apart_early_spread**2)
    seen = np.minimum(logs, usual + rule.beyond * spread)
    centre = 0.5 * np.log(own_step) + 0.5 * np.log(steps) + np.log(rule.touch)
    same = -0.5 * ((seen - centre) / rule.touch_spread) ** 2 - np.log(rule.touch_spread)
    different = -0.5 * ((seen - usual) / spread) ** 2 - np.log(spread)
    each = same - different
    return np.array(
        [logsumexp(each[owners == k]) - np.log((owners == k).sum()) for k in range(int(owners.max()) + 1)]
    )
