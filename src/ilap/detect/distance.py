"""Distance: how far the exposure lies from the nearest class mean (IOLfCV).

f(x) is the penultimate feature, scaled to unit length. In two forms:

    means      score = min_k |mu_E - mu_k|, where mu_E is the mean of f over the exposure and mu_k that over
               all exemplars of class k, both scaled to unit length
    pictures   score = min_k mean_x |f(x) - m_k|, where x are the exposure's pictures and m_k is the mean of f
               over P_train of class k, not scaled

New if the score exceeds a fixed threshold, else the nearest class. Stojanov et al., "Incremental Object
Learning from Contiguous Views" (CVPR 2019), did not publish their detector: *means* is as the paper describes
it (4.1), *pictures* as the paper's authors run it, and the paper's thresholds of .46 to .63 are on its scale.
With unit vectors the distance of means lies between 0 and 2, and its square is 2 (1 - cosine).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory, merge
from ilap.core.exposure import Samples
from ilap.core.parameters import one_of
from ilap.detect.contract import Finding, Threshold, known_features

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


def picture_distances(exposure: NDArray[Any], classes: list[NDArray[Any]]) -> Array:
    """The mean over the exposure's pictures of their distance to the mean of every class.

    >>> picture_distances(np.eye(2), [np.eye(2), np.array([[3.0, 0.0]])]).round(4).tolist()
    [0.7071, 0.7071]
    """
    means = np.stack([unit(rows).mean(0) for rows in classes])
    away: Array = np.linalg.norm(unit(exposure)[:, None] - means, axis=2).mean(0)
    return away


@dataclass(frozen=True)
class Parameters(Threshold):
    """The threshold, and what is compared."""

    form: str = "means"  # the distance of means, or the mean distance of pictures

    def __post_init__(self) -> None:
        one_of("form", self.form, "means", "pictures")


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
        shown = classifier.features(exposure.rows)
        if self.parameters.form == "pictures":
            away = picture_distances(shown, known_features(classifier, memory))
        else:
            pools = [merge(memory.train[k], memory.val[k]).samples for k in classifier.classes]
            away = distances(shown, [classifier.features(pool) for pool in pools])
        nearest = int(away.argmin())
        threshold = self.parameters.threshold
        closeness = np.clip(1 - away / threshold, 0, 1) if threshold else np.zeros(len(away))
        said = f"class {classifier.classes[nearest]} is nearest, at {away[nearest]:.3f}"
        if away[nearest] > threshold:
            return Finding("new", None, float(away[nearest]), closeness, f"{said}, over {threshold:.3f}")
        return Finding("known", nearest, float(away[nearest]), closeness, said)


create = Distance
