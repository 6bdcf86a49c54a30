"""Nearest neighbours: how far a picture's features are from the k-th nearest exemplar.

    score(x) = |u(x) - u_(k)|,   u the features scaled to unit length, u_(k) the k-th nearest of all of P_train

Sun et al., "Out-of-Distribution Detection with Deep Nearest Neighbors" (ICML 2022). It assumes no shape of a
class. A picture is named as its nearest exemplar. Not in the paper's table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import at_least
from ilap.detect.contract import Finding, Threshold, judge, known_features, too_few
from ilap.detect.distance import unit


def neighbours(rows: NDArray[Any], known: NDArray[Any], k: int) -> tuple[Array, NDArray[np.intp]]:
    """Of every row the distance to the k-th nearest known one, and which is the nearest.

    >>> far, nearest = neighbours(np.array([[2.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 4.0]]), 2)
    >>> far.round(4).tolist(), nearest.tolist()
    ([0.8944], [1])
    """
    squares = np.maximum(2 - 2 * unit(rows) @ unit(known).T, 0.0)
    k = min(k, squares.shape[1])
    return np.sqrt(np.partition(squares, k - 1, axis=1)[:, k - 1]), squares.argmin(1)


@dataclass(frozen=True)
class Parameters(Threshold):
    """And one of its own."""

    neighbours: int = 10  # which nearest exemplar counts

    def __post_init__(self) -> None:
        at_least("neighbours", self.neighbours, 1)


@dataclass(frozen=True)
class Knn:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"features"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean distance."""
        if few := too_few(classifier, 1):
            return few
        pools = known_features(classifier, memory)
        columns = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
        far, nearest = neighbours(
            classifier.features(exposure.rows), np.concatenate(pools), self.parameters.neighbours
        )
        return judge(far, columns[nearest], classifier, self.parameters.threshold)


create = Knn
