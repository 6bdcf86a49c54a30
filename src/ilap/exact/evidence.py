"""The evidence of an exposure: how likely it is each known class, and how likely a new one.

For every class the log odds of *same* against *new*, from the distance of means (likelihood.py) in the
directions that so few pictures can tell (class_prior.py), or, as surely as the exposure is a burst, from the
nearest pictures (bursts.py). What the exposure tells of the stream, how noisy its pictures are and how much
they hang together, is kept for the exposures after it, since a few pictures tell little of that by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact import bursts, likelihood
from ilap.exact.model import Model
from ilap.exact.noise import estimate
from ilap.exact.statistics import Statistics, Traits


@dataclass(frozen=True)
class Evidence:
    """What an exposure shows. ``columns`` are the classes that it was compared with, ``log_odds`` for each of
    *same* against *new*; ``touch`` are those by nearest pictures, if the exposure is a burst at all.
    ``distance`` is the mean distance of classes over that expected."""

    columns: NDArray[np.intp]
    log_odds: Array
    chance: float  # of a new class, before looking
    burst: float  # how surely it is one
    touch: Array | None
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
    before = [own.traits for own in model.exposures.values()]
    estimated = estimate(viewed[:-1], view.total, before, rule.noise)
    bond = bursts.bond(
        viewed[:-1], estimated.noise.tr, exposure.ordered, frame.fixed_close_up(rows), rule.bursts
    )
    traits = Traits(estimated.log_tr, estimated.log_ratio, bond)
    columns, reference = model.shortlist(rows.mean(0)), model.reference()
    if not len(columns):
        return Evidence(columns, np.empty(0), 1.0, 0.0, None, 1.0, white, traits)

    both = np.union1d(columns, reference)
    means, counts = view(model.means(both)), model.counts[both]
    share = 1 / count + 1 / counts
    distances = ((means - viewed[-1]) ** 2).sum(1) - estimated.noise.tr * share
    pairs = pair_distances(means, counts, estimated.noise.tr, np.isin(both, reference))
    mean = likelihood.mean_distance(pairs, view.expected, known, rule.likelihood)
    at = np.isin(both, columns)
    sd = estimated.noise.spread(share[at])
    same = likelihood.log_same(distances[at], sd, rule.likelihood.strays, rule.likelihood.stray_width)
    odds = same - likelihood.log_different(
        distances[at], sd, share[at], mean, view.largest, known, rule.likelihood
    )
    burst = 0.0
    if exposure.ordered or model.prior.known:  # the spanning tree of other features may be short
        bonds = [traits.bond for traits in before if traits.bond]
        burst = bursts.burstness(bond, exposure.ordered, bonds, rule.bursts)
    touch = None
    if burst > 0:
        touch, nearest = touching(model, rows, columns, distances[at])
        traits = replace(traits, nearest=nearest)
        odds = np.logaddexp(np.log(burst) + touch, np.log(1 - burst + 1e-9) + odds)
    chance = likelihood.chance_of_new(known, len(model.exposures), rule.likelihood)
    return Evidence(columns, odds, chance, burst, touch, mean / view.expected, white, traits)


def pair_distances(means: Array, counts: Array, tr: float, among: NDArray[np.bool_]) -> Array:
    """Squared distances of all pairs of some classes, freed of noise."""
    means, counts = means[among], counts[among]
    raw = bursts.squares(means, means) - tr * (1 / counts[:, None] + 1 / counts)
    return raw[np.triu_indices(len(means), 1)]


def touching(
    model: Model, rows: Array, columns: NDArray[np.intp], distances: Array
) -> tuple[Array, dict[int, float]]:
    """For every class the log odds by nearest pictures, and how near the exposure came to each other one. Only
    the classes whose means are nearest are looked at so closely."""
    rule = model.rule
    closest = np.argsort(distances, kind="stable")[: rule.bursts.closest]
    place = {model.classes[column]: i for i, column in enumerate(columns[closest])}
    near = {number: own for number, own in model.exposures.items() if own.class_id in place}
    pictures, others, steps = model.frame.close_ups(rows, near)
    logs = bursts.touching(pictures, others)
    owners = np.array([place[own.class_id] for own in near.values()])
    odds = np.full(len(columns), -rule.bursts.farther)
    odds[closest] = bursts.log_odds(
        logs,
        bursts.step(pictures),
        steps,
        owners,
        distances_apart(model, near),
        len(model.classes),
        model.frame.close.total,
        rule.likelihood.patience,
        rule.bursts,
    )
    return odds, dict(zip(near, map(float, logs), strict=True))


def distances_apart(model: Model, exposures: Mapping[int, Statistics]) -> list[float]:
    """How near these exposures came to earlier ones of other classes."""
    return [
        value
        for own in exposures.values()
        for other, value in own.traits.nearest.items()
        if other in model.exposures and model.exposures[other].class_id != own.class_id
    ]
