"""Likeness by the model of occasions (agglomerate.py): of every two exposures, of exposures with places, and of
places with each other. All are log odds of one thing against two, squashed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.agglomerate import Gathered, gathered, likelihood, squashed
from ilap.exact.model import Model
from ilap.exact.surroundings import alike


@dataclass(frozen=True)
class Likeness:
    """Of exposures with each other (``pairs``), with the other exposures of every place (``with_places``, minus
    infinity where there are none), and of places with each other."""

    pairs: Array
    with_places: Array
    places: Array


def likeness(model: Model, inside: NDArray[np.intp]) -> Likeness:
    """Of all exposures that were seen; ``inside`` is the place of each, 0 and up."""
    every = alike(model, model.seen)
    single = every.single
    places = gathered(every.bands, every.share, inside)
    return Likeness(every.pairs, squashed(with_rest(single, places, inside)), squashed(places.odds()))


def with_rest(single: Gathered, places: Gathered, inside: NDArray[np.intp]) -> Array:
    """The log odds that each exposure is one thing with each place, without itself."""
    own = np.zeros((len(inside), len(places.h)))
    own[np.arange(len(inside)), inside] = 1
    precision = places.precision[:, None, :] - own * single.precision[:, :, None]
    precision = np.maximum(precision, 0)
    products = np.stack([a @ b.T for a, b in zip(single.by_band, places.by_band, strict=True)])
    squares = places.squares[:, None, :] + own * (single.squares[:, :, None] - 2 * products)
    inner = products - own * single.squares[:, :, None]
    together = squares + 2 * inner + single.squares[:, :, None]
    odds = likelihood(places.bands, places.between, precision + single.precision[:, :, None], together)
    odds -= likelihood(places.bands, places.between, precision, squares) + single.alone[:, None]
    empty = (own > 0) & (np.bincount(inside)[None] == 1)
    found: Array = np.where(empty, -np.inf, odds)
    return found
