"""How likely a squared distance of two means is, if both are of one class and if they are of two.

T is the squared distance freed of the noise of both means, with the standard deviation sd (metric.py). Of one
class it is 0 on average: normal with sd, and with a small share of wider strays. Of two classes the true
distance t follows a lognormal around the mean distance of classes, with a few nearer and a few farther ones; T
then has the variance sd^2 + 4 a h t, where h = 1/n + 1/m and a is the largest weight of a direction
(between.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Array = NDArray[np.float64]

STRAYS, STRAY_WIDTH = 0.05, 2.5
SPREAD = 0.4  # of the logarithm of class distances
EARLY_SPREAD = 0.3  # more of it while few classes are known
NEAR, NEAREST = 0.005, 0.1  # the share of classes much nearer than the mean, and the nearest there are
FAR, FAR_ALWAYS, FARTHEST = 0.1, 0.01, 30.0
PATIENCE = 2.0  # classes' worth of belief in what is known before the stream
NODES = np.linspace(-2.4, 2.4, 17)
WEIGHTS = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()


def log_normal(deviation: Array, variance: Array) -> Array:
    """The logarithm of a normal density, without its constant."""
    density: Array = -0.5 * deviation**2 / variance - 0.5 * np.log(variance)
    return density


def log_same(distances: Array, sd: Array, strays: float = STRAYS) -> Array:
    """For every distance its log likelihood if both means are of one class. Below 0 by more than sd tells no
    more than that.

    >>> log_same(np.array([1.0, 3.0]), np.array([1.0, 1.0]), strays=0.0).round(3).tolist()
    [-0.5, -4.5]
    """
    below = np.maximum(distances, -sd)
    plain = log_normal(below, sd**2)
    if not strays:
        return plain
    wide = log_normal(below, (STRAY_WIDTH * sd) ** 2)
    mixed: Array = np.logaddexp(np.log(1 - strays) + plain, np.log(strays) + wide)
    return mixed


def log_different(distances: Array, sd: Array, share: Array, mean: float, largest: float, known: int) -> Array:
    """The same if they are of two classes that lie ``mean`` apart on average. ``share`` is 1/n + 1/m, ``known``
    how many classes there are to know that mean from."""
    early = PATIENCE / (PATIENCE + known)
    spread = np.sqrt(SPREAD**2 + EARLY_SPREAD**2 * early)
    far = FAR_ALWAYS + FAR * early
    true = mean * np.concatenate(
        [
            np.exp(spread * NODES - spread**2 / 2),
            np.geomspace(NEAREST, 1, 10),
            np.geomspace(1, FARTHEST, 12),
        ]
    )
    weights = np.concatenate([(1 - NEAR - far) * WEIGHTS, np.full(10, NEAR / 10), np.full(12, far / 12)])
    variance = sd[:, None] ** 2 + 4 * largest * share[:, None] * true
    density: Array = logsumexp(log_normal(distances[:, None] - true, variance) + np.log(weights), axis=1)
    return density


def mean_distance(distances: Array, expected: float, known: int) -> float:
    """How far apart classes lie on average: what the prior expects, and more and more what was seen.

    >>> mean_distance(np.array([6.0, 6.0, 6.0]), expected=30.0, known=3)
    15.6
    """
    if not len(distances):
        return expected
    blended = (PATIENCE * expected + known * float(distances.mean())) / (PATIENCE + known)
    return max(blended, 0.05 * expected)


def chance_of_new(known: int, exposures: int) -> float:
    """How likely the next exposure is new before it is looked at: as often as so far, within bounds.

    >>> chance_of_new(1, 1), chance_of_new(10, 98)
    (0.6666666666666666, 0.11)
    """
    return min(max((known + 1) / (exposures + 2), 0.05), 0.7)
