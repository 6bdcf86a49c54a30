"""The evidence of distances: how likely an exposure is each class, were its pictures drawn from all of it.

For every class the log odds of *same* against *new*, from the distance of means (likelihood.py) in the
directions that so few pictures can tell (class_prior.py). What the exposure tells of the stream, how noisy its
pictures are and whether they follow each other, is kept for the exposures after it, since a few pictures tell
little of that by themselves. Whether pictures are drawn from all of a class is for belief.py to weigh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact import likelihood, succession
from ilap.exact.class_prior import View
from ilap.exact.model import Model
from ilap.exact.noise import estimate, scales
from ilap.exact.statistics import Traits, evenly


@dataclass(frozen=True)
class Evidence:
    """What an exposure shows. ``columns`` are the classes that it was compared with, ``log_odds`` for each of
    *same* against *new*, ``excess`` the distance beyond what noise explains, in its standard deviations.
    ``distance`` is the mean distance of classes over that expected."""

    columns: NDArray[np.intp]
    log_odds: Array
    excess: Array
    chance: float  # of a new class, before looking
    distance: float
    white: Array  # whitened residuals, and the whitened mean as the last row
    traits: Traits

    def posterior(self, known: int) -> Array:
        """Probabilities: of a new class, then of every class that it was compared with, where so many classes
        are known."""
        logs = np.concatenate([[np.log(self.chance)], np.log((1 - self.chance) / known) + self.log_odds])
        shares: Array = np.exp(logs - np.logaddexp.reduce(logs))
        return shares


def evidence(model: Model, exposure: Samples) -> Evidence:
    """Weigh an exposure against all that is known. With nothing known there are traits all the same."""
    rule, frame = model.rule, model.frame
    rows = exposure.rows.astype(np.float64)
    count, known = len(rows), len(model.classes)
    white = frame.whiten(np.concatenate([rows - rows.mean(0), rows.mean(0, keepdims=True)]))
    view = frame.class_prior.view(rule.class_prior.blur / count)
    viewed = view(white)
    before = [own.traits for number, own in model.seen.items() if number != exposure.number]
    kept = model.unsure.get(exposure.number)
    estimated = estimate(viewed[:-1], view.noise, before, rule.noise, kept.traits if kept else None)
    traits = Traits(
        estimated.log_tr, estimated.log_ratio, succession.ratio(viewed[:-1]) if exposure.ordered else None
    )
    columns = model.shortlist(rows.mean(0))
    chance = likelihood.chance_of_new(known, len(model.exposures), rule.likelihood)
    if not len(columns):
        return Evidence(columns, np.empty(0), np.empty(0), 1.0, 1.0, white, traits)

    means, counts = view(model.means(columns)), model.counts[columns]
    share = 1 / count + 1 / counts
    distances = ((means - viewed[-1]) ** 2).sum(1) - estimated.noise.tr * share
    mean = mean_distance(model, view, viewed[-1], count, exposure.number)
    sd = estimated.noise.spread(share)
    same = likelihood.log_same(distances, sd, rule.likelihood.strays, rule.likelihood.stray_width)
    different = likelihood.log_different(distances, sd, share, mean, view.largest, known, rule.likelihood)
    return Evidence(columns, same - different, distances / sd, chance, mean / view.expected, white, traits)


def mean_distance(model: Model, view: View, mean: Array, count: int, number: int) -> float:
    """How far apart things lie in these coordinates: what the prior expects, and more and more what was seen of
    all exposures, those among them that are unsure and this one. Most pairs of exposures show two things, so
    one of the larger distances stands for those."""
    rule = model.rule.likelihood
    others = [(n, own) for n, own in model.seen.items() if n != number]
    chosen = dict(others[i] for i in evenly(len(others), rule.compared)) if others else {}
    if not chosen:
        return view.expected
    rows = np.concatenate([view(model.frame.seen(chosen)), mean[None]])
    counts = np.array([*(own.sums.count for own in chosen.values()), count], float)
    traits = [*(own.traits for own in chosen.values()), Traits()]
    scale, _ = scales(traits, counts, view.white, model.rule.noise)
    free = (rows**2).sum(1) - scale * view.total / counts
    pairs = (free[:, None] + free - 2 * rows @ rows.T)[np.triu_indices(len(rows), 1)]
    return likelihood.mean_distance(
        float(np.quantile(pairs, rule.larger)), view.expected, len(others) + 1, rule
    )
