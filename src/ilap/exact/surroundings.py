"""The surroundings of an exposure: the others that were seen, how alike all of them are, and how they gather.

How alike they are does not depend on what was decided, so it is found once for all questions between two
arrivals. How they gather does: the exposures of a class stay together and those of two classes apart, and so do
those that people told apart; all others are joined by the model of sessions (agglomerate.py).

A place is where an exposure most likely belongs, sure or not. A group without a class is *tentative*: it is
shown, and nothing is learned from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.core.rule import Rule
from ilap.exact import succession
from ilap.exact.agglomerate import Gathered, agglomerated, gathered, squashed
from ilap.exact.bands import Bands, bands
from ilap.exact.cosine import Cosines, cosines
from ilap.exact.model import Model
from ilap.exact.session import joining, sessions_of_stream, share_of, wholeness
from ilap.exact.statistics import NO_CLASS, Statistics, Traits, evenly


@dataclass(frozen=True)
class Compared:
    """Exposures and how alike they are, whatever they show. ``sessions`` are the log odds of the share of
    sessions (session.py), ``succession`` von Neumann's ratio of the stream, None where there is no order,
    ``variety`` the logarithm of how much pictures vary within exposures, over what they do in ImageNet's
    classes."""

    numbers: tuple[int, ...]
    counts: Array
    bands: Bands
    sessions: float
    succession: float | None
    variety: float
    rule: Rule

    @property
    def share(self) -> float:
        """That of sessions, at which exposures are joined."""
        return share_of(self.joining)

    @property
    def joining(self) -> float:
        """Its log odds."""
        return joining(self.sessions, self.succession, self.rule.bands)

    @property
    def whole(self) -> float:
        """How much this looks as if pictures were drawn from all of a class."""
        return wholeness(self.sessions)

    @property
    def sameness(self) -> float:
        """How little sessions of one thing differ, 0 and up."""
        return (self.rule.bands.highest - self.sessions) / 3

    @cached_property
    def single(self) -> Gathered:
        """Every exposure as a group of its own."""
        return gathered(self.bands, self.share, np.arange(len(self.numbers)))

    @cached_property
    def pairs(self) -> Array:
        """The log odds that two exposures are one thing, squashed."""
        return squashed(self.single.odds())

    @cached_property
    def cosines(self) -> Cosines:
        """Of all pairs."""
        return cosines(self.bands, self.rule.pairs)

    @cached_property
    def together(self) -> Array:
        """How often each two are in one group if all are joined by one half of the directions, and by the
        other."""
        alone = np.arange(len(self.numbers))
        labels = [agglomerated(gathered(self.bands.half(side), self.share, alone))[0] for side in (0, 1)]
        found: Array = sum((own[:, None] == own).astype(float) for own in labels) / len(labels)
        return found


@dataclass(frozen=True)
class Surroundings:
    """Exposures and how they gather: the class of each, or ``NO_CLASS`` of those that are unsure, and its
    group, 0 and up. ``apart`` are the pairs of rows that people told apart."""

    compared: Compared
    classes: NDArray[np.intp]
    labels: NDArray[np.intp]
    apart: tuple[tuple[int, int], ...]

    @cached_property
    def oldest(self) -> NDArray[np.intp]:
        """The row of the oldest exposure of every group's class; -1 where it has none."""
        found = np.full(int(self.labels.max()) + 1, -1, np.intp)
        for row in np.flatnonzero(self.classes != NO_CLASS)[::-1]:
            found[self.labels[row]] = row
        return found

    def row(self, number: int) -> int:
        """That of an exposure."""
        return self.compared.numbers.index(number)


def surroundings(model: Model, exposure: Samples, mean: Array, traits: Traits) -> Surroundings:
    """An exposure, by its whitened mean and its traits, among the others that were seen (``chosen``)."""
    others = chosen(model, exposure)
    if exposure.number in others:
        return gathering(model, alike(model, others))
    return gathering(model, alike(model, others, (exposure, mean, traits)))


