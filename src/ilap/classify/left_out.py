"""Leave-one-out accuracy in closed form: each picture is named by the classifier that has not seen it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

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
    weight = np.where(sizes > 1, sizes / np.maximum(sizes - 1, 1), 0.0) / exact.metric.weight

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


def accuracy(
    x: Array, residuals: Array, weight: Array, means: Array, counts: Array, column: int, tr: float
) -> float:
    """How many pictures of the class at ``column`` are named rightly without having been learned.

    Without x, of an exposure of n with mean e, class k has the mean m_k + (m_k - x) / (n_k - 1), and Sigma
    loses c r r' with r = x - e and c = n / (n - 1) / weight, which is ``weight`` here. By Sherman and Morrison
    the squared distance of x to a mean m becomes, up to a factor that all classes share,
    |x - m|^2 + c ((x - m)' r)^2 / (1 - c |r|^2), in whitened coordinates."""
    counts = counts.copy()
    counts[column] -= 1
    own = means[column] + (means[column] - x) / counts[column]
    squares = (x**2).sum(1, keepdims=True) - 2 * x @ means.T + (means**2).sum(1)
    along = (x * residuals).sum(1, keepdims=True) - residuals @ means.T
    squares[:, column] = ((x - own) ** 2).sum(1)
    along[:, column] = ((x - own) * residuals).sum(1)
    loss = 1 - weight * (residuals**2).sum(1)
    squares += (weight / np.maximum(loss, 1e-9))[:, None] * along**2
    return float(((squares - tr / counts).argmin(1) == column).mean())
