"""A review of what was decided: classes that may be one, and classes that may be two.

What was split early may turn out to be one class now that more of it was seen. So a class is asked about again
as if it had just come: without it, which class would its exposures break? And what was merged may be two: its
exposures are parted in the likeliest way (second_look.py), or, where they are bursts, by which of them touch.
Nothing is changed here; what is found is proposed to a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.csgraph import connected_components

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact import bursts
from ilap.exact.evidence import distances_apart, evidence
from ilap.exact.model import Model
from ilap.exact.second_look import Split, split
from ilap.exact.statistics import evenly


@dataclass(frozen=True)
class Proposal:
    """Two classes that are likely one."""

    class_id: int
    other: int
    probability: float


def likely_one(model: Model) -> list[Proposal]:
    """Pairs of classes that are likely one, the likeliest first. Where there are very many classes, those are
    asked about whose means lie closest to another's."""
    found: dict[tuple[int, int], float] = {}
    for class_id in crowded(model):
        others, shares = asked_again(model, class_id)
        for other, share in zip(others, shares, strict=True):
            if share > model.rule.review.likely:
                pair = (min(class_id, other), max(class_id, other))
                found[pair] = max(found.get(pair, 0.0), float(share))
    return [Proposal(*pair, share) for pair, share in sorted(found.items(), key=lambda item: -item[1])]


def crowded(model: Model) -> list[int]:
    """The classes that lie closest to another one."""
    if len(model.classes) < 2:
        return []
    away = bursts.squares(model.leading, model.leading)
    np.fill_diagonal(away, np.inf)
    order = np.argsort(away.min(1), kind="stable")[: model.rule.review.classes]
    return [model.classes[i] for i in order]


def asked_again(model: Model, class_id: int) -> tuple[tuple[int, ...], Array]:
    """The other classes, and of each the probability that this class is it: the mean over its exposures, each
    asked about as if the class were not known."""
    rest = model.discard(class_id)
    if not rest.classes:
        return (), np.empty(0)
    numbers = model.members(class_id)
    chosen = [numbers[place] for place in evenly(len(numbers), model.rule.review.exposures)]
    total = np.zeros(len(rest.classes))
    for number in chosen:
        weighed = evidence(rest, as_shown(model, number))
        total[weighed.columns] += weighed.posterior(len(rest.classes))[1:]
    return rest.classes, total / len(chosen)


def as_shown(model: Model, number: int) -> Samples:
    """An exposure as far as its pictures are kept."""
    own = model.exposures[number]
    ordered = bool(own.traits.bond and own.traits.bond.ordered)
    return Samples(number, own.pictures, np.zeros(len(own.pictures), bool), (), ordered)


def likely_two(model: Model, class_id: int) -> Split:
    """How likely a class is two, and which of its exposures then go together."""
    numbers = model.members(class_id)
    if len(numbers) < 2:
        return Split(0.0)
    bonds = [bond for number in numbers if (bond := model.exposures[number].traits.bond)]
    sure = [bursts.burstness(bond, bond.ordered, bonds, model.rule.bursts) for bond in bonds]
    if bonds and float(np.mean(sure)) > model.rule.review.burst:
        return by_touch(model, numbers)
    last = numbers[-1]
    rest, exposure = model.without(last), as_shown(model, last)
    found = split(rest, class_id, exposure, evidence(rest, exposure))
    return replace(found, together=(*found.together, last))


def by_touch(model: Model, numbers: Sequence[int]) -> Split:
    """The same, of bursts: the class falls in two where no burst of one part touches one of the other."""
    own = {number: model.exposures[number] for number in numbers}
    _, pictures, steps = model.frame.close_ups(np.empty((0, model.metric.dim)), own)
    apart = distances_apart(model, model.exposures)
    odds = np.zeros((len(numbers), len(numbers)))
    for i, exposure_pictures in enumerate(pictures):
        others = [j for j in range(len(numbers)) if j != i]
        odds[i, others] = bursts.log_odds(
            bursts.touching(exposure_pictures, [pictures[j] for j in others]),
            float(steps[i]),
            steps[others],
            np.arange(len(others)),
            apart,
            len(model.classes),
            model.frame.close.total,
            model.rule.likelihood.patience,
            model.rule.bursts,
        )
    odds = np.maximum(odds, odds.T)
    count, label = connected_components(odds > 0)
    if count == 1:
        return Split(0.0)
    inside = label == int(np.bincount(label).argmax())
    across = float(odds[np.ix_(inside, ~inside)].max())
    together, rest = (
        tuple(n for n, at in zip(numbers, inside, strict=True) if at == side) for side in (True, False)
    )
    return Split(float(1 / (1 + np.exp(np.clip(across, -50, 50)))), together, rest)
