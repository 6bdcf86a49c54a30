"""What a stream is like: bursts or shuffled pictures, and how far apart occasions and things lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ilap.exact.model import Model
from ilap.exact.statistics import evenly
from ilap.exact.surroundings import alike

FEW = 6  # fewer exposures tell nothing


@dataclass(frozen=True)
class StreamTraits:
    """``whole`` is how much it looks as if pictures were drawn from all of a class rather than from one
    occasion, from 0 to 1; ``within`` the mean cosine of two exposures at one place, None where no place has
    two; ``gap`` by how much exposures are more alike within their place than with the next one, None where no
    place has two or there is no other. ``exposures`` is how many were compared."""

    exposures: int
    whole: float
    within: float | None
    gap: float | None


def stream_traits(model: Model, places: Mapping[int, int]) -> StreamTraits | None:
    """Of the exposures that were seen, or of some of them where there are very many; None where there are too
    few to tell. ``places`` is where each most likely belongs."""
    numbers = [number for number in model.seen if number in places]
    if len(numbers) < FEW:
        return None
    chosen = {numbers[i]: model.seen[numbers[i]] for i in evenly(len(numbers), model.rule.pairs.compared)}
    compared = alike(model, chosen)
    values = compared.cosines.values - np.eye(len(chosen))
    _, own = np.unique([places[number] for number in chosen], return_inverse=True)
    inside = np.eye(int(own.max()) + 1)[own]
    sizes = inside.sum(0)
    shared = sizes[own] > 1
    if not shared.any():
        return StreamTraits(len(chosen), compared.whole, None, None)
    sums = values @ inside
    within = (sums * inside).sum(1)[shared] / (sizes[own][shared] - 1)
    others = np.where(inside > 0, -np.inf, sums / sizes).max(1)[shared]
    gap = float((within - others).mean()) if len(sizes) > 1 else None
    return StreamTraits(len(chosen), compared.whole, float(within.mean()), gap)
