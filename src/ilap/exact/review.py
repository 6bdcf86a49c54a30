"""A review of what was learned, for people: how well each class is known, which classes may be one and which
may be two, and what the stream is like.

What was split early may turn out to be one class now that more of it was seen. So a class is asked about again
as if its exposures were unsure: which other class would they break? And what was merged may be two: its
exposures are parted into the groups that they make by themselves (agglomerate.py). Nothing is changed here;
what is found is proposed to a person.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ilap.core.classifier import Array
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.exact.agglomerate import agglomerated, gathered, squashed
from ilap.exact.exact import Exact
from ilap.exact.model import Model
from ilap.exact.statistics import evenly
from ilap.exact.surroundings import alike

FEW = 6  # fewer exposures tell nothing of the stream


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


@dataclass(frozen=True)
class Health:
    """Of one class: the share of its exemplars that is named right, each left out in turn; the class that it is
    most easily taken for, with the mean probability that its exemplars are given for it; how likely all of it
    is one thing, and if that is doubtful, the exposures that go together."""

    class_id: int
    accuracy: float
    look_alike: int | None
    confusion: float
    purity: float
    parts: tuple[tuple[int, ...], tuple[int, ...]] | None


@dataclass(frozen=True)
class StreamTraits:
    """``whole`` is how much it looks as if pictures were drawn from all of a class rather than from one
    session, from 0 to 1; ``within`` the mean cosine of two exposures at one place, None where no place has
    two; ``gap`` by how much exposures are more alike within their place than with the next one, None where no
    place has two or there is no other. ``exposures`` is how many were compared."""

    exposures: int
    whole: float
    within: float | None
    gap: float | None


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


def health(exact: Exact, memory: Memory, only: Collection[int] | None = None) -> list[Health]:
    """Of all classes, or of some."""
    classes = exact.classes
    wanted = [class_id for class_id in classes if only is None or class_id in only]
    if not wanted:
        return []
    accuracies = exact.accuracies(memory, wanted)
    found = []
    for place, class_id in enumerate(wanted):
        column = classes.index(class_id)
        mean = exact.probabilities(memory.train[class_id].samples).mean(0)
        mean[column] = -1
        other = int(mean.argmax())
        alone = len(classes) == 1
        two = likely_two(exact, class_id)
        doubtful = two.probability > exact.rule.review.likely
        found.append(
            Health(
                class_id,
                float(accuracies[place]),
                None if alone else classes[other],
                0.0 if alone else float(mean[other]),
                1 - two.probability,
                (two.together, two.apart) if doubtful else None,
            )
        )
    return found


def proposed(exact: Exact, apart: Collection[tuple[int, int]] = ()) -> int:
    """How many changes to what is sure are proposed: classes that are likely one, and classes that are likely
    two."""
    two = (likely_two(exact, class_id).probability for class_id in exact.classes)
    return len(proposals(exact, apart)) + sum(share > exact.rule.review.likely for share in two)


def proposals(exact: Exact, apart: Collection[tuple[int, int]] = ()) -> list[Proposal]:
    """Classes that are likely one, without those that a person has told apart."""
    return [found for found in likely_one(exact) if (found.class_id, found.other) not in apart]


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
