"""How unlike all classes a single picture is, beside the pictures that were learned.

With d1 and d2 the squared distances of a picture to its nearest class and to the next, its *strangeness* is

    ln d1 / s - (d2 - d1) / t,

s and t being the spread of ln d1 and of d2 - d1 among pictures that were learned: a picture of none of the
classes lies far from all, and not much nearer to one than to another. Those that were learned are measured as
if they had not been (left_out.py), so a new picture of a known class is as strange as they are, and the share
of them that is at least as strange says how *typical* it is. Calling those under .05 none of the classes is
then wrong about one picture in twenty of the known ones, as far as they come as those before did: a conformal
test (Vovk, Gammerman & Shafer, "Algorithmic Learning in a Random World", 2005). A thing seen from a side that
was never shown is stranger than that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.classify.contract import Array
from ilap.classify.left_out import distances, without_weight

if TYPE_CHECKING:
    from ilap.classify.exact import Exact

COMPARED = 2000  # pictures that were learned, at most
MANY = 40  # from so many on they are counted; fewer are taken to be spread normally


@dataclass(frozen=True)
class Usual:
    """How strange pictures of known classes are: the spreads that make up strangeness, and its values."""

    log_spread: float
    margin_spread: float
    strangeness: Array

    def of(self, squares: Array) -> Array:
        """The strangeness of pictures with these squared distances, a row a picture and a column a class."""
        nearest, margin = parts(squares)
        strange: Array = nearest / self.log_spread - margin / self.margin_spread
        return strange

    def typical(self, squares: Array) -> Array:
        """The share of the pictures of known classes that is at least as strange as each of these."""
        strange, usual = self.of(squares), np.sort(self.strangeness)
        n = len(usual)
        if n >= MANY:
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


def usual(exact: Exact) -> Usual:
    """Of some pictures of every exposure, each as if it had not been learned."""
    members = [m for m in exact.exposures.values() if exact.by_class[m.class_id].count > 1]
    members = members[:: -(-len(members) // COMPARED) or 1]
    each = COMPARED // max(len(members), 1)
    chosen = [m.kept[np.unique(np.linspace(0, len(m.kept) - 1, each).astype(int))] for m in members]
    if not chosen:
        return Usual(1.0, 1.0, np.empty(0))
    counts = [len(rows) for rows in chosen]
    own = np.repeat(np.searchsorted(exact.classes, [m.class_id for m in members]), counts)
    sizes = np.repeat([m.learned.count for m in members], counts).astype(float)
    x = exact.metric.whiten(np.concatenate(chosen))
    sources = np.repeat(exact.metric.whiten(np.stack([m.learned.mean for m in members])), counts, axis=0)
    weight = without_weight(sizes, exact.metric.weight)
    squares = distances(x, x - sources, weight, exact.means, exact.counts[own], own)
    nearest, margin = parts(squares)
    log_spread, margin_spread = (max(float(part.std()), 1e-9) for part in (nearest, margin))
    found = Usual(log_spread, margin_spread, np.empty(0))
    return replace(found, strangeness=found.of(squares))


def typical(exact: Exact, rows: NDArray[Any]) -> Array:
    """Of pictures that were not learned: the share of those that were which is at least as strange."""
    white = exact.metric.whiten(rows)
    means = exact.means
    squares = (white**2).sum(1, keepdims=True) - 2 * white @ means.T + (means**2).sum(1)
    return exact.usual.typical(squares)
