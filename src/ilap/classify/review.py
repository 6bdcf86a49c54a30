"""A second look at what was decided: classes that may be one, and classes that may be two.

What was split early may turn out to be one class now that more of it was seen. So a class is asked about again
as if it had just come: without it, which class would its exposures break? And what was merged may be two: its
exposures are parted in the likeliest way (split.py), or, where they are bursts, by which of them touch. Nothing
is changed here; what is found is proposed to a person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from ilap.classify import burst
from ilap.classify.look import CLOSE, close_ups, look
from ilap.classify.split import Split, split
from ilap.exposure import Samples

if TYPE_CHECKING:
    from ilap.classify.exact import Exact

Array = NDArray[np.float64]

MOST = 200  # classes that are asked about
ASKED = 5  # exposures of a class that are asked about again, spread over all of them
LIKELY = 0.5  # the probability from which on something is proposed
BURST = 0.5


@dataclass(frozen=True)
class Proposal:
    """Two classes that are likely one."""

    class_id: int
    other: int
    probability: float


def proposals(exact: Exact) -> list[Proposal]:
    """Pairs of classes that are likely one, the likeliest first. Where there are very many classes, those are
    asked about whose means lie closest to another's."""
    found: dict[tuple[int, int], float] = {}
    for class_id in crowded(exact):
        others, shares = asked_again(exact, class_id)
        for other, share in zip(others, shares, strict=True):
            if share > LIKELY:
                pair = (min(class_id, other), max(class_id, other))
                found[pair] = max(found.get(pair, 0.0), float(share))
    return [Proposal(*pair, share) for pair, share in sorted(found.items(), key=lambda item: -item[1])]


def crowded(exact: Exact) -> list[int]:
    """The classes that lie closest to another one."""
    if len(exact.classes) < 2:
        return []
    means = exact.leading
    away = burst.squares(means, means)
    np.fill_diagonal(away, np.inf)
    return [exact.classes[i] for i in np.argsort(away.min(1), kind="stable")[:MOST]]


def asked_again(exact: Exact, class_id: int) -> tuple[tuple[int, ...], Array]:
    """The other classes, and of each the probability that this class is it: the mean over its exposures, each
    asked about as if the class were not known."""
    rest = exact.discard(class_id)
    if not rest.classes:
        return (), np.empty(0)
    numbers = [number for number, member in exact.exposures.items() if member.class_id == class_id]
    places = np.unique(np.linspace(0, len(numbers) - 1, min(len(numbers), ASKED)).astype(int))
    chosen = [numbers[place] for place in places]
    total = np.zeros(len(rest.classes))
    for number in chosen:
        seen = look(rest, shown(exact, number))
        total[seen.columns] += seen.posterior(len(rest.classes))[1:]
    return rest.classes, total / len(chosen)


def shown(exact: Exact, number: int) -> Samples:
    """An exposure as far as its pictures are kept."""
    member = exact.exposures[number]
    ordered = bool(member.traits.bond and member.traits.bond.ordered)
    return Samples(number, member.kept, np.zeros(len(member.kept), bool), (), ordered)


def parts(exact: Exact, class_id: int) -> Split:
    """How likely a class is two, and which of its exposures then go together."""
    numbers = [number for number, member in exact.exposures.items() if member.class_id == class_id]
    if len(numbers) < 2:
        return Split(0.0)
    bonds = [exact.exposures[number].traits.bond for number in numbers]
    ordered = [bond for bond in bonds if bond]
    sure = [burst.burstness(bond, bond.ordered, ordered) for bond in ordered]
    if ordered and float(np.mean(sure)) > BURST:
        return touching_parts(exact, numbers)
    last = numbers[-1]
    rest = {number: member for number, member in exact.exposures.items() if number != last}
    without = replace(exact, exposures=rest, by_class=exact.sums(rest, {class_id}), fixed=frozenset())
    exposure = shown(exact, last)
    found = split(without, class_id, exposure, look(without, exposure))
    return replace(found, together=(*found.together, last))


def touching_parts(exact: Exact, numbers: list[int]) -> Split:
    """The same, of bursts: the class falls in two where no burst of one part touches one of the other."""
    _, *pictures = close_ups(exact, np.empty((0, exact.metric.dim)), numbers)
    steps = np.array([burst.step(own) for own in pictures])
    apart = [
        value
        for member in exact.exposures.values()
        for other, value in member.traits.nearest.items()
        if other in exact.exposures and exact.exposures[other].class_id != member.class_id
    ]
    usual = exact.between.view(CLOSE).total
    odds = np.zeros((len(numbers), len(numbers)))
    for i, own in enumerate(pictures):
        others = [j for j in range(len(numbers)) if j != i]
        logs = burst.touching(own, [pictures[j] for j in others])
        odds[i, others] = burst.log_odds(
            logs, float(steps[i]), steps[others], np.arange(len(others)), apart, len(exact.classes), usual
        )
    odds = np.maximum(odds, odds.T)
    count, label = connected_components(odds > 0)
    if count == 1:
        return Split(0.0)
    main = int(np.bincount(label).argmax())
    inside = label == main
    across = float(odds[np.ix_(inside, ~inside)].max())
    return Split(
        float(1 / (1 + np.exp(np.clip(across, -50, 50)))),
        tuple(number for number, own in zip(numbers, inside, strict=True) if own),
        tuple(number for number, own in zip(numbers, inside, strict=True) if not own),
    )
