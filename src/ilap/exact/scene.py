"""The scene of a question: all exposures, how alike each two are, where each is, and what people said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.statistics import NO_CLASS
from ilap.exact.told import SOFT, Pair

Rows = NDArray[np.intp]
MOST = 50.0  # logits are cut here


@dataclass(frozen=True)
class Scene:
    """Exposures by their numbers, and by row: ``odds`` are the log odds of all pairs, ``places`` where each is,
    ``said`` the class that a person put it into, else NO_CLASS. ``threshold`` is the mean log odds that two
    groups need to be one. ``apart`` are pairs of rows that were told apart, ``untold`` pairs that nobody could
    tell, the one that was asked about first."""

    numbers: tuple[int, ...]
    odds: Array
    places: Rows
    said: Rows
    threshold: float
    apart: tuple[Pair, ...] = ()
    untold: tuple[Pair, ...] = ()
    with_places: Array | None = None  # log odds of exposures with the rest of every place
    of_places: Array | None = None  # and of places with each other

    @cached_property
    def row(self) -> dict[int, int]:
        """The row of every exposure."""
        return {number: place for place, number in enumerate(self.numbers)}

    @cached_property
    def groups(self) -> tuple[Rows, Rows]:
        """The ids of all places, and which of them each exposure is in."""
        ids, inside = np.unique(self.places, return_inverse=True)
        return ids, inside

    @cached_property
    def sizes(self) -> Array:
        """How many exposures each place has."""
        return np.bincount(self.groups[1]).astype(float)

    @cached_property
    def means(self) -> Array:
        """The log odds of every exposure (a row) with the others of every place (a column); minus infinity
        where there are none, or one of them was told apart from it."""
        if self.with_places is None:
            inside = np.eye(len(self.sizes))[self.groups[1]]
            counts = self.sizes - inside
            sums = (self.odds - np.diag(np.diag(self.odds))) @ inside
            found: Array = np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)
        else:
            found = self.with_places.copy()
        for one, other in self.apart:
            found[one, self.groups[1][other]] = found[other, self.groups[1][one]] = -np.inf
        return found

    @cached_property
    def between(self) -> Array:
        """The log odds of two places; their mean over all pairs where nothing better is known."""
        if self.of_places is not None:
            return self.of_places
        inside = np.eye(len(self.sizes))[self.groups[1]]
        found: Array = inside.T @ self.odds @ inside / np.outer(self.sizes, self.sizes)
        return found

    @cached_property
    def welded(self) -> NDArray[np.bool_]:
        """Which pairs people put together."""
        found: NDArray[np.bool_] = (self.said[:, None] == self.said) & (self.said != NO_CLASS)
        return found

    def rows(self, place: int) -> Rows:
        """The exposures of a place."""
        return np.flatnonzero(self.places == place)

    def logits(self, means: Array) -> Array:
        """By how much mean log odds exceed the threshold, in widths of its step."""
        found: Array = np.clip((means - self.threshold) / SOFT, -MOST, MOST)
        return found

    def likely(self, means: Array) -> Array:
        """How likely groups of these mean log odds are one thing."""
        found: Array = 1 / (1 + np.exp(-self.logits(means)))
        return found

    def typical(self, rows: Rows) -> int:
        """The exposure, by its row, that is most like the others of a group."""
        odds = self.odds[np.ix_(rows, rows)]
        return int(rows[int((odds.sum(1) - np.diag(odds)).argmax())])

    def sides(self, one: int, other: int) -> tuple[Rows, Rows]:
        """The groups that two exposures stand for: their places, or where these are one the part of it that is
        more like each."""
        own, rest = self.rows(int(self.places[one])), self.rows(int(self.places[other]))
        if self.places[one] != self.places[other]:
            return own, rest
        nearer = self.odds[own, one] >= self.odds[own, other]
        nearer[own == one], nearer[own == other] = True, False
        return own[nearer], own[~nearer]
