"""The share of occasions: how much of what exposures differ by comes from the occasion, not from the thing.

Where pictures are drawn from all of a class, exposures of one thing differ by noise alone and the share r is
near 0; where each exposure is one occasion of its thing it is large. r is the one under which the whole stream
is likeliest, grouped as well as it can be (agglomerate.py). It is told as its log odds u = ln(r / (1 - r)),
pooled with 0 while few exposures were seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import BandsRule
from ilap.exact.agglomerate import agglomerated, gathered
from ilap.exact.bands import Bands, bands
from ilap.exact.model import Model
from ilap.exact.statistics import evenly


def occasions_of_stream(model: Model, most: int) -> float:
    """u, of up to so many of the exposures seen and of those that people placed. It is found once for all
    questions that come between two arrivals, and not anew for every arrival: the last ones count when the
    stream has grown enough."""
    numbers = list(model.seen)[: grown(len(model.seen), model.rule.bands)]
    chosen = {numbers[i] for i in evenly(len(numbers), most)} | model.fixed
    some = {number: own for number, own in model.seen.items() if number in chosen}
    if len(some) < model.rule.bands.few:
        return 0.0
    placed = [own.class_id if number in model.fixed else -2 - number for number, own in some.items()]
    key = tuple((n, own.sums.count, at) for (n, own), at in zip(some.items(), placed, strict=True))
    known = model.frame.known_occasions
    if key not in known:
        counts = np.array([own.sums.count for own in some.values()], float)
        traits = [own.traits for own in some.values()]
        seen = bands(model.frame, model.frame.seen(some), counts, traits)
        found = occasions(seen, np.unique(placed, return_inverse=True)[1], model.rule.bands)
        known[key] = pooled(found, len(numbers), model.rule.bands)
    return known[key]


def grown(count: int, rule: BandsRule) -> int:
    """The last step at which a stream of so many exposures was weighed.

    >>> [grown(count, BandsRule()) for count in (0, 4, 9, 10, 100)]
    [0, 4, 8, 10, 97]
    """
    step = rule.few
    while (after := step + max(1, step // rule.parts)) <= count:
        step = after
    return step if count >= rule.few else count


def occasions(seen: Bands, labels: NDArray[np.intp], rule: BandsRule) -> float:
    """u, of a stream's exposures, by the likelihood alone. Those of one label are one thing, as people said."""
    known: dict[float, float] = {}

    def likely(log_odds: float) -> float:
        if log_odds not in known:
            known[log_odds] = log_likelihood(seen, share_of(log_odds), labels)
        return known[log_odds]

    step, places = rule.finest, np.arange(-rule.most, rule.most + rule.finest, 2 * rule.finest)
    best = float(places[int(np.argmax([likely(float(place)) for place in places]))])
    best = max((best - step, best, best + step), key=likely)
    if abs(best) >= rule.most:
        return float(np.sign(best) * rule.most)
    before, there, after = (likely(best + move) for move in (-step, 0.0, step))
    curve = before - 2 * there + after
    return best if curve >= 0 else best + 0.5 * step * (before - after) / curve


def log_likelihood(seen: Bands, share: float, labels: NDArray[np.intp]) -> float:
    """Of all means, less a constant: what they would have if each had its thing for itself and that were known,
    and what the model of occasions adds to it."""
    groups = gathered(seen, share, labels)
    alone = float(groups.alone.sum())
    variance = share * seen.spread[:, None] + seen.noise
    squares = np.add.reduceat(seen.rows**2, seen.starts, axis=1).T
    base: Array = seen.weights @ (seen.sizes[:, None] * np.log(variance) + squares / variance)
    return alone + agglomerated(groups)[1] - 0.5 * float(base.sum())


def pooled(log_odds: float, exposures: int, rule: BandsRule) -> float:
    """u, and 0 while few exposures were seen."""
    return log_odds * exposures / (exposures + rule.doubt)


def share_of(log_odds: float) -> float:
    """The share that has these log odds.

    >>> share_of(0.0)
    0.5
    """
    return float(1 / (1 + np.exp(-log_odds)))


def joining_share(log_odds: float, rule: BandsRule) -> float:
    """The share at which exposures are joined: a little larger than the likeliest, since directions are not as
    independent as the model takes them to be."""
    return share_of(log_odds + rule.shift)


def wholeness(log_odds: float) -> float:
    """From 0 to 1, how much a stream looks as if pictures were drawn from all of a class.

    >>> round(wholeness(-1.5), 2), wholeness(1.0) < 0.05 < 0.95 < wholeness(-4.0)
    (0.5, True)
    """
    return float(1 / (1 + np.exp(1.5 * (log_odds + 1.5))))
