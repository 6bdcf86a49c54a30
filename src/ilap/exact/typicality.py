"""Typicality: whether a single picture is like any class at all, beside the pictures that were learned.

With d1 and d2 the squared distances of a picture to its nearest class and to the next, its *strangeness* is

    ln d1 / s - (d2 - d1) / t,

s and t being the spread of ln d1 and of d2 - d1 among pictures that were learned: a picture of none of the
classes lies far from all, and not much nearer to one than to another. Those that were learned are measured as
if they had not been (leave_one_out.py), so a new picture of a known class is as strange as they are, and the
share of them that is at least as strange says how *typical* it is. Calling those under .05 none of the classes
is then wrong about one picture in twenty of the known ones, as far as they come as those before did: a
conformal test (Vovk, Gammerman & Shafer, "Algorithmic Learning in a Random World", 2005). A thing seen from a
side that was never shown is stranger than that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.leave_one_out import distances, picture_weight
from ilap.exact.model import Model
from ilap.exact.statistics import evenly


@dataclass(frozen=True)
class Usual:
    """How strange pictures of known classes are: the spreads that make up strangeness, and its values. From
    ``counted`` values on these are counted, fewer are taken to be spread normally."""

    log_spread: float
    margin_spread: float
    strangeness: Array
    counted: int

    def of(self, squares: Array) -> Array:
        """The strangeness of pictures with these squared distances, a row a picture and a column a class."""
        nearest, margin = parts(squares)
        strange: Array = nearest / self.log_spread - margin / self.margin_spread
        return strange

    def typical(self, squares: Array) -> Array:
        """The share of the pictures of known classes that is at least as strange as each of these."""
        strange, usual = self.of(squares), np.sort(self.strangeness)
        n = len(usual)
        if n >= self.counted:
            share: Array = (1 + n - np.searchsorted(usual, strange, side="left")) / (1 + n)
            return share
        if n < 2:
            return np.ones(len(squares))
        t = (strange - usual.mean()) / (max(float(usual.std(ddof=1)), 1e-9) * np.sqrt(1 + 1 / n))
        beyond: Array = 1 - scipy.special.stdtr(n - 1, t)
        return beyond


def parts(squares: Array) -> tuple[Array, Array]:
    """ln d1 and d2 - d1; a single class is no nearer than another.

    >>> [part.round(2).tolist() for part in parts(np.array([[1.0, 9.0, 4.0]]))]
    [[0.0], [3.0]]
    """
    ordered = np.sort(squares, axis=1)
    margin = ordered[:, 1] - ordered[:, 0] if squares.shape[1] > 1 else np.zeros(len(squares))
    return np.log(np.maximum(ordered[:, 0], 1e-9)), margin


def usual(model: Model) -> Usual:
    """Of some pictures of every exposure, each as if it had not been learned."""
    rule = model.rule.naming
    members = [own for own in model.exposures.values() if model.by_class[own.class_id].count > 1]
    members = members[:: -(-len(members) // rule.compared) or 1]
    each = rule.compared // max(len(members), 1)
    chosen = [own.pictures[evenly(len(own.pictures), each)] for own in members]
    if not chosen:
        return Usual(1.0, 1.0, np.empty(0), rule.counted)
    counts = [len(rows) for rows in chosen]
    own_class = np.repeat(np.searchsorted(model.classes, [own.class_id for own in members]), counts)
    sizes = np.repeat([own.sums.count for own in members], counts).astype(float)
    x = model.frame.whiten(np.concatenate(chosen))
    means = model.frame.whiten(np.stack([own.sums.mean for own in members]))
    residuals = x - np.repeat(means, counts, axis=0)
    weight = picture_weight(sizes, model.metric.weight)
    squares = distances(x, residuals, weight, model.means(), model.counts[own_class], own_class)
    nearest, margin = parts(squares)
    log_spread, margin_spread = (max(float(part.std()), 1e-9) for part in (nearest, margin))
    found = Usual(log_spread, margin_spread, np.empty(0), rule.counted)
    return replace(found, strangeness=found.of(squares))


def typicality(model: Model, known: Usual, rows: NDArray[Any]) -> Array:
    """Of pictures that were not learned: the share of those that were which is at least as strange."""
    white = model.frame.whiten(rows)
    means = model.means()
    squares = (white**2).sum(1, keepdims=True) - 2 * white @ means.T + (means**2).sum(1)
    return known.typical(squares)
