"""The metric of the exact classifier: the covariance of pictures within a class.

The backbone's prior (backbones/prior.py) makes the within-class covariance of its own classes the identity. It
counts as ``trust`` pictures, to which the scatter S of the residuals seen here is added:

    Sigma = (trust * I + S) / (trust + dof).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ilap.core.classifier import Array
from ilap.core.rule import RULE, MetricRule

SMALL = 32  # a covariance of fewer directions is factored as a whole


@dataclass(frozen=True)
class Metric:
    """The scatter of ``freedom`` residuals on top of a prior. Without a known prior the identity is scaled to
    the residuals. A value: adding residuals gives another one."""

    scatter: Array
    freedom: int
    prior_known: bool
    rule: MetricRule = RULE.metric

    def add(self, residuals: Array) -> Metric:
        """With the residuals of one exposure, around its own mean."""
        scatter = residuals.T @ residuals
        scatter += self.scatter
        return Metric(scatter, self.freedom + len(residuals) - 1, self.prior_known, self.rule)

    def remove(self, residuals: Array) -> Metric:
        """Without the residuals of an exposure that was added."""
        freedom = self.freedom - len(residuals) + 1
        scatter = self.scatter - residuals.T @ residuals if freedom else np.zeros_like(self.scatter)
        return Metric(scatter, freedom, self.prior_known, self.rule)

    @property
    def dim(self) -> int:
        """How many numbers describe a picture."""
        return len(self.scatter)

    @property
    def weight(self) -> float:
        """How many pictures Sigma is worth."""
        return self.rule.trust + self.freedom

    @property
    def scale(self) -> float:
        """The variance that the prior expects: 1 in its own coordinates, else that of the residuals."""
        seen = float(np.trace(self.scatter)) / self.dim / max(self.freedom, 1)
        return 1.0 if self.prior_known or not seen else seen

    def variety(self, doubt: float) -> float:
        """The logarithm of the mean variance of residuals over what the prior expects, pooled with 0 by
        ``doubt`` residuals' worth. Bursts vary less than the pictures of a class; 0 where no prior is known."""
        if not self.prior_known or not self.freedom:
            return 0.0
        seen = float(np.log(max(float(np.trace(self.scatter)) / self.dim / self.freedom, 1e-6)))
        return seen * self.freedom / (self.freedom + doubt)

    def sigma(self) -> Array:
        """The covariance."""
        sigma = self.scatter / self.weight
        sigma[np.diag_indices(self.dim)] += self.rule.trust * self.scale / self.weight
        return sigma


def empty_metric(dim: int, prior_known: bool, rule: MetricRule) -> Metric:
    """A metric that has seen nothing."""
    return Metric(np.zeros((dim, dim)), 0, prior_known, rule)


def inverse_factor(sigma: Array) -> Array:
    """The inverse of the Cholesky factor L of a covariance, by halves:

        L = [[A, 0], [B, C]],    L^-1 = [[A^-1, 0], [-C^-1 B A^-1, C^-1]].

    All but the smallest parts are products of matrices, which one library does on all cores; the factorisations
    of SciPy bring threads of their own, and the two wait for each other.
    """
    half = len(sigma) // 2
    if half < SMALL:
        smallest: Array = np.linalg.inv(np.linalg.cholesky(sigma))
        return smallest
    inverse = np.zeros_like(sigma)
    inverse[:half, :half] = upper = inverse_factor(sigma[:half, :half])
    below = sigma[half:, :half] @ upper.T
    inverse[half:, half:] = lower = inverse_factor(sigma[half:, half:] - below @ below.T)
    inverse[half:, :half] = -lower @ (below @ upper)
    return inverse
