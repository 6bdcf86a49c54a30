"""A look at an exposure: how likely it is each known class, and how likely a new one.

For every class the log odds of *same* against *new*, from the distance of means (likelihood.py) in the
directions that so few pictures can tell (between.py), or, as surely as the exposure is a burst, from the
nearest pictures (burst.py). What the exposure tells of the stream, how noisy its pictures are and how much they
hang together, is kept for the exposures after it, since a few pictures tell little of that by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilap.classify import burst, likelihood
from ilap.classify.between import BLUR, View
from ilap.classify.burst import Bond
from ilap.classify.metric import Noise, noise_of
from ilap.exposure import Samples

if TYPE_CHECKING:
    from ilap.classify.exact import Exact

Array = NDArray[np.float64]

CLOSE = 0.15  # the noise against which a single picture's directions are weighed
CLOSEST = 20  # classes whose pictures are compared one by one with those of a burst
FARTHER = 20.0  # the log odds against the others
USUAL_ERROR = 0.09  # relative variance of an exposure's noise around what is usual in the stream
FEW = 10.0  # pairs of pictures that tell tr2 as well as one exposure before does


@dataclass(frozen=True)
class Traits:
    """What an exposure tells of its stream: the logarithms of its noise and of tr2 / tr^2, its bond, and how
    near it came to the exposures before it, by their numbers."""

    log_tr: float | None = None
    log_ratio: float | None = None
    bond: Bond | None = None
    nearest: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Look:
    """What was seen. ``columns`` are the classes that were looked at, ``log_odds`` for each of *same* against
    *new*; ``touch`` are those by nearest pictures, if the exposure is a burst at all. ``mean`` is the mean
    distance of classes over that expected."""

    columns: NDArray[np.intp]
    log_odds: Array
    chance: float
    burst: float
    touch: Array | None
    mean: float
    white: Array  # whitened residuals, and the whitened mean as the last row
    traits: Traits

    def posterior(self, known: int) -> Array:
        """Probabilities: of a new class, then of every class that was looked at."""
        logs = np.concatenate([[np.log(self.chance)], np.log((1 - self.chance) / known) + self.log_odds])
        shares: Array = np.exp(logs - np.logaddexp.reduce(logs))
        return shares


def look(exact: Exact, exposure: Samples) -> Look:
    """Look at an exposure with what is known. With nothing known there are traits all the same."""
    rows = exposure.rows.astype(np.float64)
    count = len(rows)
    white = exact.metric.whiten(np.concatenate([rows - rows.mean(0), rows.mean(0, keepdims=True)]))
    view = exact.between.view(BLUR / count)
    seen = view(white)
    before = [member.traits for member in exact.exposures.values()]
    noise, log_tr, log_ratio = pooled_noise(seen[:-1], view, before)
    bond = burst.bond(seen[:-1], noise.tr, exposure.ordered, exact.close_up(rows))
    traits = Traits(log_tr, log_ratio, bond)
    columns, reference = exact.shortlist(rows.mean(0)), exact.reference()
    if not len(columns):
        return Look(columns, np.empty(0), 1.0, 0.0, None, 1.0, white, traits)

    both = np.union1d(columns, reference)
    means, counts = view(exact.white_means(both)), exact.counts[both]
    share = 1 / count + 1 / counts
    distances = ((means - seen[-1]) ** 2).sum(1) - noise.tr * share
    pairs = pair_distances(means, counts, noise.tr, np.isin(both, reference))
    mean = likelihood.mean_distance(pairs, view.expected, len(exact.classes))
    at = np.isin(both, columns)
    sd = noise.spread(share[at])
    odds = likelihood.log_same(distances[at], sd) - likelihood.log_different(
        distances[at], sd, share[at], mean, view.largest, len(exact.classes)
    )
    sure = 0.0
    if exposure.ordered or exact.prior.known:  # the tree of other features may be short
        sure = burst.burstness(bond, exposure.ordered, [t.bond for t in before if t.bond])
    touch = None
    if sure > 0:
        touch, nearest = touching(exact, rows, columns, distances[at])
        traits = Traits(log_tr, log_ratio, bond, nearest)
        odds = np.logaddexp(np.log(sure) + touch, np.log(1 - sure + 1e-9) + odds)
    chance = likelihood.chance_of_new(len(exact.classes), len(exact.exposures))
    return Look(columns, odds, chance, sure, touch, mean / view.expected, white, traits)


def pair_distances(means: Array, counts: Array, tr: float, among: NDArray[np.bool_]) -> Array:
    """Squared distances of all pairs of some classes, freed of noise."""
    means, counts = means[among], counts[among]
    raw = burst.squares(means, means) - tr * (1 / counts[:, None] + 1 / counts)
    return raw[np.triu_indices(len(means), 1)]


def pooled_noise(
    residuals: Array, view: View, before: Sequence[Traits]
) -> tuple[Noise, float | None, float | None]:
    """The noise of an exposure: its own, as far as so few pictures tell it, and that usual in the stream, each
    as precise as it is. Also the logarithms that it adds to the usual."""
    count = len(residuals)
    logs = [t.log_tr for t in before if t.log_tr is not None]
    ratios = [t.log_ratio for t in before if t.log_ratio is not None]
    usual = view.total * np.exp(np.mean(logs)) if logs else view.total
    usual_error = USUAL_ERROR if logs else 1.0
    ratio = float(np.exp(np.mean(ratios))) if ratios else 3 / view.total
    if count == 1:
        return Noise(usual, ratio * usual**2, usual * np.sqrt(usual_error)), None, None
    log_ratio = None
    if count == 2:
        own = float((residuals**2).sum())
    else:
        measured = noise_of(residuals)
        own = measured.tr
        log_ratio = float(np.log(max(measured.tr2, 1e-12) / max(own, 1e-6) ** 2))  # copies have no noise
        weight = count * (count - 1) / 2 / FEW
        trust = len(logs) if ratios else 0
        ratio = float(np.exp((weight * log_ratio + trust * np.log(ratio)) / (weight + trust)))
    own = max(own, 1e-9)
    own_error = 2 * ratio / (count - 1)
    weight = usual_error / (own_error + usual_error)
    tr = float(np.exp(weight * np.log(own) + (1 - weight) * np.log(usual)))
    error = tr * float(np.sqrt(1 / (1 / own_error + 1 / usual_error)))
    return Noise(tr, ratio * tr**2, error), float(np.log(own / view.total)), log_ratio


def close_ups(exact: Exact, rows: Array, numbers: Sequence[int]) -> list[Array]:
    """Pictures, and those kept of some exposures, in the directions that one picture can tell. The latter are
    remembered for as long as the metric is the same."""
    memo: dict[int, Array] = exact.metric.__dict__.setdefault("_close_ups", {})
    missing = [number for number in numbers if number not in memo]
    kept = [exact.exposures[number].kept for number in missing]
    close = exact.between.view(CLOSE)(exact.metric.whiten(np.concatenate([rows, *kept])))
    own, *others = np.split(close, np.cumsum([len(rows), *map(len, kept)])[:-1])
    memo.update(zip(missing, others, strict=True))
    return [own, *(memo[number] for number in numbers)]


def touching(
    exact: Exact, rows: Array, columns: NDArray[np.intp], distances: Array
) -> tuple[Array, dict[int, float]]:
    """For every class the log odds by nearest pictures, and how near the exposure came to each other one. Only
    the classes whose means are nearest are looked at so closely."""
    closest = np.argsort(distances, kind="stable")[:CLOSEST]
    ids = [exact.classes[column] for column in columns[closest]]
    place = {class_id: i for i, class_id in enumerate(ids)}
    numbers = [number for number, member in exact.exposures.items() if member.class_id in place]
    pictures, *others = close_ups(exact, rows, numbers)
    logs = burst.touching(pictures, others)
    owners = np.array([place[exact.exposures[number].class_id] for number in numbers])
    apart = [
        value
        for number in numbers
        for other, value in exact.exposures[number].traits.nearest.items()
        if other in exact.exposures and exact.exposures[other].class_id != exact.exposures[number].class_id
    ]
    known: dict[int, float] = exact.metric.__dict__.setdefault("_steps", {})
    known.update({n: burst.step(other) for n, other in zip(numbers, others, strict=True) if n not in known})
    steps = np.array([known[number] for number in numbers])
    odds = np.full(len(columns), -FARTHER)
    usual = exact.between.view(CLOSE).total
    odds[closest] = burst.log_odds(logs, burst.step(pictures), steps, owners, apart, len(exact.classes), usual)
    return odds, dict(zip(numbers, map(float, logs), strict=True))
