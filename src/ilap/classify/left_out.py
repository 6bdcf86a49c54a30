"""Leave-one-out accuracy in closed form: each picture is named by the classifier that has not seen it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilap.classify.contract import MEASURABLE
from ilap.memory import Memory, merge

if TYPE_CHECKING:
    from ilap.classify.exact import Exact


def left_out(exact: Exact, memory: Memory, classes: Sequence[int]) -> NDArray[np.float64]:
    """Of some classes. Those around them are whitened once for all."""
    if not len(classes):
        return np.empty(0)
    around = {class_id: exact.around(class_id) for class_id in classes}
    columns = np.unique(np.concatenate(list(around.values())))
    means = exact.white_means(columns)
    return np.array(
        [
            accuracy(exact, memory, class_id, own, means[np.searchsorted(columns, own)])
            for class_id, own in around.items()
        ]
    )


def accuracy(
    exact: Exact, memory: Memory, class_id: int, columns: NDArray[np.intp], means: NDArray[np.float64]
) -> float:
    """Without x, of an exposure of n with mean e, class k has the mean m_k + (m_k - x) / (n_k - 1), and
    Sigma loses c r r' with r = x - e and c = n / (n - 1) / weight. By Sherman and Morrison the
    squared distance of x to a mean m becomes, up to a factor that all classes share,
    |x - m|^2 + c ((x - m)' r)^2 / (1 - c |r|^2), in whitened coordinates. ``means`` are those of the classes in
    ``columns``."""
    pool = merge(memory.val[class_id], memory.train[class_id]).first(memory.val_bound)
    if len(pool) < MEASURABLE:
        return 1.0
    column = int(np.flatnonzero(columns == exact.classes.index(class_id))[0])
    numbers, source = np.unique(pool.origins[:, 0], return_inverse=True)
    sources = [exact.exposures[int(number)].learned for number in numbers]
    white = exact.metric.whiten(np.concatenate([pool.samples, np.stack([learned.mean for learned in sources])]))
    x, residuals = white[: len(pool)], white[: len(pool)] - white[len(pool) :][source]
    sizes = np.array([learned.count for learned in sources], float)[source]
    weight = np.where(sizes > 1, sizes / np.maximum(sizes - 1, 1), 0.0) / exact.metric.weight

    counts = exact.counts[columns]
    counts[column] -= 1
    own = means[column] + (means[column] - x) / counts[column]
    squares = (x**2).sum(1, keepdims=True) - 2 * x @ means.T + (means**2).sum(1)
    along = (x * residuals).sum(1, keepdims=True) - residuals @ means.T
    squares[:, column] = ((x - own) ** 2).sum(1)
    along[:, column] = ((x - own) * residuals).sum(1)
    loss = 1 - weight * (residuals**2).sum(1)
    squares += (weight / np.maximum(loss, 1e-9))[:, None] * along**2
    return float(((squares - exact.metric.tr / counts).argmin(1) == column).mean())
