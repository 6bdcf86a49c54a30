"""Leave-one-out accuracy in closed form: each picture is named by the classifier that has not seen it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exemplars import Memory, merge
from ilap.exact.model import Model


def accuracies(model: Model, memory: Memory, classes: Sequence[int]) -> Array:
    """Of some classes, 1 where there are too few pictures to tell. Where P_val is not full, P_train serves as
    well. All that it takes is whitened at once: exemplars, the means of the exposures they are from, and those
    of the classes around."""
    found = np.ones(len(classes))
    pools = [merge(memory.val[k], memory.train[k]).first(memory.val_bound) for k in classes]
    measured = [i for i, pool in enumerate(pools) if len(pool) >= model.rule.naming.measurable]
    if not measured:
        return found
    around = {i: model.around(classes[i]) for i in measured}
    columns = np.unique(np.concatenate(list(around.values())))
    means = model.means(columns)
    origins = [pools[i].origins[:, 0] for i in measured]
    numbers, source = np.unique(np.concatenate(origins), return_inverse=True)
    sources = [model.exposures[int(number)].sums for number in numbers]
    rows = np.concatenate([pools[i].samples for i in measured])
    white = model.frame.whiten(np.concatenate([rows, np.stack([sums.mean for sums in sources])]))
    x, residuals = white[: len(rows)], white[: len(rows)] - white[len(rows) :][source]
    sizes = np.array([sums.count for sums in sources], float)[source]
    weight = picture_weight(sizes, model.metric.weight)

    ends = np.cumsum([len(origin) for origin in origins])
    for i, start, end in zip(measured, [0, *ends[:-1]], ends, strict=True):
        own = model.classes.index(classes[i])
        found[i] = accuracy(
            x[start:end],
            residuals[start:end],
            weight[start:end],
            means[np.searchsorted(columns, around[i])],
            model.counts[around[i]],
            int(np.searchsorted(around[i], own)),
            model.frame.tr,
        )
    return found


def picture_weight(sizes: Array, weight: float) -> Array:
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
