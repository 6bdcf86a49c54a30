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
    residual, and by how much log tr2 / tr^2 exceeds that of white noise; None where there are too few pictures
    to tell."""

    noise: Noise
    log_tr: float | None = None
    log_ratio: float | None = None


@dataclass(frozen=True)
class Expected:
    """The noise that coordinates expect: the squared length of a residual, and its tr2 / tr^2."""

    total: float
    white: float


def estimate(
    residuals: Array,
    expected: Expected,
    before: Sequence[Traits],
    rule: NoiseRule,
    known: Traits | None = None,
) -> Estimate:
    """The noise of an exposure: its own, as far as so few pictures tell it, and that usual in the stream, each
    as precise as it is. ``known`` are the traits of an exposure that was seen before: its residuals are part of
    the metric by now, and look shorter than they were."""
    count, total = len(residuals), expected.total
    usual, usual_error, ratio = usual_noise(before, rule)
    ratio, trust = ratio * expected.white, sum(traits.log_ratio is not None for traits in before)
    if count == 1:
        tr = usual * total
        return Estimate(Noise(tr, ratio * tr**2, tr * np.sqrt(usual_error)))
    log_ratio = None
    if known is not None and known.log_tr is not None:
        own, log_ratio = float(np.exp(known.log_tr)), known.log_ratio
        if log_ratio is not None:
            ratio = float(np.exp(log_ratio)) * expected.white
    elif count == 2:
        own = float((residuals**2).sum()) / total
    else:
        measured = noise_of(residuals)
        own = measured.tr / total
        log_ratio = float(np.log(max(measured.tr2, 1e-12) / max(measured.tr, 1e-6) ** 2))  # of copies 0
        weight = count * (count - 1) / 2 / rule.few_pairs
        ratio = float(np.exp((weight * log_ratio + trust * np.log(ratio)) / (weight + trust)))
        log_ratio -= float(np.log(expected.white))
    own = max(own, 1e-9)
    own_error = 2 * ratio / (count - 1)
    weight = usual_error / (own_error + usual_error)
    tr = total * float(np.exp(weight * np.log(own) + (1 - weight) * np.log(usual)))
    error = tr * float(np.sqrt(1 / (1 / own_error + 1 / usual_error)))
    return Estimate(Noise(tr, ratio * tr**2, error), float(np.log(own)), log_ratio)


def usual_noise(before: Sequence[Traits], rule: NoiseRule) -> tuple[float, float, float]:
    """What a stream told: tr over its expected value, how uncertain that is of one exposure, and tr2 / tr^2
    over that of white noise."""
    logs = [traits.log_tr for traits in before if traits.log_tr is not None]
    ratios = [traits.log_ratio for traits in before if traits.log_ratio is not None]
    usual = float(np.exp(np.mean(logs))) if logs else 1.0
    ratio = float(np.exp(np.mean(ratios))) if ratios else rule.first_ratio
    return usual, rule.usual_error if logs else 1.0, ratio


def scales(traits: Sequence[Traits], counts: Array, white: float, rule: NoiseRule) -> tuple[Array, float]:
    """The same of many exposures at once: tr of each over its expected value, pooled with the stream's, and
    tr2 / tr^2 of all."""
    usual, usual_error, ratio = usual_noise(traits, rule)
    known = np.array([own.log_tr is not None for own in traits])
    own = np.array([own.log_tr if own.log_tr is not None else 0.0 for own in traits])
    own_error = 2 * ratio * white / np.maximum(counts - 1, 1e-9)
    weight = np.where(known, usual_error / (own_error + usual_error), 0.0)
    found: Array = np.exp(weight * own + (1 - weight) * np.log(usual))
    return found, ratio * white


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
