"""The class prior: how class means differ before any class is known, and what so few pictures can tell of it.

In whitened coordinates (frame.py) differences within a class are noise of size 1 in every direction. Class
means are taken to differ by

    B = share * B0 + floor * I,

B0 being the variances between the backbone's own classes (backbones/prior.py), carried into these coordinates.
Of the direction j of B's eigenbasis, with variance b_j, a mean of n pictures tells the share

    a_j = b_j / (b_j + blur / n),

so distances are taken in z = sqrt(a) V'y: small exposures look at the few directions that they can tell, large
ones at all. This is what a two-covariance model (PLDA: Ioffe, ECCV 2006) does with noisy means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import ClassPriorRule
from ilap.exact.noise import Expected


@dataclass(frozen=True)
class View:
    """Coordinates for means of so many pictures. ``total`` is the sum of weights: the expected squared length
    of a residual; ``white`` the tr2 / tr^2 of noise that is alike in all directions (noise.py)."""

    vectors: Array
    leading: Array
    rest: float
    total: float
    white: float

    @property
    def noise(self) -> Expected:
        """The noise that is expected in these coordinates."""
        return Expected(self.total, self.white)

    def __call__(self, white: Array) -> Array:
        """Whitened rows in these coordinates."""
        seen = np.empty_like(white)
        leading = len(self.leading)
        seen[:, :leading] = (white[:, :leading] @ self.vectors) * np.sqrt(self.leading)
        seen[:, leading:] = white[:, leading:] * np.sqrt(self.rest)
        return seen


@dataclass(frozen=True)
class ClassPrior:
    """B in its eigenbasis: the variances of the leading directions; the rest have the floor's."""

    vectors: Array
    values: Array
    dim: int
    floor: float

    def view(self, blur: float) -> View:
        """Coordinates in which noise of this variance blurs a mean."""
        weights = self.values / (self.values + blur)
        rest = self.floor / (self.floor + blur)
        beyond = self.dim - len(self.values)
        return View(
            self.vectors,
            weights,
            rest,
            total=float(weights.sum() + beyond * rest),
            white=float((weights**2).sum() + beyond * rest**2) / float(weights.sum() + beyond * rest) ** 2,
        )


def class_prior(whitener: Array, variances: NDArray[np.float32], rule: ClassPriorRule) -> ClassPrior:
    """B of the prior's variances between classes, where rows are whitened by ``whitener`` (lower
    triangular)."""
    leading = min(rule.leading, len(whitener))
    corner = whitener[:leading, :leading]
    values, vectors = np.linalg.eigh((corner * variances[:leading]) @ corner.T)
    return ClassPrior(vectors, rule.share * np.maximum(values, 0) + rule.floor, len(whitener), rule.floor)


def picture_weights(variances: NDArray[np.float32], rule: ClassPriorRule, close: float) -> Array:
    """What one picture tells in every direction of the prior's own coordinates."""
    variance = rule.share * variances.astype(np.float64) + rule.floor
    weights: Array = np.sqrt(variance / (variance + close))
    return weights
