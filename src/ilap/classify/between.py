"""How classes differ: which directions tell them apart, and how far apart they are likely to lie.

In whitened coordinates (metric.py) differences within a class are noise of size 1 in every direction. Class
means are taken to differ by

    B = SHARE * B0 + FLOOR * I,

B0 being the variances between the backbone's own classes (backbones/prior.py), carried into these coordinates.
Of the direction j of B's eigenbasis, with variance b_j, a mean of n pictures tells the share

    a_j = b_j / (b_j + BLUR / n),

so distances are taken in z = sqrt(a) V'y: small exposures look at the few directions that they can tell, large
ones at all. This is what a two-covariance model (PLDA: Ioffe, ECCV 2006) does with noisy means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SHARE, FLOOR = 0.6, 0.08
BLUR = 1.5
LEAD = 256  # directions beyond these differ between classes by no more than the floor


@dataclass(frozen=True)
class View:
    """Coordinates for means of so many pictures. ``expected`` is the mean squared distance of two classes in
    them, ``largest`` the largest weight, ``total`` the sum of weights: the expected squared length of a
    residual."""

    vectors: Array
    lead: Array
    rest: float
    expected: float
    largest: float
    total: float

    def __call__(self, white: Array) -> Array:
        """Whitened rows in these coordinates."""
        seen = np.empty_like(white)
        leading = len(self.lead)
        seen[:, :leading] = (white[:, :leading] @ self.vectors) * np.sqrt(self.lead)
        seen[:, leading:] = white[:, leading:] * np.sqrt(self.rest)
        return seen


@dataclass(frozen=True)
class Between:
    """B in its eigenbasis: the variances of the leading directions; the rest have the floor's."""

    vectors: Array
    values: Array
    dim: int

    def view(self, blur: float) -> View:
        """Coordinates in which noise of this variance blurs a mean."""
        weights = self.values / (self.values + blur)
        rest = FLOOR / (FLOOR + blur)
        beyond = self.dim - len(self.values)
        return View(
            self.vectors,
            weights,
            rest,
            expected=2 * float((weights * self.values).sum() + beyond * rest * FLOOR),
            largest=float(weights.max()),
            total=float(weights.sum() + beyond * rest),
        )


def between(whitener: Array, variances: NDArray[np.float32]) -> Between:
    """B of the prior's variances between classes, where rows are whitened by ``whitener`` (lower
    triangular)."""
    leading = min(LEAD, len(whitener))
    corner = whitener[:leading, :leading]
    values, vectors = np.linalg.eigh((corner * variances[:leading]) @ corner.T)
    return Between(vectors, SHARE * np.maximum(values, 0) + FLOOR, len(whitener))
