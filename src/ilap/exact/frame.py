"""The frame: coordinates that follow from a metric, and what was carried into them.

In these coordinates the covariance within a class is the identity, so differences within a class are noise of
size 1 in every direction. Making a frame costs a Cholesky factor, so it lasts for as long as its metric does;
the means that were carried into it are kept with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.prior import Prior
from ilap.core.classifier import Array
from ilap.core.rule import Rule
from ilap.exact.class_prior import ClassPrior, View, class_prior, picture_weights
from ilap.exact.metric import Metric, inverse_factor
from ilap.exact.statistics import Statistics, Sums

Key = tuple[int, int, int]
"""An exposure's number, how many pictures it has, and the class that a person put it into."""

MOST_INSIDE = 0.9  # of a residual's length that may be hidden by its being part of Sigma


class Last:
    """The last value that was made, with what it was made of. Threads may share one: what a thread is given is
    what it asked for, as key and value are replaced at once."""

    def __init__(self) -> None:
        self._pair: tuple[Any, Any] | None = None

    def of(self, key: Any, make: Callable[[], Any], same: Callable[[Any, Any], bool] = operator.eq) -> Any:
        """The value of a key, made if it is not the last one."""
        pair = self._pair
        if pair is None or not same(pair[0], key):
            pair = key, make()
            self._pair = pair
        return pair[1]


@dataclass(frozen=True, eq=False)
class Frame:
    """The coordinates of one metric. ``known_means`` and ``known_seen`` hold what was whitened before: means of
    classes and of exposures, with the sums that they follow from; ``known_sessions`` how
    much of what exposures differ by is the session's."""

    metric: Metric
    prior: Prior
    rule: Rule
    known_means: dict[int, tuple[Sums, Array]] = field(default_factory=dict, init=False, repr=False)
    known_seen: dict[int, tuple[Sums, Array]] = field(default_factory=dict, init=False, repr=False)
    known_sessions: dict[tuple[Key, ...], float] = field(default_factory=dict, init=False, repr=False)
    last_compared: Last = field(default_factory=Last, init=False, repr=False)  # surroundings.py

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
    def pair_view(self) -> View:
        """The directions in which exposures are compared in pairs (cosine.py)."""
        return self.class_prior.view(self.rule.pairs.blur)

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

    @cached_property
    def residual_variances(self) -> Array:
        """The variance of a residual not seen yet in every direction: those of the class prior, the widest
        first, then the rest; 1 where none were seen. Sigma is (trust I + S) / weight, so in these coordinates S
        is weight I - trust L^-1 L^-T. Residuals that were seen look shorter than they were, as in ``tr``."""
        metric, prior = self.metric, self.class_prior
        if not metric.freedom:
            return np.ones(metric.dim)
        leading = len(prior.values)
        norms = np.einsum("ij,ij->i", self.whitener, self.whitener)
        turned = prior.vectors[:, ::-1].T @ self.whitener[:leading, :leading]
        norms[:leading] = (turned**2).sum(1)
        variances: Array = (metric.weight - metric.rule.trust * metric.scale * norms) / metric.freedom
        return variances / (1 - min(float(variances.sum()) / metric.weight, MOST_INSIDE))

    def means(self, sums: Mapping[int, Sums]) -> Array:
        """Whitened means of some classes, a row each. A mean is whitened again only if something joined or
        left its class."""
        return self._whitened(sums, self.known_means)

    def seen(self, exposures: Mapping[int, Statistics]) -> Array:
        """Whitened means of some exposures, a row each."""
        return self._whitened({n: own.sums for n, own in exposures.items()}, self.known_seen)

    def _whitened(self, sums: Mapping[int, Sums], known: dict[int, tuple[Sums, Array]]) -> Array:
        """Means of sums; those that are not known yet are added. What is given back is looked up once, so that
        another thread's sums of the same number are never mistaken for these."""
        found = {number: known.get(number) for number in sums}
        fresh = [n for n, own in sums.items() if (pair := found[n]) is None or pair[0] is not own]
        if fresh:
            white = self.whiten(np.stack([sums[n].mean for n in fresh]))
            made = {n: (sums[n], row) for n, row in zip(fresh, white, strict=True)}
            known.update(made)
            found.update(made)
        return np.stack([pair[1] for pair in found.values() if pair is not None])

    def fixed_close_up(self, rows: Array) -> Array:
        """Pictures in coordinates that do not change while the learner learns: the prior's, each direction
        weighted by what one picture tells in it."""
        weights = picture_weights(self.prior.between, self.rule.class_prior, self.rule.naming.close)
        close: Array = rows * weights[: rows.shape[1]]
        return close
