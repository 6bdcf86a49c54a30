"""A second look at a class: does it fall in two now that another exposure has come?

What was taken for one class may be two. So all ways to part a class's exposures and another one in two are
compared with leaving them together: the likelihood of the two groups' distance as that of two classes against
one, less a factor 2 for every exposure, as there are that many ways to part them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact import likelihood
from ilap.exact.evidence import Evidence
from ilap.exact.model import Model
from ilap.exact.noise import estimate


@dataclass(frozen=True)
class Split:
    """How likely a class and an exposure are two classes, and which of the class's exposures then go together
    with the new one and which do not."""

    probability: float
    together: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()


def split(model: Model, class_id: int, exposure: Samples, weighed: Evidence) -> Split:
    """The likeliest way to part them."""
    members = model.members(class_id)
    if len(members) < 2:
        return Split(0.0)
    rule, own = model.rule, [model.exposures[number].sums for number in members]
    counts = np.array([*(sums.count for sums in own), len(exposure)], float)
    view = model.frame.class_prior.view(rule.second_look.blur / counts.sum())
    means = model.frame.whiten(np.stack([sums.mean for sums in own]))
    rows = view(np.concatenate([means, weighed.white[-1:], weighed.white[:-1]]))
    groups, residuals = rows[: len(counts)], rows[len(counts) :]
    traits = [other.traits for other in model.seen.values()]
    kept = model.unsure.get(exposure.number)
    noise = estimate(residuals, view.noise, traits, rule.noise, kept.traits if kept else None).noise
    away = ways(groups, counts, rule.second_look.all_ways)
    fixed = np.array([number in model.fixed for number in members])
    if fixed.any():  # what a person put together stays together
        away = away[away[:, :-1][:, fixed].all(1) | ~away[:, :-1][:, fixed].any(1)]
        if not len(away):
            return Split(0.0)
    apart = (away * counts).sum(1)
    near = counts.sum() - apart
    share = 1 / apart + 1 / near
    differences = (away * counts) @ groups / apart[:, None] - (~away * counts) @ groups / near[:, None]
    distances = (differences**2).sum(1) - noise.tr * share
    sd = noise.spread(share)
    mean = weighed.distance * view.expected
    two = likelihood.log_different(
        distances, sd, share, mean, view.largest, len(model.classes), rule.likelihood
    )
    gain = two - likelihood.log_same(distances, sd, 0.0, 1.0)
    best = int(gain.argmax())
    odds = gain[best] - len(members) * np.log(2) + np.log(weighed.chance / (1 - weighed.chance))
    probability = float(1 / (1 + np.exp(-np.clip(odds, -50, 50))))
    together, others = (
        tuple(n for n, gone in zip(members, away[best], strict=False) if gone == side) for side in (False, True)
    )
    return Split(probability, together, others)


def ways(groups: Array, counts: Array, all_ways: int) -> NDArray[np.bool_]:
    """Ways to part rows in two, the last row's part being False: all of them up to ``all_ways`` rows, beyond
    that cuts along their main direction.

    >>> ways(np.zeros((3, 1)), np.ones(3), all_ways=8).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    """
    members = len(groups) - 1
    if members <= all_ways:
        numbers = np.arange(1, 2**members)
        chosen = (numbers[:, None] >> np.arange(members)) & 1
        return np.concatenate([chosen.astype(bool), np.zeros((len(numbers), 1), bool)], 1)
    centred = (groups - counts @ groups / counts.sum()) * np.sqrt(counts)[:, None]
    main = np.linalg.eigh(centred @ centred.T)[1][:, -1] / np.sqrt(counts)
    order = np.argsort(main)
    cuts = np.zeros((members, members + 1), bool)
    for place in range(members):
        cuts[place, order[: place + 1]] = True
    return np.where(cuts[:, -1:], ~cuts, cuts)
