"""The metric of the exact classifier: how far apart two means are, and how much of that is noise.

The backbone's prior (backbones/prior.py) makes the within-class covariance of its own classes the identity. It
counts as TRUST pictures, to which the scatter S of the residuals seen here is added:

    Sigma = (TRUST * I + S) / (TRUST + dof).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TRUST = 500.0  # how many pictures the prior covariance is worth
SMALL = 32  # a covariance of fewer directions is factored as a whole
UNKNOWN_SPREAD = 0.3  # relative error of tr where a single picture cannot tell it


@dataclass(frozen=True)
class Noise:
    """The traces of a whitened covariance and of its square: how far means stray from where they belong."""

    tr: float
    tr2: float
    tr_error: float = 0.0

    def spread(self, share: Array) -> Array:
        """The standard deviation of a squared distance of two means, ``share`` = 1/n + 1/m."""
        sd: Array = share * np.sqrt(2 * self.tr2 + self.tr_error**2)
        return sd


@dataclass(frozen=True)
class Metric:
    """The scatter of ``freedom`` residuals on top of a prior. Without a known prior the identity is scaled to
    the residuals. A value: adding residuals gives another one."""

    scatter: Array
    freedom: int
    prior_known: bool

    def add(self, residuals: Array) -> Metric:
        """With the residuals of one exposure, around its own mean."""
        scatter = residuals.T @ residuals
        scatter += self.scatter
        return Metric(scatter, self.freedom + len(residuals) - 1, self.prior_known)

    def remove(self, residuals: Array) -> Metric:
        """Without the residuals of an exposure that was added."""
        freedom = self.freedom - len(residuals) + 1
        scatter = self.scatter - residuals.T @ residuals if freedom else np.zeros_like(self.scatter)
        return Metric(scatter, freedom, self.prior_known)

    @property
    def dim(self) -> int:
        """How many numbers describe a picture."""
        return len(self.scatter)

    @property
    def weight(self) -> float:
        """How many pictures Sigma is worth."""
        return TRUST + self.freedom

    @cached_property
    def scale(self) -> float:
        """The variance that the prior expects: 1 in its own coordinates, else that of the residuals."""
        seen = float(np.trace(self.scatter)) / self.dim / max(self.freedom, 1)
        return 1.0 if self.prior_known or not seen else seen

    @cached_property
    def whitener(self) -> Array:
        """The inverse of Sigma's Cholesky factor."""
        sigma = self.scatter / self.weight
        sigma[np.diag_indices(self.dim)] += TRUST * self.scale / self.weight
        return inverse_factor(sigma)

    def whiten(self, rows: NDArray[Any]) -> Array:
        """Rows in coordinates in which Sigma is the identity."""
        white: Array = rows.astype(np.float64) @ self.whitener.T
        return white

    @cached_property
    def _tr_seen(self) -> float:
        """trace(Sigma^-1 S) / dof, S being weight * Sigma - TRUST * scale * I."""
        traced = TRUST * self.scale * float(np.vdot(self.whitener, self.whitener))
        return max(self.weight * self.dim - traced, 0.0) / max(self.freedom, 1)

    @cached_property
    def tr(self) -> float:
        """The mean squared length of a residual not seen yet. Those seen are part of Sigma and look shorter
        than they were: by Sherman and Morrison q = q' / (1 + q' / weight). Before there are any, the
        dimension."""
        return self._tr_seen / (1 - self._tr_seen / self.weight) if self.freedom else float(self.dim)

    @cached_property
    def _tr2(self) -> float:
        """The trace of the square, less what a finite number of residuals adds, for a picture not seen."""
        if not self._tr_seen:
            return self.tr**2 / self.dim
        white = -TRUST * self.scale * (self.whitener @ self.whitener.T)
        white[np.diag_indices(self.dim)] += self.weight
        seen = float((white**2).sum()) / self.freedom**2
        square = (seen - self._tr_seen**2 / self.freedom) / (1 + 1 / self.freedom)
        return max(square * (self.tr / self._tr_seen) ** 2, self.tr**2 / self.dim)

    def noise(self, residuals: Array) -> Noise:
        """An exposure's noise, from its own whitened residuals as far as they tell: three pictures tell all,
        two tell tr, and for the rest the exposure is taken to be like those before it."""
        if len(residuals) > 2:
            return noise_of(residuals)
        if len(residuals) == 2:
            return Noise(float((residuals**2).sum()), self._tr2)
        return Noise(self.tr, self._tr2, self.tr * (UNKNOWN_SPREAD if self.freedom else 1.0))


def noise_of(residuals: Array) -> Noise:
    """tr and tr2 of whitened residuals that Sigma has not seen.

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
