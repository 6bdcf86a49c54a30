"""Which classes and tentative groups look alike: by the means of their exposures, in coordinates that do not
change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ilap.core.classifier import Array
from ilap.exact.model import Model

AT_ONCE = 500  # places that are compared with all others at once; bounds memory


def centres(model: Model, places: Mapping[int, Sequence[int]]) -> Array:
    """The mean of every place, in the order given."""
    row = {number: at for at, number in enumerate(model.seen)}
    inside = [[row[n] for n in numbers if n in row] for numbers in places.values()]
    counts = np.array([len(own) for own in inside])
    sums = np.add.reduceat(model.coordinates[np.concatenate(inside)], np.cumsum(counts) - counts)
    found: Array = (sums / counts[:, None]).astype(np.float32)
    return found


def nearest(model: Model, places: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, float]]:
    """Of every place the one that is nearest to it, and how far away that is."""
    if len(places) < 2:
        return {}
    every, ids = centres(model, places), list(places)
    squares, found = (every**2).sum(1), dict[int, tuple[int, float]]()
    for first in range(0, len(ids), AT_ONCE):
        some = np.arange(first, min(first + AT_ONCE, len(ids)))
        away = squares[some, None] + squares - 2 * every[some] @ every.T
        away[some - first, some] = np.inf
        for at, best in zip(some, away.argmin(1), strict=True):
            found[ids[at]] = (ids[best], float(max(away[at - first, best], 0.0)))
    return found


def near(model: Model, places: Mapping[int, Sequence[int]], place: int, most: int) -> list[int]:
    """The places nearest to one, the nearest first."""
    ids, every = list(places), centres(model, places)
    away = ((every - every[ids.index(place)]) ** 2).sum(1)
    return [ids[at] for at in np.argsort(away, kind="stable") if ids[at] != place][:most]
