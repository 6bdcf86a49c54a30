"""The share of sessions: how much of what exposures differ by comes from the session, not from the thing.

Where pictures are drawn from all of a class, exposures of one thing differ by noise alone and the share r is
near 0; where each exposure is one session of its thing it is large. It is told as its log odds
u = ln(r / (1 - r)), and is the one with the largest

    L(u) / c - 1/2 (u - u0)^2,

L being the log likelihood of the whole stream, grouped as well as it can be (agglomerate.py). It is divided by
c since directions are not as independent as the model takes them to be; so few or small exposures tell little,
and u stays near u0, the usual one. Somebody may know how pictures were drawn (``sampling``): *random*, from all
of a class, so that u is small; or *burst*, one session an exposure, so that it is at least that of bursts.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import BandsRule
from ilap.exact.agglomerate import agglomerated, gathered
from ilap.exact.bands import Bands, bands
from ilap.exact.model import Model
from ilap.exact.statistics import Statistics, evenly

NEAREST = 2  # of an exposure that are weighed with it where there are very many; by hand


def sessions_of_stream(model: Model) -> float:
    """u, of the exposures that tell it. It is found once for all questions that come between two arrivals."""
    rule = model.rule.bands
    if model.sampling == "random":
        return rule.random
    found = learned_sessions(model)
    return max(found, rule.bursts) if model.sampling == "burst" else found


def learned_sessions(model: Model) -> float:
    """The same where nobody said how pictures were drawn."""
    some = telling(model)
    if len(some) < model.rule.bands.few:
        return model.rule.bands.usual
    placed = [own.class_id if number in model.fixed else -2 - number for number, own in some.items()]
    key = tuple((n, own.sums.count, at) for (n, own), at in zip(some.items(), placed, strict=True))
    known = model.frame.known_sessions
    found = known.get(key)
    if found is None:
        counts = np.array([own.sums.count for own in some.values()], float)
        traits = [own.traits for own in some.values()]
        seen = bands(model.frame, model.frame.seen(some), counts, traits)
        found = sessions(seen, np.unique(placed, return_inverse=True)[1], model.rule.bands)
        known[key] = found
    return found


def telling(model: Model) -> Mapping[int, Statistics]:
    """The exposures by which the share is weighed: all, or where there are very many some that are evenly
    spread, each with its nearest among all. Two exposures of one identity that differ by noise alone are what
    shows that pictures are drawn from all of a class, and a sample without neighbours would tear them apart.
    Of those that people placed as many are there besides."""
    rule, numbers = model.rule.bands, list(model.seen)
    if len(numbers) <= rule.weighed:
        return model.seen
    fixed, count = sorted(model.fixed), rule.weighed // (1 + NEAREST)
    chosen = {numbers[i] for i in model.spread(count, NEAREST)} | {fixed[i] for i in evenly(len(fixed), count)}
    return {number: model.seen[number] for number in sorted(chosen) if number in model.seen}


def sessions(seen: Bands, labels: NDArray[np.intp], rule: BandsRule) -> float:
    """u, of a stream's exposures. Those of one label are one thing, as people said."""
    known: dict[float, float] = {}

    def likely(log_odds: float) -> float:
        if log_odds not in known:
            told = log_likelihood(seen, share_of(log_odds), labels) / rule.dependence
            known[log_odds] = told - 0.5 * (log_odds - rule.usual) ** 2
        return known[log_odds]

    step = rule.finest
    best = max(map(float, np.arange(rule.lowest + step, rule.highest, 2 * step)), key=likely)
    best = max((best - step, best, best + step), key=likely)
    if not rule.lowest < best < rule.highest:
        return best
    before, there, after = (likely(best + move) for move in (-step, 0.0, step))
    curve = before - 2 * there + after
    return best if curve >= 0 else best + 0.5 * step * (before - after) / curve


def log_likelihood(seen: Bands, share: float, labels: NDArray[np.intp]) -> float:
    """Of all means, less a constant: what they would have if each had its thing for itself and that were known,
    and what the model of sessions adds to it."""
    groups = gathered(seen, share, labels)
    alone = float(groups.alone.sum())
    variance = share * seen.spread[:, None] + seen.noise
    squares = seen.sums(seen.rows**2)
    base: Array = seen.weights @ (seen.sizes[:, None] * np.log(variance) + squares / variance)
    return alone + agglomerated(groups)[1] - 0.5 * float(base.sum())


def share_of(log_odds: float) -> float:
    """The share that has these log odds.

    >>> share_of(0.0)
    0.5
    """
    return float(1 / (1 + np.exp(-log_odds)))


def joining(log_odds: float, succession: float | None, rule: BandsRule) -> float:
    """u where exposures are joined. Pictures that follow each other show one session, however near to each
    other most sessions of the stream lie: then it is not less than that of bursts.

    >>> joining(-3.0, None, BandsRule()), joining(-3.0, 0.5, BandsRule()) > -1
    (-3.0, True)
    """
    bursts = succession is not None and succession < rule.follow
    return max(log_odds, rule.bursts) if bursts else log_odds


def wholeness(log_odds: float) -> float:
    """From 0 to 1, how much a stream looks as if pictures were drawn from all of a class.

    >>> round(wholeness(-1.5), 2), wholeness(1.0) < 0.05 < 0.95 < wholeness(-4.0)
    (0.5, True)
    """
    return float(1 / (1 + np.exp(1.5 * (log_odds + 1.5))))
