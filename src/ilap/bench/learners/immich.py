"""How photo libraries find people: DBSCAN, one exposure at a time (Immich, "Facial recognition": a face
within a cosine distance of .5 joins a person, and three faces make one).

An exposure joins the class of the nearest exposure that has one, if that is within ``eps``. Else, if at least
``least`` exposures lie within ``eps``, itself among them, it is a core point (Ester and others, 1996) and
founds a class with them. Else it waits, and is tried again whenever another exposure has come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ilap.bench.learners.contract import Task
from ilap.bench.learners.grouping import Array, Grouping, given
from ilap.core.decision import Decision
from ilap.core.errors import BadSetting
from ilap.core.parameters import at_least
from ilap.detect.distance import unit

PRESET = "fast"


@dataclass(frozen=True)
class Parameters:
    """As shipped."""

    eps: float = 0.5  # the cosine distance within which exposures are neighbours
    least: int = 3  # neighbours of a core point, itself among them

    def __post_init__(self) -> None:
        at_least("least", self.least, 1)
        if not 0 <= self.eps <= 2:
            raise BadSetting(f"eps is {self.eps}, but cosine distances lie between 0 and 2.")


class Immich(Grouping):
    """Incremental DBSCAN."""

    parameters: Parameters

    @property
    def facts(self) -> Mapping[str, float]:
        """The distance."""
        return {"threshold": self.parameters.eps}

    def decide(self, number: int) -> Decision:
        """Try the exposure, then those that wait, until nothing moves any more."""
        directions = unit(self.centred())
        away = 1 - directions @ directions.T
        first, *settled = self.tried(number, away[number])
        moved = True
        while moved:
            waiting = [n for n in range(number + 1) if n not in self.placed]
            tries = (self.tried(n, away[n]) for n in waiting)
            answers = next((found for found in tries if found[0].kind != "unsure"), [])
            settled += answers
            moved = bool(answers)
        return replace(first, settled=tuple(settled))

    def tried(self, number: int, away: Array) -> list[Decision]:
        """The answer to an exposure, by its distances to all, and those to neighbours that it takes along."""
        nearest = nearest_placed(away, self.placed)
        score = 2.0 if nearest is None else float(away[nearest])
        if nearest is not None and score <= self.parameters.eps:
            return [self.place(number, self.placed[nearest], score, f"exposure {nearest} is near")]
        around = [n for n in range(len(away)) if away[n] <= self.parameters.eps or n == number]
        if len(around) < self.parameters.least:
            return [Decision("unsure", None, score, {}, f"{len(around)} exposures are near", number, 0.0)]
        founding = self.place(number, None, score, f"{len(around)} exposures are near, none of them placed")
        others = [n for n in around if n != number]
        return [
            founding,
            *(self.place(n, founding.class_id, float(away[n]), "it is near a core point") for n in others),
        ]


def nearest_placed(away: Array, placed: Mapping[int, int]) -> int | None:
    """The nearest exposure that is in a class.

    >>> import numpy as np
    >>> nearest_placed(np.array([0.0, 0.1, 0.4, 0.3]), {2: 0, 3: 1})
    3
    """
    return min(placed, key=lambda number: float(away[number]), default=None)


def create(task: Task) -> Immich:
    """It needs no label and no hindsight."""
    return Immich(*given(task, PRESET))
