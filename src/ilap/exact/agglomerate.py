"""Agglomeration: which exposures show one thing, by the odds of a model in which an exposure is a session.

In every direction of a band the mean of a class is drawn from N(0, (1 - r) t), a session around it from
N(0, r t), and the mean of an exposure around that with its noise (bands.py). So the exposures of a group have
the precisions p = 1 / (r t + noise). With P = sum p and h = sum p x the log marginal likelihood of a group is

    m = sum over directions of  -1/2 ln(1 + b P) + 1/2 h^2 / (P + 1/b),    b = (1 - r) t,

less what does not depend on the grouping (PLDA: Ioffe, ECCV 2006; Bayesian hierarchical clustering: Heller &
Ghahramani, ICML 2005). The log odds that two groups are one are m of both together less m of each. Groups that
are each other's best are joined as long as their odds are above 0, all such pairs at once, in rounds
(reciprocal nearest neighbours: Murtagh, "A survey of recent advances in hierarchical clustering algorithms",
1983). Where there are very many groups, only near ones are looked at (``near_pairs``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.bands import Bands

Rows = NDArray[np.intp]
AT_ONCE = 200_000  # pairs whose odds are worked out at a time, which bounds memory
FEW = 400  # groups of which all pairs are looked at; cost
NEAREST = 20  # groups that are looked at around one where there are more; cost
LEADING = 128  # directions in which those are found; cost


@dataclass(frozen=True)
class Gathered:
    """Groups of exposures: for every band the precision and |h|^2 of each, and h, a row for each; ``alone`` is
    m of each."""

    bands: Bands
    between: Array
    precision: Array
    h: Array
    squares: Array
    alone: Array

    def __len__(self) -> int:
        return len(self.h)

    @cached_property
    def by_band(self) -> list[Array]:
        """h of all groups, band by band."""
        return self.bands.parts(self.h)

    def odds(self, rows: Rows | None = None) -> Array:
        """The log odds that some groups, or all, are one with each; with itself they say nothing."""
        chosen = np.arange(len(self)) if rows is None else rows
        step = max(1, AT_ONCE // max(len(self), 1))
        parts = [self._odds(chosen[at : at + step]) for at in range(0, len(chosen), step)]
        return np.concatenate(parts) if parts else np.empty((0, len(self)))

    def _odds(self, rows: Rows) -> Array:
        squares = np.empty((len(self.between), len(rows), len(self)))
        for own, products in zip(self.by_band, squares, strict=True):
            np.matmul(own[rows], own.T, out=products)
        squares *= 2
        squares += self.squares[:, rows, None]
        squares += self.squares[:, None]
        precision = self.precision[:, rows, None] + self.precision[:, None]
        return likelihood(self.bands, self.between, precision, squares) - (self.alone[rows, None] + self.alone)

    def odds_of(self, ones: Rows, others: Rows) -> Array:
        """The log odds that groups are one, pair by pair."""
        step = max(1, AT_ONCE // 32)
        parts = [
            self._odds_of(ones[at : at + step], others[at : at + step]) for at in range(0, len(ones), step)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def _odds_of(self, ones: Rows, others: Rows) -> Array:
        products = self.bands.sums(self.h[ones] * self.h[others])
        squares = self.squares[:, ones] + self.squares[:, others] + 2 * products
        precision = self.precision[:, ones] + self.precision[:, others]
        together = likelihood(self.bands, self.between, precision, squares)
        return together - (self.alone[ones] + self.alone[others])

    def joined(self, ones: Rows, others: Rows) -> Gathered:
        """The first of every pair takes the second one in; the second ones are left out."""
        h, precision, squares, alone = (
            self.h.copy(),
            self.precision.copy(),
            self.squares.copy(),
            self.alone.copy(),
        )
        squares[:, ones] += squares[:, others] + 2 * self.bands.sums(h[ones] * h[others])
        h[ones] += h[others]
        precision[:, ones] += precision[:, others]
        alone[ones] = likelihood(self.bands, self.between, precision[:, ones], squares[:, ones])
        stays = np.ones(len(self), bool)
        stays[others] = False
        return Gathered(
            self.bands, self.between, precision[:, stays], h[stays], squares[:, stays], alone[stays]
        )


def likelihood(seen: Bands, between: Array, precision: Array, squares: Array) -> Array:
    """m, of groups along the last axes; bands along the first."""
    b = between.reshape(-1, *[1] * (precision.ndim - 1))
    each = squares / (precision + 1 / b)
    logs = np.log(1 + b * precision)
    logs *= seen.sizes.reshape(b.shape)
    each -= logs
    found: Array = 0.5 * seen.weights @ each.reshape(len(each), -1)
    return found.reshape(each.shape[1:])


def gathered(seen: Bands, share: float, labels: Rows) -> Gathered:
    """Exposures in groups by their labels, which are 0 and up, each at least once; ``share`` is r."""
    precision = 1 / (share * seen.spread[:, None] + seen.noise)
    h = seen.rows * seen.weighted(precision.T)
    count = int(labels.max()) + 1
    if count < len(labels) or (labels != np.arange(count)).any():
        inside = np.zeros((count, len(labels)))
        inside[labels, np.arange(len(labels))] = 1
        precision, h = precision @ inside.T, inside @ h
    squares, between = seen.sums(h**2), (1 - share) * seen.spread
    return Gathered(seen, between, precision, h, squares, likelihood(seen, between, precision, squares))


def with_rest(single: Gathered, places: Gathered, inside: Rows) -> Array:
    """The log odds that each exposure is one thing with each place, without itself."""
    rows = np.arange(len(inside))
    products = np.stack([a @ b.T for a, b in zip(single.by_band, places.by_band, strict=True)])
    rest = np.maximum(places.precision[:, inside] - single.precision, 0)
    squares = places.squares[:, inside] + single.squares - 2 * products[:, rows, inside]
    alone = np.tile(places.alone, (len(rows), 1))
    alone[rows, inside] = likelihood(places.bands, places.between, rest, squares)
    precision = places.precision[:, None, :] + single.precision[:, :, None]
    precision[:, rows, inside] = rest + single.precision
    products *= 2
    products += places.squares[:, None, :] + single.squares[:, :, None]
    products[:, rows, inside] = places.squares[:, inside]  # with its own place without it: the place
    odds = likelihood(places.bands, places.between, precision, products) - (alone + single.alone[:, None])
    by_itself = np.bincount(inside)[inside] == 1
    odds[rows[by_itself], inside[by_itself]] = -np.inf
    return odds


def agglomerated(
    groups: Gathered,
    known: NDArray[np.bool_] | None = None,
    apart: Sequence[tuple[int, int]] = (),
    needed: float = 0.0,
) -> tuple[Rows, float]:
    """The group of every group after joining, 0 and up, and the sum of all odds at which they were joined: how
    much likelier the data are than if all were identities of their own. Two that are ``known`` never are,
    nor are those that are ``apart``; others are as long as their odds are above those ``needed``."""
    known = np.zeros(len(groups), bool) if known is None else known
    if len(groups) > FEW:
        return agglomerated_near(groups, known, apart, needed)
    label, gain = np.arange(len(groups)), 0.0
    barred = known[:, None] & known
    for one, other in apart:
        barred[one, other] = barred[other, one] = True
    np.fill_diagonal(barred, True)
    odds = np.where(barred, -np.inf, groups.odds())
    while True:
        rows, best = np.arange(len(groups)), odds.argmax(1)
        value = odds[rows, best]
        ones = np.flatnonzero((best[best] == rows) & (rows < best) & (value > needed))
        if not len(ones):
            return label, gain
        others = best[ones]
        gain += float(value[ones].sum())
        groups = groups.joined(ones, others)
        stays, after = np.ones(len(rows), bool), rows.copy()
        stays[others], after[others] = False, ones
        place = np.cumsum(stays) - 1
        label = place[after[label]]
        barred[ones] |= barred[others]
        barred[:, ones] |= barred[:, others]
        barred, odds = barred[np.ix_(stays, stays)], odds[np.ix_(stays, stays)]
        changed = place[ones]
        fresh = groups.odds(changed)
        fresh[:, changed] = (fresh[:, changed] + fresh[:, changed].T) / 2
        fresh[barred[changed]] = -np.inf
        odds[changed], odds[:, changed] = fresh, fresh.T


def agglomerated_near(
    groups: Gathered, known: NDArray[np.bool_], apart: Sequence[tuple[int, int]], needed: float
) -> tuple[Rows, float]:
    """The same of very many groups: near ones alone are looked at, and none again whose odds were too small."""
    label, gain = np.arange(len(groups)), 0.0
    ones, others, odds = near_pairs(groups)
    while True:
        count = len(groups)
        barred = [min(label[a], label[b]) * count + max(label[a], label[b]) for a, b in apart]
        left = (odds > needed) & ~(known[ones] & known[others]) & ~np.isin(ones * count + others, barred)
        ones, others, odds = ones[left], others[left], odds[left]
        best = best_partners(ones, others, odds, count)
        rows = np.flatnonzero(best >= 0)
        first = rows[(best[best[rows]] == rows) & (rows < best[rows])]
        if not len(first):
            return label, gain
        second = best[first]
        gain += float(odds[np.isin(ones * count + others, first * count + second)].sum())
        groups, known = groups.joined(first, second), known.copy()
        known[first] |= known[second]
        stays, after = np.ones(count, bool), np.arange(count)
        stays[second], after[second] = False, first
        place = (np.cumsum(stays) - 1)[after]
        label, known, joined = place[label], known[stays], place[first]
        low, high = np.minimum(place[ones], place[others]), np.maximum(place[ones], place[others])
        keys, at = np.unique(low * len(groups) + high, return_index=True)
        ones, others, odds = keys // len(groups), keys % len(groups), odds[at]
        again = np.isin(ones, joined) | np.isin(others, joined)
        odds[again] = groups.odds_of(ones[again], others[again])
        odds[ones == others] = -np.inf


def best_partners(ones: Rows, others: Rows, odds: Array, count: int) -> Rows:
    """Of each group the other one of its pair with the largest odds; -1 where it has none.

    >>> best_partners(np.array([0, 1]), np.array([1, 2]), np.array([3.0, 5.0]), 4).tolist()
    [1, 2, 1, -1]
    """
    best, order = np.full(count, -1), np.argsort(odds, kind="stable")
    both = np.stack([ones[order], others[order]], 1)
    best[both.ravel()] = both[:, ::-1].ravel()  # the pair with the largest odds is written last
    return best


def near_pairs(groups: Gathered) -> tuple[Rows, Rows, Array]:
    """Pairs of groups that may be joined, the first before the second, and their odds: of each the nearest, by
    the cosine of what is expected of the identities in the leading directions."""
    count = len(groups)
    leading = groups.bands.weighted((1 / (groups.precision + 1 / groups.between[:, None])).T)[:, :LEADING]
    expected = (groups.h[:, :LEADING] * leading).astype(np.float32)
    expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-12)
    keys, step = list[Rows](), max(1, 20 * AT_ONCE // count)
    for at in range(0, count, step):
        near = expected[at : at + step] @ expected.T
        rows = np.arange(at, at + len(near))
        near[rows - at, rows] = -np.inf
        best = np.argpartition(-near, NEAREST, axis=1)[:, :NEAREST]
        low, high = np.minimum(rows[:, None], best), np.maximum(rows[:, None], best)
        keys.append(np.unique(low * count + high))
    every = np.unique(np.concatenate(keys))
    ones, others = every // count, every % count
    return ones, others, groups.odds_of(ones, others)


def squashed(odds: Array) -> Array:
    """Log odds so that large ones count less: directions are not as independent as the model takes them to be.

    >>> squashed(np.array([0.0, -np.e + 1])).round(3).tolist()
    [0.0, -1.0]
    """
    small: Array = np.sign(odds) * np.log1p(np.abs(odds))
    return small
