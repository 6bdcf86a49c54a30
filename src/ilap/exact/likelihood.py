"""How likely a squared distance of two means is, if both are of one class and if they are of two.

T is the squared distance freed of the noise of both means, with the standard deviation sd (noise.py). Of one
class it is 0 on average: normal with sd, and with a small share of wider strays. Of two classes the true
distance t follows a lognormal around the mean distance of classes, with a few nearer and a few farther ones; T
then has the variance sd^2 + 4 a h t, where h = 1/n + 1/m and a is the largest weight of a direction
(class_prior.py).
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from ilap.core.classifier import Array
from ilap.core.rule import LikelihoodRule

NODES = np.linspace(-2.4, 2.4, 17)  # of a normal, in standard deviations: a sum stands for the integral
WEIGHTS = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()
NEARER, FARTHER = 10, 12  # nodes of the distances far below and above the mean


def log_normal(deviation: Array, variance: Array) -> Array:
    """The logarithm of a normal density, without its constant."""
    density: Array = -0.5 * deviation**2 / variance - 0.5 * np.log(variance)
    return density


def log_same(distances: Array, sd: Array, strays: float, stray_width: float) -> Array:
    """For every distance its log likelihood if both means are of one class. Below 0 by more than sd tells no
    more than that. A share of ``strays`` lies ``stray_width`` times as far as noise explains.

    >>> log_same(np.array([1.0, 3.0]), np.array([1.0, 1.0]), 0.0, 1.0).round(3).tolist()
    [-0.5, -4.5]
    """
    below = np.maximum(distances, -sd)
    plain = log_normal(below, sd**2)
    if not strays:
        return plain
    wide = log_normal(below, (stray_width * sd) ** 2)
    mixed: Array = np.logaddexp(np.log(1 - strays) + plain, np.log(strays) + wide)
    return mixed


def log_different(
    distances: Array,
    sd: Array,
    share: Array,
    mean: float,
    largest: float,
    known: int,
    rule: LikelihoodRule,
) -> Array:
    """The same if they are of two classes that lie ``mean`` apart on average. ``share`` is 1/n + 1/m, ``known``
    how many classes there are to know that mean from."""
    early = rule.patience / (rule.patience + known)
    spread = np.sqrt(rule.spread**2 + rule.early_spread**2 * early)
    far = rule.far_always + rule.far * early
    true = mean * np.concatenate(
        [
            np.exp(spread * NODES - spread**2 / 2),
            np.geomspace(rule.nearest, 1, NEARER),
            np.geomspace(1, rule.farthest, FARTHER),
        ]
    )
    near = np.full(NEARER, rule.near / NEARER)
    weights = np.concatenate([(1 - rule.near - far) * WEIGHTS, near, np.full(FARTHER, far / FARTHER)])
    variance = sd[:, None] ** 2 + 4 * largest * share[:, None] * true
    density: Array = logsumexp(log_normal(distances[:, None] - true, variance) + np.log(weights), axis=1)
    return density


def mean_distance(seen: float, expected: float, exposures: int, rule: LikelihoodRule) -> float:
    """How far apart things lie on average: what the prior expects, and more and more what was seen of so many
    exposures.

    >>> mean_distance(6.0, expected=30.0, exposures=4, rule=LikelihoodRule())
    18.0
    """
    trust = rule.first_distances
    blended = (trust * expected + exposures * seen) / (trust + exposures)
    return max(blended, rule.least_mean * expected)


def chance_of_new(known: int, exposures: int, rule: LikelihoodRule) -> float:
    """How likely the next exposure is new before it is looked at: as often as so far, within bounds.

    >>> chance_of_new(1, 1, LikelihoodRule()), chance_of_new(10, 98, LikelihoodRule())
    (0.6666666666666666, 0.11)
    """
    return min(max((known + 1) / (exposures + 2), rule.least_new), rule.most_new)
