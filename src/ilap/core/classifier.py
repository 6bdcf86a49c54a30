"""What the loop asks of a classifier. Two engines keep this contract: exact/ (closed form) and network/
(trained).

A classifier is a value: ``learn`` and ``discard`` give a new one and leave the old one as it was, so that
whatever fails half-way, nothing learned is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ilap.core.exemplars import Memory
from ilap.core.exposure import Picture, Samples

Array = NDArray[np.float64]

BASIC = frozenset({"probabilities", "features", "trial"})
"""The capabilities that every classifier has. Others are listed in detect/capabilities.py."""


@dataclass(frozen=True)
class Trial:
    """What training the exposure as a class of its own did to the old classes, in order of their ids.

    ``before`` and ``after`` are class accuracies. A small exposure leaves ``after`` uncertain:
    ``after_at_least`` is the lowest accuracy that it is compatible with, and ``resolved`` says of each class
    whether so small an exposure can tell it from its neighbours at all. ``evidence`` orders classes whose
    drops are equal: larger is more confused. ``prefers`` is the share of a class's exemplars that are likelier
    the newcomer than their own class, ``newcomer`` their mean probability of being it, or a number that grows
    with that.
    """

    before: Array
    after: Array
    after_at_least: Array
    evidence: Array
    resolved: NDArray[np.bool_]
    prefers: Array
    newcomer: Array


class Classifier(Protocol):
    """A classifier that grows by one class at a time."""

    @property
    def classes(self) -> tuple[int, ...]:
        """The ids of the classes it knows, ascending; columns everywhere are in this order."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can be asked for: ``BASIC``, and what else it offers."""

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
        """Forget a class (paper 3.4)."""

    def affected(self, class_id: int) -> tuple[int, ...]:
        """The classes whose accuracy may have changed by learning ``class_id``, itself among them."""

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """By which a class is given up: the share of its validation exemplars that is named right; 1 where
        there are too few to tell."""


class Correctable(Classifier, Protocol):
    """A classifier in which an exposure can be moved or forgotten as if it had never been where it was
    (capability *correctable*). ``fixed`` are the exposures that a person has placed."""

    @property
    def fixed(self) -> frozenset[int]:
        """Exposures that a person put where they are."""

    def see(self, exposure: Samples) -> Self:
        """An exposure has come. Nothing changes if it was seen before."""

    def doubt(self, numbers: Sequence[int]) -> Self:
        """Exposures of classes as unsure ones."""

    def move(self, numbers: Sequence[int], class_id: int) -> Self:
        """Exposures as part of another class, which may be a new one."""

    def forget(self, exposures: Sequence[Samples]) -> Self:
        """As if these exposures had never been learned."""


class Impurity(Protocol):
    """Rows of an exposure that show something else, and the class that most of them are surely of."""

    @property
    def rows(self) -> NDArray[np.intp]:
        """Places in the exposure's rows."""

    @property
    def class_id(self) -> int | None:
        """The class, where there are any."""


class TellsStrangers(Classifier, Protocol):
    """A classifier that finds pictures that do not belong (capability *strangers*)."""

    def strangers(self, exposure: Samples, column: int | None) -> Impurity:
        """Of an exposure that was taken for the class in this column, or for new."""


class PlacesExposures(Classifier, Protocol):
    """A classifier that says which exposures belong together (capability *places*)."""

    def places(self, next_id: int, among: Collection[int] | None = None) -> dict[int, int]:
        """Of every exposure seen, or of some, its class or its group, inferred for all of them at once; groups
        have ids from ``next_id`` on."""

    def group_of(self, exposure: Samples, groups: Mapping[int, int]) -> int | None:
        """The group of waiting exposures, each with its group's id, that this one goes with; None where there
        is none."""

    def counts_in_full(self, pictures: int) -> bool:
        """Whether an exposure of so many pictures tells all that its pictures tell each."""

    def surest_first(self, numbers: Sequence[int]) -> list[int]:
        """Waiting exposures, those first of which it is surest what they show."""

    def most_alike_first(self, number: int, others: Sequence[int]) -> list[int]:
        """Waiting exposures, those first that are most like another one."""

    def near_any(self, numbers: Collection[int]) -> set[int]:
        """Exposures whose answer may be another one since something is known of these: all, or where there are
        very many, these and those nearest to each."""

    def with_groups(self, exposures: Sequence[Samples], groups: Mapping[int, int]) -> Self:
        """As if these waiting exposures were of classes that have their groups' ids: to name pictures with."""


def correctable(classifier: Classifier) -> TypeGuard[Correctable]:
    """Whether exposures can be moved and forgotten."""
    return "correctable" in classifier.capabilities


def tells_strangers(classifier: Classifier) -> TypeGuard[TellsStrangers]:
    """Whether pictures that do not belong can be found."""
    return "strangers" in classifier.capabilities


def places_exposures(classifier: Classifier) -> TypeGuard[PlacesExposures]:
    """Whether it can be asked which exposures belong together."""
    return "places" in classifier.capabilities
