"""Questions: what a person should be asked next, so that each answer mends as much as it can.

The value of a question is the expected number of pairs of exposures that its answer mends. With p the
probability that two groups are one thing (scene.py):

    same, of two places A and B        p |A| |B|                   they may be one
    same, of the parts A, B of one     (1 - p) |A| |B|             it may be two
    which, of an exposure in A         (1 - p of A) (|A| - 1 + |next likeliest place|)

Every place is shown by one exposure, so that an answer is always about exposures that were seen: two places by
the two that are most alike, all else by what is most typical.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from ilap.exact.scene import Rows, Scene
from ilap.exact.statistics import NO_CLASS

CANDIDATES = 5  # places that are shown at most
ENOUGH = 4  # times as many questions of every kind are weighed as are asked


@dataclass(frozen=True)
class Question:
    """*which*: does ``exposure`` show the same as one of those ``shown``, the likeliest first, or is it new?
    *same*: does it show the same as the one that is shown? ``places`` are those of the exposures shown,
    ``probabilities`` how likely each shows the same, ``value`` how many pairs the answer mends on average."""

    kind: Literal["which", "same"]
    exposure: int
    shown: tuple[int, ...]
    places: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    value: float = 0.0

    @property
    def id(self) -> str:
        """All exposures that a person is shown, as one word: an answer to it cannot be meant for others.

        >>> Question("which", 12, (40, 7)).id, Question("same", 12, (40,)).id
        ('12:40,7', '12=40')
        """
        return f"{self.exposure}{':' if self.kind == 'which' else '='}{','.join(map(str, self.shown))}"


def ask(scene: Scene, count: int) -> list[Question]:
    """The questions that would help most, the best first; no two about the same places."""
    if len(scene.numbers) < 2:
        return []
    most = ENOUGH * count
    found = [*between_places(scene, most), *within_places(scene), *about_exposures(scene, most)]
    found.sort(key=lambda question: (-question.value, question.id))
    chosen, used = list[Question](), set[frozenset[int]]()
    for question in found:
        about = frozenset({int(scene.places[scene.row[question.exposure]]), question.places[0]})
        if about not in used and len(chosen) < count:
            used.add(about)
            chosen.append(question)
    return chosen


def between_places(scene: Scene, most: int) -> Iterator[Question]:
    """Are two places one?"""
    values = np.triu(scene.likely(scene.between) * np.outer(scene.sizes, scene.sizes), 1)
    inside = scene.groups[1]
    for one, other in (*scene.apart, *scene.untold):
        low, high = sorted((inside[one], inside[other]))
        values[low, high] = 0
    for flat in np.argsort(-values, axis=None, kind="stable")[:most]:
        first, second = np.unravel_index(flat, values.shape)
        if values[first, second] > 0:
            own, rest = np.flatnonzero(inside == first), np.flatnonzero(inside == second)
            odds = scene.odds[np.ix_(own, rest)]
            near = np.unravel_index(int(odds.argmax()), odds.shape)
            yield same(scene, int(own[near[0]]), int(rest[near[1]]), own, rest, float(values[first, second]))


def within_places(scene: Scene) -> Iterator[Question]:
    """Is a place two? What people put together is never parted."""
    largest = float(scene.odds.max())
    odd = {frozenset(rows) for rows in scene.untold}
    for place in scene.groups[0]:
        own = scene.rows(int(place))
        if len(own) < 2 or scene.welded[np.ix_(own, own)].all():
            continue
        gaps = np.where(scene.welded[np.ix_(own, own)], 0.0, 1 + largest - scene.odds[np.ix_(own, own)])
        parts = fcluster(linkage(gaps[np.triu_indices(len(own), 1)], "average"), 2, "maxclust")
        if parts.max() < 2:
            continue
        sides = own[parts == 1], own[parts == 2]
        one, other = map(scene.typical, sides)
        if frozenset((one, other)) not in odd:
            p = float(scene.likely(scene.odds[np.ix_(*sides)].mean()))
            yield same(scene, one, other, *sides, (1 - p) * len(sides[0]) * len(sides[1]))


def same(scene: Scene, one: int, other: int, own: Rows, rest: Rows, value: float) -> Question:
    """Do two exposures, by their rows, show the same, and so the groups that they stand for?"""
    p = float(scene.likely(scene.odds[np.ix_(own, rest)].mean()))
    place = int(scene.places[other])
    return Question("same", scene.numbers[one], (scene.numbers[other],), (place,), (p,), value)


def about_exposures(scene: Scene, most: int) -> Iterator[Question]:
    """Which place does an exposure belong to? None is asked of those that a person placed, or could not."""
    inside, rows = scene.groups[1], np.arange(len(scene.numbers))
    belongs = np.exp(scene.logits(scene.means))
    own = belongs[rows, inside]
    belongs[rows, inside] = 0.0
    rival, best = belongs.max(1), belongs.argmax(1)
    alone = scene.sizes[inside] == 1
    right = np.where(alone, 1 / (1 + rival), own / (1 + own + rival))
    values = (1 - right) * (scene.sizes[inside] - 1 + scene.sizes[best])
    values[scene.said != NO_CLASS] = 0
    values[[one for one, _ in scene.untold]] = 0
    for row in np.argsort(-values, kind="stable")[:most]:
        if values[row] > 0 and (question := which(scene, scene.numbers[row], float(values[row]))):
            yield question


def which(scene: Scene, number: int, value: float = 0.0) -> Question | None:
    """Which place does this exposure belong to? None where nothing can be shown."""
    row = scene.row[number]
    means = scene.means[row]
    likeliest = [int(k) for k in np.argsort(-means, kind="stable")[:CANDIDATES] if np.isfinite(means[k])]
    if not likeliest:
        return None
    members = (np.flatnonzero(scene.groups[1] == k) for k in likeliest)
    shown = tuple(scene.numbers[scene.typical(own[own != row])] for own in members)
    shares = np.exp(scene.logits(means[likeliest]))
    places = tuple(int(scene.groups[0][k]) for k in likeliest)
    return Question("which", number, shown, places, tuple(map(float, shares / (1 + shares.sum()))), value)
