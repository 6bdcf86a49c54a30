"""A review of what was decided: classes that may be one, and classes that may be two.

What was split early may turn out to be one class now that more of it was seen. So a class is asked about again
as if its exposures were unsure: which other class would they break? And what was merged may be two: its
exposures are parted into the groups that they make by themselves (agglomerate.py). Nothing is changed here;
what is found is proposed to a person.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact.agglomerate import agglomerated, gathered, squashed
from ilap.exact.exact import Exact
from ilap.exact.model import Model
from ilap.exact.statistics import evenly
from ilap.exact.surroundings import alike


@dataclass(frozen=True)
class Proposal:
    """Two classes that are likely one."""

    class_id: int
    other: int
    probability: float


@dataclass(frozen=True)
class Split:
    """How likely a class is two, and which of its exposures then go together."""

    probability: float
    together: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()


def likely_one(exact: Exact) -> list[Proposal]:
    """Pairs of classes that are likely one, the likeliest first. Where there are very many classes, those are
    asked about whose means lie closest to another's."""
    found: dict[tuple[int, int], float] = {}
    for class_id in crowded(exact.model):
        others, shares = asked_again(exact, class_id)
        for other, share in zip(others, shares, strict=True):
            if share > exact.rule.review.likely:
                pair = (min(class_id, other), max(class_id, other))
                found[pair] = max(found.get(pair, 0.0), float(share))
    return [Proposal(*pair, share) for pair, share in sorted(found.items(), key=lambda item: -item[1])]


def crowded(model: Model) -> list[int]:
    """The classes that lie closest to another one."""
    if len(model.classes) < 2:
        return []
    squares = (model.leading**2).sum(1)
    away = squares[:, None] + squares - 2 * model.leading @ model.leading.T
    np.fill_diagonal(away, np.inf)
    order = np.argsort(away.min(1), kind="stable")[: model.rule.review.classes]
    return [model.classes[i] for i in order]


def asked_again(exact: Exact, class_id: int) -> tuple[tuple[int, ...], Array]:
    """The other classes, and of each the probability that this class is it: the mean over its exposures, each
    asked about as if it were unsure and the others had not come."""
    numbers = exact.model.members(class_id)
    doubted = exact.model.doubt(numbers)
    if not doubted.classes:
        return (), np.empty(0)
    chosen = [numbers[place] for place in evenly(len(numbers), exact.rule.review.exposures)]
    total = np.zeros(len(doubted.classes))
    for number in chosen:
        rest = replace(exact, model=without(doubted, set(numbers) - {number}))
        believed = rest.belief(as_shown(rest.model, number))
        if believed is not None:
            total[believed.columns] += believed.known
    return doubted.classes, total / len(chosen)


def without(model: Model, numbers: Collection[int]) -> Model:
    """As if some unsure exposures had not come."""
    return replace(model, unsure={n: own for n, own in model.unsure.items() if n not in numbers})


def as_shown(model: Model, number: int) -> Samples:
    """An unsure exposure as far as it is known: its mean, and as many pictures as it had."""
    own = model.unsure[number].sums
    rows = np.repeat(own.mean[None], own.count, axis=0)
    return Samples(number, rows, np.zeros(own.count, bool))


def likely_two(exact: Exact, class_id: int) -> Split:
    """How likely a class is two, and which of its exposures then go together: the largest of the groups that
    they make by themselves, and all others."""
    model = exact.model
    numbers = model.members(class_id)
    if len(numbers) < 2:
        return Split(0.0)
    every = alike(model, model.seen)
    row = {number: at for at, number in enumerate(every.numbers)}
    own, share = every.bands.of(np.array([row[number] for number in numbers])), every.share
    labels, _ = agglomerated(gathered(own, share, np.arange(len(numbers))), needed=model.needed)
    inside = labels == int(np.bincount(labels).argmax())
    if inside.all():
        return Split(0.0)
    across = float(squashed(gathered(own, share, inside.astype(np.intp)).odds())[0, 1])
    together, others = (
        tuple(sorted(n for n, at in zip(numbers, inside, strict=True) if at == side)) for side in (True, False)
    )
    return Split(float(1 / (1 + np.exp(across))), together, others)
