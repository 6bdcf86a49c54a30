"""The frame: coordinates that follow from a metric, and what was carried into them.

In these coordinates the covariance within a class is the identity, so differences within a class are noise of
size 1 in every direction. Making a frame costs a Cholesky factor, so it lasts for as long as its metric does;
the class means and pictures that were carried into it are kept with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.prior import Prior
from ilap.core.classifier import Array
from ilap.core.rule import Rule
from ilap.exact import bursts
from ilap.exact.class_prior import ClassPrior, View, class_prior, picture_weights
from ilap.exact.metric import Metric, inverse_factor
from ilap.exact.statistics import Statistics, Sums


@dataclass(frozen=True, eq=False)
class Frame:
    """The coordinates of one metric. ``known_means`` and ``known_close`` hold what was whitened before: class
    means with the sums that they follow from, and the pictures of exposures with the step between them."""

    metric: Metric
    prior: Prior
    rule: Rule
    known_means: dict[int, tuple[Sums, Array]] = field(default_factory=dict, init=False, repr=False)
    known_close: dict[int, tuple[Array, float]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def whitener(self) -> Array:
        """The inverse of Sigma's Cholesky factor."""
        return inverse_factor(self.metric.sigma())

    def whiten(self, rows: NDArray[Any]) -> Array:
        """Rows in these coordinates."""
        white: Array = rows.astype(np.float64) @ self.whitener.T
        return white

    @cached_property
    def class_prior(self) -> ClassPrior:
        """How classes differ, in these coordinates."""
        variances = self.prior.between * np.float32(self.metric.scale)
        return class_prior(self.whitener, variances, self.rule.class_prior)

    @cached_property
    def close(self) -> View:
        """The directions that a single picture can tell."""
        return self.class_prior.view(self.rule.bursts.close)

    @cached_property
    def tr(self) -> float:
        """The mean squared length of a residual not seen yet. Those seen are part of Sigma and look shorter
        than they were: by Sherman and Morrison q = q' / (1 + q' / weight). Before there are any, the
        dimension."""
        metric = self.metric
        if not metric.freedom:
            return float(metric.dim)
        traced = metric.rule.trust * metric.scale * float(np.vdot(self.whitener, self.whitener))
        seen = max(metric.weight * metric.dim - traced, 0.0) / metric.freedom
        return seen / (1 - seen / metric.weight)

    def means(self, sums: Mapping[int, Sums]) -> Array:
        """Whitened means of some classes, a row each. A mean is whitened again only if something joined or
        left its class."""
        known = self.known_means
        changed = [k for k, own in sums.items() if k not in known or known[k][0] is not own]
        if changed:
            white = self.whiten(np.stack([sums[k].mean for k in changed]))
            known.update((k, (sums[k], row)) for k, row in zip(changed, white, strict=True))
        return np.stack([known[k][1] for k in sums])

    def close_ups(
        self, rows: Array, exposures: Mapping[int, Statistics]
    ) -> tuple[Array, Sequence[Array], Array]:
        """Pictures in the directions that one picture can tell: these, those kept of some exposures, and the
        step between the pictures of each of these (bursts.py)."""
        known = self.known_close
        fresh = [number for number in exposures if number not in known]
        pictures = [exposures[number].pictures for number in fresh]
        close = self.close(self.whiten(np.concatenate([rows, *pictures])))
        own, *others = np.split(close, np.cumsum([len(rows), *map(len, pictures)])[:-1])
        known.update((n, (seen, bursts.step(seen))) for n, seen in zip(fresh, others, strict=True))
        steps = np.array([known[number][1] for number in exposures])
        return own, [known[number][0] for number in exposures], steps

    def fixed_close_up(self, rows: Array) -> Array:
        """Pictures in coordinates that do not change while the learner learns: the prior's, each direction
        weighted by what one picture tells in it."""
        weights = picture_weights(self.prior.between, self.rule.class_prior, self.rule.bursts.close)
        close: Array = rows * weights[: rows.shape[1]]
        return close
