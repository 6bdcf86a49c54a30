"""Distance: how far the exposure's mean feature lies from the nearest class mean (IOLfCV).

    f(x)   = the penultimate feature, scaled to unit length
    mu_E   = the mean of f over the exposure, scaled to unit length; mu_k the same over the exemplars of class k
    score  = min_k |mu_E - mu_k|

New if the score exceeds a fixed threshold, else the nearest class. Stojanov et al., "Incremental Object
Learning from Contiguous Views" (CVPR 2019), whose detector was not published; as described in the paper,
section 4.1. With unit vectors the distance lies between 0 and 2, and its square is 2 (1 - cosine).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory, merge
from ilap.core.exposure import Samples
from ilap.detect.contract import Finding
from ilap.detect.score import Threshold

Array = NDArray[np.float64]


def unit(rows: NDArray[Any]) -> Array:
    """Rows scaled to unit length.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    wide: Array = rows.reshape(len(rows), -1).astype(np.float64)
    scaled: Array = wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12)
    return scaled


def direction(rows: NDArray[Any]) -> Array:
    """The mean of unit features, scaled to unit length."""
    mean: Array = unit(unit(rows).mean(0, keepdims=True))[0]
    return mean


def distances(exposure: NDArray[Any], classes: list[NDArray[Any]]) -> Array:
    """How far the exposure's mean direction is from that of every class.

    >>> distances(np.array([[2.0, 0.0]]), [np.array([[1.0, 0.0]]), np.array([[0.0, 5.0]])]).round(4).tolist()
    [0.0, 1.4142]
    """
    away: Array = np.linalg.norm(np.stack([direction(rows) for rows in classes]) - direction(exposure), axis=1)
    return away


Parameters = Threshold


@dataclass(frozen=True)
class Distance:
    """The detector. The drops that it tells are no drops of accuracy but shares of the threshold that is left:
    1 where a class is as near as can be, 0 at the threshold and beyond."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"features"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the nearest class."""
        if not classifier.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before")
        pools = [merge(memory.train[k], memory.val[k]).samples for k in classifier.classes]
        away = distances(classifier.features(exposure.rows), [classifier.features(pool) for pool in pools])
        nearest = int(away.argmin())
        threshold = self.parameters.threshold
        closeness = np.clip(1 - away / threshold, 0, 1) if threshold else np.zeros(len(away))
        said = f"class {classifier.classes[nearest]} is nearest, at {away[nearest]:.3f}"
        if away[nearest] > threshold:
            return Finding("new", None, float(away[nearest]), closeness, f"{said}, over {threshold:.3f}")
        return Finding("known", nearest, float(away[nearest]), closeness, said)


create = Distance
