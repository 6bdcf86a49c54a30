"""The statistics of an exposure: its count and sum, some of its pictures, and what it tells of the stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples

NO_CLASS = -1
"""Stands for the class of an exposure that is unsure."""


@dataclass(frozen=True)
class Sums:
    """Count and sum of the features of one exposure, or of one class."""

    count: int
    total: Array

    @property
    def mean(self) -> Array:
        """The mean feature."""
        return self.total / self.count

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.count + other.count, self.total + other.total)


@dataclass(frozen=True)
class Traits:
    """What an exposure tells of its stream: the logarithms of its noise and of tr2 / tr^2 (noise.py), and von
    Neumann's ratio of its pictures in capture order (succession.py); None where it has too few pictures, or
    no order."""

    log_tr: float | None = None
    log_ratio: float | None = None
    succession: float | None = None


@dataclass(frozen=True)
class Statistics:
    """An exposure: its class, or ``NO_CLASS`` while it is unsure, its sums and its traits. ``pictures`` are
    some of its features, kept of an exposure that is part of a class (typicality.py)."""

    class_id: int
    sums: Sums
    traits: Traits
    pictures: NDArray[Any] = field(default_factory=lambda: np.empty((0, 0)))


def sums_of(exposure: Samples) -> Sums:
    """An exposure's count and sum."""
    return Sums(len(exposure), exposure.rows.astype(np.float64).sum(0))


def residuals_of(exposure: Samples) -> Array:
    """Its pictures around their own mean."""
    rows: Array = exposure.rows.astype(np.float64)
    around: Array = rows - rows.sum(0) / len(rows)
    return around


def evenly(count: int, wanted: int) -> NDArray[np.intp]:
    """Up to so many of ``count`` places, evenly spread.

    >>> evenly(10, 4).tolist(), evenly(3, 20).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    return np.unique(np.linspace(0, count - 1, min(count, wanted)).astype(int))