def alike(
    model: Model, seen: Mapping[int, Statistics], newcomer: tuple[Samples, Array, Traits] | None = None
) -> Compared:
    """How alike exposures are: some that were seen, and one that was not, by its whitened mean and its
    traits."""
    numbers, counts = tuple(seen), [own.sums.count for own in seen.values()]
    traits = [own.traits for own in seen.values()]
    sessions = sessions_of_stream(model)
    white = [model.frame.seen(seen)] if seen else []
    steps = None if model.sampling == "random" else model.rule.pairs.steps

    def compared() -> Compared:
        every = np.array(counts, float)
        return Compared(
            numbers,
            every,
            bands(model.frame, np.concatenate(white), every, traits),
            sessions,
            None if steps is None else succession.pooled([own.succession for own in traits], counts, steps),
            model.metric.variety(model.rule.pairs.varied),
            model.rule,
        )

    if newcomer is None:
        found: Compared = model.frame.last_compared.of((numbers, tuple(counts), sessions, steps), compared)
        return found
    exposure, mean, own = newcomer
    numbers, counts, traits = (*numbers, exposure.number), [*counts, len(exposure)], [*traits, own]
    white.append(mean[None])
    return compared()


def gathering(model: Model, compared: Compared) -> Surroundings:
    """How exposures gather around what was decided, and what people said."""
    rows = {number: row for row, number in enumerate(compared.numbers)}
    classes = np.array(
        [model.exposures[n].class_id if n in model.exposures else NO_CLASS for n in compared.numbers], np.intp
    )
    apart = tuple((rows[a], rows[b]) for a, b in sorted(model.apart) if a in rows and b in rows)
    labels = joined(compared.bands, compared.share, classes, apart, model.needed)
    return Surroundings(compared, classes, labels, apart)


def joined(
    seen: Bands,
    share: float,
    classes: NDArray[np.intp],
    apart: tuple[tuple[int, int], ...],
    needed: float,
) -> NDArray[np.intp]:
    """The group of every exposure, 0 and up. Those of one class are one group, those of two never are, and
    neither are pairs that were told apart; ``needed`` are the log odds above which groups are joined."""
    _, first = np.unique(
        np.where(classes == NO_CLASS, -2 - np.arange(len(classes)), classes), return_inverse=True
    )
    known = np.zeros(int(first.max()) + 1, bool)
    known[first[classes != NO_CLASS]] = True
    barred = [(int(first[one]), int(first[other])) for one, other in apart]
    found, _ = agglomerated(gathered(seen, share, first), known, barred, needed)
    labels: NDArray[np.intp] = np.unique(found[first], return_inverse=True)[1]
    return labels


def chosen(model: Model, exposure: Samples) -> Mapping[int, Statistics]:
    """The exposures seen that one is compared with, itself among them if it was seen: all, or where there are
    very many, those nearest to it and as many others, evenly spread, which tell what the stream is like."""
    seen, most = model.seen, model.rule.pairs.compared
    if len(seen) <= most:
        return seen
    near = model.nearest(exposure.rows.astype(np.float64).mean(0), most // 2)
    numbers = list(seen)
    others = [numbers[i] for i in evenly(len(seen), most - most // 2)]
    return {number: seen[number] for number in sorted({*near, *others})}


def places(model: Model, next_id: int, among: Collection[int] | None = None) -> dict[int, int]:
    """The class of every exposure, or of some, or its tentative group, which have ids from ``next_id`` on."""
    seen = model.seen if among is None else {n: model.seen[n] for n in sorted(among) if n in model.seen}
    numbers = list(seen)
    if not numbers:
        return {}
    row = {number: at for at, number in enumerate(numbers)}
    classes = np.array([own.class_id for own in seen.values()], np.intp)
    apart = tuple((row[a], row[b]) for a, b in sorted(model.apart) if a in row and b in row)
    every = alike(model, seen)
    labels = joined(every.bands, every.share, classes, apart, model.needed)
    found: dict[int, int] = {}
    for label in dict.fromkeys(labels.tolist()):
        own = np.flatnonzero(labels == label)
        known = classes[own][classes[own] != NO_CLASS]
        place = int(known[0]) if len(known) else next_id
        next_id += not len(known)
        found.update((numbers[i], place) for i in own)
    return dict(sorted(found.items()))


def group_of(around: Surroundings, number: int, groups: Mapping[int, int]) -> int | None:
    """The group that an exposure gathers with; None where it gathers with none. ``groups`` has the group of
    every exposure that is in one."""
    own = around.labels == around.labels[around.row(number)]
    others = [other for other, inside in zip(around.compared.numbers, own, strict=True) if inside]
    found = Counter(groups[other] for other in others if other in groups and other != number)
    return min(found, key=lambda group: (-found[group], group)) if found else None
