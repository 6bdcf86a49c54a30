"""Leave-one-out accuracy in closed form: each picture is named by the classifier that has not seen it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilap.classify.contract import MEASURABLE, Array
from ilap.memory import Memory, merge

if TYPE_CHECKING:
    from ilap.classify.exact import Exact


def left_out(exact: Exact, memory: Memory, classes: Sequence[int]) -> Array:
    """Of some classes, 1 where there are too few pictures to tell. All that it takes is whitened at once:
    exemplars, the means of the exposures they are from, and those of the classes around."""
    accuracies = np.ones(len(classes))
    pools = [merge(memory.val[k], memory.train[k]).first(memory.val_bound) for k in classes]
    measured = [i for i, pool in enumerate(pools) if len(pool) >= MEASURABLE]
    if not measured:
        return accuracies
    around = {i: exact.around(classes[i]) for i in measured}
    columns = np.unique(np.concatenate(list(around.values())))
    means = exact.white_means(columns)
    origins = [pools[i].origins[:, 0] for i in measured]
    numbers, source = np.unique(np.concatenate(origins), return_inverse=True)
    sources = [exact.exposures[int(number)].learned for number in numbers]
    rows = np.concatenate([pools[i].samples for i in measured])
    white = exact.metric.whiten(np.concatenate([rows, np.stack([learned.mean for learned in sources])]))
    x, residuals = white[: len(rows)], white[: len(rows)] - white[len(rows) :][source]
    sizes = np.array([learned.count for learned in sources], float)[source]
    weight = without_weight(sizes, exact.metric.weight)

    ends = np.cumsum([len(origin) for origin in origins])
    for i, start, end in zip(measured, [0, *ends[:-1]], ends, strict=True):
        own = exact.classes.index(classes[i])
        accuracies[i] = accuracy(
            x[start:end],
            residuals[start:end],
            weight[start:end],
            means[np.searchsorted(columns, around[i])],
            exact.counts[around[i]],
            int(np.searchsorted(around[i], own)),
            exact.metric.tr,
        )
    return accuracies


def without_weight(sizes: Array, weight: float) -> Array:
    """c below, of pictures of exposures of these sizes, in a Sigma that is worth ``weight`` pictures."""
    weights: Array = np.where(sizes > 1, sizes / np.maximum(sizes - 1, 1), 0.0) / weight
    return weights


def distances(
    x: Array, residuals: Array, weight: Array, means: Array, counts: Array, own: NDArray[np.intp]
) -> Array:
    """Squared distances of learned pictures to all means as if they had not been learned.

    Without x, of an exposure of n with mean e, its class k has the mean m_k + (m_k - x) / (n_k - 1), and Sigma
    loses c r r' with r = x - e and c = n / (n - 1) / weight, which is ``weight`` here. By Sherman and Morrison
    the squared distance of x to a mean m becomes, up to a factor that all share,
    |x - m|^2 + c ((x - m)' r)^2 / (1 - c |r|^2), in whitened coordinates. ``own`` is the class of every
    picture, ``counts`` its size."""
    rows = np.arange(len(x))
    away = x - means[own] - (means[own] - x) / (counts - 1)[:, None]
    squares: Array = (x**2).sum(1, keepdims=True) - 2 * x @ means.T + (means**2).sum(1)
    along = (x * residuals).sum(1, keepdims=True) - residuals @ means.T
    squares[rows, own] = (away**2).sum(1)
    along[rows, own] = (away * residuals).sum(1)
    loss = 1 - weight * (residuals**2).sum(1)
    squares += (weight / np.maximum(loss, 1e-9))[:, None] * along**2
    return squares


def accuracy(
    x: Array, residuals: Array, weight: Array, means: Array, counts: Array, column: int, tr: float
) -> float:
    """How many pictures of the class at ``column`` are named rightly without having been learned."""
    own = np.full(len(x), column)
    squares = distances(x, residuals, weight, means, counts[own], own)
    counts = counts - (np.arange(len(counts)) == column)
    return float(((squares - tr / counts).argmin(1) == column).mean())
