"""The statistics of an exposure: its count and sum, some of its pictures, and what it tells of the stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact.bursts import Bond


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
    """What an exposure tells of its stream: the logarithms of its noise and of tr2 / tr^2 (noise.py), how much
    its pictures hang together (bursts.py), and how near it came to the exposures before it, by their
    numbers."""

    log_tr: float | None = None
    log_ratio: float | None = None
    bond: Bond | None = None
    nearest: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Statistics:
    """An exposure as part of a class. ``pictures`` are some of its features, to be compared one by one with
    those of others."""

    class_id: int
    sums: Sums
    pictures: NDArray[Any]
    traits: Traits


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
