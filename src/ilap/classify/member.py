"""What is kept of an exposure: its count and sum, some of its pictures, and what it told of the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.classify.contract import Array
from ilap.classify.look import Traits
from ilap.exposure import Samples

KEPT = 20  # pictures of an exposure that are kept to be compared with others


@dataclass(frozen=True)
class Learned:
    """What is kept of one exposure, or of one class."""

    count: int
    total: Array

    @property
    def mean(self) -> Array:
        """The mean feature."""
        return self.total / self.count

    def __add__(self, other: Learned) -> Learned:
        return Learned(self.count + other.count, self.total + other.total)


def learned(exposure: Samples) -> Learned:
    """An exposure's count and sum."""
    return Learned(len(exposure), exposure.rows.astype(np.float64).sum(0))


def residuals(exposure: Samples) -> Array:
    """Its pictures around their own mean."""
    rows: Array = exposure.rows.astype(np.float64)
    around: Array = rows - rows.sum(0) / len(rows)
    return around


def kept(exposure: Samples) -> NDArray[Any]:
    """Some of its pictures, evenly spread."""
    count = len(exposure)
    rows: NDArray[Any] = exposure.rows[np.unique(np.linspace(0, count - 1, min(count, KEPT)).astype(int))]
    return rows


@dataclass(frozen=True)
class Member:
    """An exposure as part of a class. ``kept`` are some of its pictures, for comparison with those of others;
    ``traits`` are what it told of the stream."""

    class_id: int
    learned: Learned
    kept: NDArray[Any]
    traits: Traits
