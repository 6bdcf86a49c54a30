"""What the loop asks of a classifier. Two engines keep it: ``exact`` (closed form) and ``network``.

A classifier is a value: ``learn`` and ``discard`` give a new one and leave the old one as it was, so that
whatever fails half-way, nothing learned is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ilap.exposure import Picture, Samples
from ilap.memory import Memory

Array = NDArray[np.float64]

MEASURABLE = 5  # fewer pictures do not tell an accuracy
GIVEN = frozenset({"probabilities", "features", "trial"})
"""What every classifier gives. One that gives more (logits, gradients, maps, confidence) says all that it
gives in an attribute ``gives``, and keeps the matching protocol of detect/needs.py."""


@dataclass(frozen=True)
class Trial:
    """What training the exposure as a class of its own did to the old classes, in order of their ids.

    ``before`` and ``after`` are class accuracies. A small exposure leaves ``after`` uncertain:
    ``after_at_least`` is the lowest accuracy that it is compatible with, and ``resolved`` says of each class
    whether so small an exposure can tell it from its neighbours at all. ``evidence`` orders classes whose
    drops are equal: larger is more confused.
    """

    before: Array
    after: Array
    after_at_least: Array
    evidence: Array
    resolved: NDArray[np.bool_]


class Classifier(Protocol):
    """A classifier that grows by one class at a time."""

    @property
    def classes(self) -> tuple[int, ...]:
        """The ids of the classes it knows, ascending; columns everywhere are in this order."""

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What it learns from: features where the backbone is frozen, else the pictures, as one array."""

    def features(self, samples: NDArray[Any]) -> NDArray[Any]:
        """Where exemplars are compared, as rows."""

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """For every sample a probability of every class."""

    def trial(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Trial:
        """Train a copy with the exposure as one class more, and throw the copy away (paper 3.2, 3.3)."""

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Self:
        """Learn the exposure as a class, new or known (paper 3.4)."""

    def discard(self, class_id: int) -> Self:
        """Forget a class."""

    def touched(self, class_id: int) -> tuple[int, ...]:
        """The classes whose accuracy may have changed by learning ``class_id``, itself among them."""

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """The share of each class's validation exemplars that is named right; 1 where there
        are fewer than MEASURABLE."""


class Movable(Classifier, Protocol):
    """A classifier whose classes can be corrected without learning anew."""

    def move(self, numbers: Sequence[int], class_id: int) -> Self:
        """Exposures as part of another class, which may be a new one."""


class Impure(Protocol):
    """Rows of an exposure that show something else, and the class that most of them are surely of."""

    rows: NDArray[np.intp]
    class_id: int | None


class TellsStrangers(Classifier, Protocol):
    """A classifier that finds pictures that do not belong."""

    def strangers(self, exposure: Samples, column: int | None) -> Impure:
        """Of an exposure that was taken for the class in this column, or for new."""
