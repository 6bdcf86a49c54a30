"""Mahalanobis: how far a picture's features are from the nearest class mean, where all classes spread alike.

    score(x) = min_k (f(x) - m_k)' S^-1 (f(x) - m_k)

with the means m_k and the pooled covariance S of the features of P_train. Lee et al., "A Simple Unified
Framework for Detecting Out-of-Distribution Samples and Adversarial Attacks" (NeurIPS 2018), on the top
features only, without their perturbation and their weighting of layers, which are fitted to outliers. With
fewer exemplars than features S has no inverse, so a tenth of it is replaced by its mean variance in all
directions. Not in the paper's table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.detect.contract import Finding, Threshold, judge, known_features, too_few

SHRINK = 0.1


def squares(rows: NDArray[Any], classes: list[NDArray[Any]], shrink: float = SHRINK) -> Array:
    """The squared distance of every row to every class.

    >>> one, other = np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[4.0, 1.0], [4.0, 3.0]])
    >>> squares(np.array([[1.0, 0.0], [4.0, 0.0]]), [one, other]).round(4).tolist()
    [[0.0, 26.0], [18.0, 8.0]]
    """
    pools = [pool.reshape(len(pool), -1).astype(np.float64) for pool in classes]
    means = np.stack([pool.mean(0) for pool in pools])
    residuals = np.concatenate([pool - mean for pool, mean in zip(pools, means, strict=True)])
    covariance = residuals.T @ residuals / len(residuals)
    variance = max(float(np.trace(covariance)) / len(covariance), 1e-12)
    covariance = (1 - shrink) * covariance + shrink * variance * np.eye(len(covariance))
    root = scipy.linalg.cholesky(covariance, lower=True)
    wide = rows.reshape(len(rows), -1).astype(np.float64)
    white = scipy.linalg.solve_triangular(root, np.concatenate([wide, means]).T, lower=True).T
    x, centres = white[: len(wide)], white[len(wide) :]
    away = (x**2).sum(1, keepdims=True) - 2 * x @ centres.T + (centres**2).sum(1)
    found: Array = np.maximum(away, 0.0)
    return found


Parameters = Threshold


@dataclass(frozen=True)
class Mahalanobis:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"features"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean distance to the nearest class."""
        if few := too_few(classifier, 1):
            return few
        pools = known_features(classifier, memory)
        away = squares(classifier.features(exposure.rows), pools)
        return judge(away.min(1), away.argmin(1), classifier, self.parameters.threshold)


create = Mahalanobis
