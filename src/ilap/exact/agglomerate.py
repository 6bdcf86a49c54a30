"""Agglomeration: which exposures show one thing, by the odds of a model in which an exposure is an occasion.

In every direction of a band the mean of a class is drawn from N(0, (1 - r) t), an occasion around it from
N(0, r t), and the mean of an exposure around that with its noise (bands.py). So the exposures of a group have
the precisions p = 1 / (r t + noise). With P = sum p and h = sum p x the log marginal likelihood of a group is

    m = sum over directions of  -1/2 ln(1 + b P) + 1/2 h^2 / (P + 1/b),    b = (1 - r) t,

less what does not depend on the grouping (PLDA: Ioffe, ECCV 2006; Bayesian hierarchical clustering: Heller &
Ghahramani, ICML 2005). The log odds that two groups are one are m of both together less m of each. The pair
with the best odds is joined as long as these are above 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.bands import Bands

FEW = 600  # groups up to which all products are kept, which makes joining them fast


@dataclass
class Gathered:
    """Groups of exposures: for every band the precision and |h|^2 of each, and h itself. Where groups are few,
    ``products`` are those of all h in every band, and only they are kept up when groups are joined."""

    bands: Bands
    between: Array
    precision: Array
    h: Array
    squares: Array
    alone: Array  # m of each
    products: Array | None

    def by_band(self) -> list[Array]:
        """h of all groups, band by band."""
        ends = [*self.bands.starts[1:], self.h.shape[1]]
        return [self.h[:, start:end] for start, end in zip(self.bands.starts, ends, strict=True)]

    def likelihood(self, precision: Array, squares: Array) -> Array:
        """m, of groups along the last axes; bands along the first."""
        b = self.between.reshape(-1, *[1] * (precision.ndim - 1))
        each = squares / (precision + 1 / b) - self.bands.sizes.reshape(b.shape) * np.log1p(b * precision)
        found: Array = 0.5 * self.bands.weights @ each.reshape(len(each), -1)
        return found.reshape(each.shape[1:])

    def odds(self, one: int, others: NDArray[np.intp]) -> Array:
        """The log odds that a group is one with each of the others."""
        if self.products is None:
            products = np.stack([own @ own[one] for own in self.by_band()])[:, others]
        else:
            products = self.products[:, one, others]
        together = self.precision[:, [one]] + self.precision[:, others]
        squares = self.squares[:, [one]] + self.squares[:, others] + 2 * products
        found: Array = self.likelihood(together, squares) - self.alone[one] - self.alone[others]
        return found

    def all_odds(self) -> Array:
        """Of all pairs; the diagonal says nothing."""
        total = np.zeros((len(self.h), len(self.h)))
        for band, own in enumerate(self.by_band()):
            products = own @ own.T if self.products is None else self.products[band]
            squares = self.squares[band][:, None] + self.squares[band] + 2 * products
            precision = self.precision[band][:, None] + self.precision[band]
            b, weight = self.between[band], self.bands.weights[band]
            total += 0.5 * weight * squares / (precision + 1 / b)
            total -= 0.5 * weight * self.bands.sizes[band] * np.log1p(b * precision)
        total -= self.alone[:, None] + self.alone
        return total

    def join(self, one: int, other: int) -> None:
        """The first group takes the second one in."""
        self.precision[:, one] += self.precision[:, other]
        if self.products is None:
            self.h[one] += self.h[other]
            self.squares[:, one] = np.add.reduceat(self.h[one] ** 2, self.bands.starts)
        else:
            self.products[:, one] += self.products[:, other]
            self.products[:, :, one] += self.products[:, :, other]
            self.squares[:, one] = self.products[:, one, one]
        self.alone[one] = self.likelihood(self.precision[:, [one]], self.squares[:, [one]])[0]


def gathered(seen: Bands, share: float, labels: NDArray[np.intp]) -> Gathered:
    """Exposures in groups by their labels, which are 0 and up, each at least once; ``share`` is r."""
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    each = (1 / (share * seen.spread[:, None] + seen.noise))[:, order]
    weighted = np.repeat(each, seen.sizes.astype(int), axis=0).T * seen.rows[order]
    h = np.add.reduceat(weighted, firsts, axis=0)
    precision = np.add.reduceat(each, firsts, axis=1)
    squares = np.add.reduceat(h**2, seen.starts, axis=1).T
    found = Gathered(seen, (1 - share) * seen.spread, precision, h, squares, np.empty(0), None)
    found.alone = found.likelihood(precision, squares)
    if len(h) <= FEW:
        found.products = np.stack([own @ own.T for own in found.by_band()])
    return found


def agglomerated(
    groups: Gathered, forbidden: NDArray[np.bool_] | None = None, needed: float = 0.0
) -> tuple[NDArray[np.intp], float]:
    """The group of every group after joining, and the sum of all odds at which they were joined: how much
    likelier the data are than if all were things of their own. ``forbidden`` pairs are never joined, and others
    as long as their odds are above those ``needed``."""
    count = len(groups.h)
    label = np.arange(count)
    odds = groups.all_odds()
    np.fill_diagonal(odds, -np.inf)
    forbidden = np.zeros((count, count), bool) if forbidden is None else forbidden.copy()
    odds[forbidden] = -np.inf
    alive = np.ones(count, bool)
    best = odds.argmax(1)
    value = odds[np.arange(count), best]
    gain = 0.0
    while (top := value[one := int(value.argmax())]) > needed:
        other = int(best[one])
        gain += float(top)
        groups.join(one, other)
        label[label == other] = one
        alive[other] = False
        odds[other] = odds[:, other] = value[other] = -np.inf
        forbidden[one] |= forbidden[other]
        forbidden[:, one] = forbidden[one]
        left = np.flatnonzero(alive & (np.arange(count) != one))
        if not len(left):
            break
        fresh = np.where(forbidden[one, left], -np.inf, groups.odds(one, left))
        odds[one, left] = odds[left, one] = fresh
        better = fresh > value[left]
        best[left[better]], value[left[better]] = one, fresh[better]
        stale = left[((best[left] == one) | (best[left] == other)) & ~better]
        for row in (one, *stale):
            best[row] = odds[row].argmax()
            value[row] = odds[row, best[row]]
    return label, gain


def squashed(odds: Array) -> Array:
    """Log odds so that large ones count less: directions are not as independent as the model takes them to be.

    >>> squashed(np.array([0.0, -np.e + 1])).round(3).tolist()
    [0.0, -1.0]
    """
    small: Array = np.sign(odds) * np.log1p(np.abs(odds))
    return small
