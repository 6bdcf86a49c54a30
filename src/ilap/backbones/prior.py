"""What is known of a backbone's features before the first exposure: how pictures of one class differ.

The within-class covariance W of a backbone's own training distribution tells which differences mean nothing.
A prior holds it as a projection P in whose coordinates W, shrunk by a tenth towards its mean diagonal, is the
identity: P = the leading solutions v of T v = mu W v, with T the covariance of all pictures. Directions that
tell classes apart come first, and the trailing ones, which hold little of anything, are cut off. Made by
tools/make_prior.py and shipped with the package, or by ``ilap prior``.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core import files
from ilap.core.exposure import Picture
from ilap.core.rule import RULE

SHRINKAGE = 0.1


@dataclass(frozen=True)
class Prior:
    """Features are described as (feature - mean) @ projection. Of the backbone's own classes, ``separation`` is
    the squared distance of a class to its nearest neighbour, in the median, and ``between`` the variance of
    class means in every direction; both are freed of the noise that means of few pictures have."""

    mean: NDArray[np.float32]
    projection: NDArray[np.float32]
    separation: float
    between: NDArray[np.float32]
    known: bool = True

    @property
    def dim(self) -> int:
        """How many numbers are left of a feature."""
        return int(self.projection.shape[1])

    def project(self, features: NDArray[Any]) -> NDArray[np.float32]:
        """Features in the prior's coordinates."""
        projected: NDArray[np.float32] = (features - self.mean) @ self.projection
        return projected

    @property
    def dtype(self) -> type[np.floating[Any]]:
        """In the prior's coordinates half precision is plenty; what other features need is not known."""
        return np.float16 if self.known else np.float32

    def features(self, backbone: Backbone, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What is kept of pictures: the backbone's features in these coordinates."""
        return self.project(backbone.features(pictures)).astype(self.dtype)


def load(key: str, dim: int) -> Prior:
    """The shipped prior of a backbone, or one that knows nothing, with a warning."""
    shipped = resources.files("ilap.backbones") / f"{key}.npz"
    file = shipped if shipped.is_file() else own_file(key)
    if not file.is_file():
        warnings.warn(
            f"There is no prior for the backbone {key}: early decisions will be less sure. "
            f"ilap prior makes one from a folder of class folders.",
            stacklevel=2,
        )
        flat = np.full(dim, RULE.no_prior.variance / dim, np.float32)
        same = np.eye(dim, dtype=np.float32)
        return Prior(np.zeros(dim, np.float32), same, RULE.no_prior.separation, flat, known=False)
    with file.open("rb") as stream, np.load(stream) as arrays:
        return Prior(
            arrays["mean"].astype(np.float32),
            arrays["projection"].astype(np.float32),
            float(arrays["separation"]),
            arrays["between"].astype(np.float32),
        )


def own_file(key: str) -> Path:
    """Where priors that were made here are kept."""
    return files.cache_folder("priors") / f"{files.file_name(key)}.npz"


def make(features: NDArray[Any], labels: NDArray[Any], dim: int) -> Prior:
    """The prior of labelled features: rows of ``features`` with equal ``labels`` are one class."""
    names, number, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rows = features.astype(np.float64)
    means = np.stack([rows[number == k].mean(0) for k in range(len(names))])
    residuals = rows - means[number]
    within = residuals.T @ residuals / (len(rows) - len(names))
    shrunk = (1 - SHRINKAGE) * within + SHRINKAGE * np.trace(within) / len(within) * np.eye(len(within))
    _, vectors = scipy.linalg.eigh(np.cov(rows.T), shrunk)
    projection = vectors[:, ::-1][:, :dim].astype(np.float16).astype(np.float32)
    noise = np.diag(projection.T @ within @ projection)
    centres = means @ projection
    return Prior(
        rows.mean(0).astype(np.float32),
        projection,
        nearest(centres, counts, float(noise.sum())),
        np.maximum(centres.var(0, ddof=1) - noise * (1 / counts).mean(), 0).astype(np.float32),
    )


def nearest(means: NDArray[Any], counts: NDArray[Any], noise: float) -> float:
    """The median over classes of the squared distance to the nearest other class, freed of the noise that
    means of few pictures have."""
    squares = (means**2).sum(1)
    distances = squares[:, None] + squares - 2 * means @ means.T - noise * (1 / counts[:, None] + 1 / counts)
    np.fill_diagonal(distances, np.inf)
    return float(np.median(distances.min(1)))
