"""How much of a distance between two means is noise, and how uncertain that is.

With tr the mean squared length of a residual and tr2 the trace of the residuals' squared covariance, the
squared distance of two means of n and m pictures of one class is, with h = 1/n + 1/m, tr h in the mean, with
the standard deviation sqrt(2 tr2) h. An exposure of few pictures tells tr and tr2 poorly, so they are pooled
with what the exposures before it told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ilap.core.classifier import Array
from ilap.core.rule import NoiseRule
from ilap.exact.statistics import Traits


@dataclass(frozen=True)
class Noise:
    """The traces of a covariance and of its square, and the standard error of the first."""

    tr: float
    tr2: float
    tr_error: float = 0.0

    def spread(self, share: Array) -> Array:
        """The standard deviation of a squared distance of two means, ``share`` = 1/n + 1/m."""
        sd: Array = share * np.sqrt(2 * self.tr2 + self.tr_error**2)
        return sd


@dataclass(frozen=True)
class Estimate:
    """The noise of an exposure, and what it adds to the stream's: log tr over the expected length of a
    residual, and log tr2 / tr^2; None where there are too few pictures to tell."""

    noise: Noise
    log_tr: float | None = None
    log_ratio: float | None = None


def estimate(residuals: Array, total: float, before: Sequence[Traits], rule: NoiseRule) -> Estimate:
    """The noise of an exposure: its own, as far as so few pictures tell it, and that usual in the stream, each
    as precise as it is. ``total`` is the squared length that a residual is expected to have in these
    coordinates."""
    count = len(residuals)
    logs = [traits.log_tr for traits in before if traits.log_tr is not None]
    ratios = [traits.log_ratio for traits in before if traits.log_ratio is not None]
    usual = total * np.exp(np.mean(logs)) if logs else total
    usual_error = rule.usual_error if logs else 1.0
    ratio = float(np.exp(np.mean(ratios))) if ratios else rule.first_ratio / total
    if count == 1:
        return Estimate(Noise(usual, ratio * usual**2, usual * np.sqrt(usual_error)))
    log_ratio = None
    if count == 2:
        own = float((residuals**2).sum())
    else:
        measured = noise_of(residuals)
        own = measured.tr
        log_ratio = float(np.log(max(measured.tr2, 1e-12) / max(own, 1e-6) ** 2))  # copies have no noise
        weight = count * (count - 1) / 2 / rule.few_pairs
        trust = len(logs) if ratios else 0
        ratio = float(np.exp((weight * log_ratio + trust * np.log(ratio)) / (weight + trust)))
    own = max(own, 1e-9)
    own_error = 2 * ratio / (count - 1)
    weight = usual_error / (own_error + usual_error)
    tr = float(np.exp(weight * np.log(own) + (1 - weight) * np.log(usual)))
    error = tr * float(np.sqrt(1 / (1 / own_error + 1 / usual_error)))
    return Estimate(Noise(tr, ratio * tr**2, error), float(np.log(own / total)), log_ratio)


def noise_of(residuals: Array) -> Noise:
    """tr and tr2 of three residuals or more, by themselves.

    tr is the mean squared length. tr2 follows from the mean squared product of two residuals, which for n
    normal residuals around their own mean is ((1 - 1/n)^2 + 1/n^2) tr2 + tr^2 / n^2, tr^2 being that of the
    truth: the square of the estimate is larger by 2 tr2 / (n - 1).
    """
    n = len(residuals)
    gram = residuals @ residuals.T
    tr = float(np.trace(gram)) / (n - 1)
    products = (float((gram**2).sum()) - float((np.diag(gram) ** 2).sum())) / (n * (n - 1))
    tr2 = (products - (tr / n) ** 2) / ((1 - 1 / n) ** 2 + 1 / n**2 - 2 / (n - 1) / n**2)
    return Noise(tr, max(tr2, tr**2 / residuals.shape[1]))
