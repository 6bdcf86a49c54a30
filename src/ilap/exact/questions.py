"""Questions: what a person should be asked next, so that each answer mends as much as it can.

The value of a question is the expected number of pairs of exposures that its answer mends. With p the
probability that two groups are one thing:

    same, of two places A and B        p |A| |B|                   they may be one
    same, split: the parts A, B of one (1 - p) |A| |B|             it may be two
    which, of an exposure in A         (1 - p of A) (|A| - 1 + |next likeliest place|)

Questions are asked by value over the expected number of keys that an answer takes: one, and where a person
takes exposures out of what is shown (batch, in batches.py) one more for each of these.

Every place is shown by one exposure, so that an answer is always about exposures that were seen: two places by
the two that are most alike, all else by what is most typical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage

from ilap.core.classifier import Array
from ilap.exact.agglomerate import gathered, squashed, with_rest
from ilap.exact.model import Model
from ilap.exact.statistics import NO_CLASS, Statistics
from ilap.exact.surroundings import alike
from ilap.exact.told import SOFT, Pair, threshold

Rows = NDArray[np.intp]
MOST = 50.0  # logits are cut here
CANDIDATES = 5  # places that are shown at most
ASKED = 1000  # exposures that questions are chosen from; cost
SHOWN = 60  # exposures that a question shows at most, where a person takes some of them out
ENOUGH = 4  # times as many questions of every kind are weighed as are asked


Kind = Literal["which", "same", "batch", "split"]
SIGNS: Mapping[Kind, str] = {"which": ":", "same": "=", "batch": "+", "split": "-"}


@dataclass(frozen=True)
class Question:
    """*which*: does ``exposure`` show the same as one of those ``shown``, the likeliest first, or is it new?
    *same*: does it show the same as the one that is shown? *batch*: do all that are shown show the same as it?
    *split*: do all that are shown, a part of its place, show something else? ``places`` are those of the
    exposures shown, ``probabilities`` how likely each shows the same, ``value`` how many pairs the answer mends
    on average, ``keys`` how many keys it takes, ``change`` how likely it changes any place. Where answers
    contradict each other, ``because`` are the exposures that they lead over."""

    kind: Kind
    exposure: int
    shown: tuple[int, ...]
    places: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    value: float = 0.0
    keys: float = 1.0
    change: float = 0.0
    because: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """All exposures that a person is shown, as one word: an answer to it cannot be meant for others.

        >>> Question("which", 12, (40, 7)).id, Question("same", 12, (40,)).id
        ('12:40,7', '12=40')
        """
        return f"{self.exposure}{SIGNS[self.kind]}{','.join(map(str, self.shown))}"


@dataclass(frozen=True)
class Scene:
    """What questions are made of: exposures by their numbers, and by row the log odds of all pairs, ``places``
    where each is, and ``said``, the class that a person put it into, else NO_CLASS. ``threshold`` is the mean
    log odds that two groups need to be one. ``apart`` are pairs of rows that were told apart, ``untold`` pairs
    that nobody could tell, the one that was asked about first."""

    numbers: tuple[int, ...]
    odds: Array
    places: Rows
    said: Rows
    threshold: float
    apart: tuple[Pair, ...] = ()
    untold: tuple[Pair, ...] = ()
    full_sizes: Mapping[int, int] = field(default_factory=dict)  # of places of which only a part is here
    with_places: Array | None = None  # log odds of exposures with the rest of every place
    of_places: Array | None = None  # and of places with each other

    @cached_property
    def row(self) -> dict[int, int]:
        """The row of every exposure."""
        return {number: place for place, number in enumerate(self.numbers)}

    @cached_property
    def groups(self) -> tuple[Rows, Rows]:
        """The ids of all places, and which of them each exposure is in."""
        ids, inside = np.unique(self.places, return_inverse=True)
        return ids, inside

    @cached_property
    def sizes(self) -> Array:
        """How many exposures each place has."""
        counts = np.bincount(self.groups[1])
        ids = self.groups[0].tolist()
        return np.array([self.full_sizes.get(k, n) for k, n in zip(ids, counts, strict=True)], float)

    @cached_property
    def means(self) -> Array:
        """The log odds of every exposure (a row) with the others of every place (a column); minus infinity
        where there are none, or one of them was told apart from it."""
        if self.with_places is None:
            inside = np.eye(len(self.sizes))[self.groups[1]]
            counts = self.sizes - inside
            sums = (self.odds - np.diag(np.diag(self.odds))) @ inside
            found: Array = np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)
        else:
            found = self.with_places.copy()
        for one, other in self.apart:
            found[one, self.groups[1][other]] = found[other, self.groups[1][one]] = -np.inf
        return found

    @cached_property
    def between(self) -> Array:
        """The log odds of two places; their mean over all pairs where nothing better is known."""
        if self.of_places is not None:
            return self.of_places
        inside = np.eye(len(self.sizes))[self.groups[1]]
        found: Array = inside.T @ self.odds @ inside / np.outer(self.sizes, self.sizes)
        return found

    @cached_property
    def welded(self) -> NDArray[np.bool_]:
        """Which pairs people put together."""
        found: NDArray[np.bool_] = (self.said[:, None] == self.said) & (self.said != NO_CLASS)
        return found

    def rows(self, place: int) -> Rows:
        """The exposures of a place."""
        return np.flatnonzero(self.places == place)

    def logits(self, means: Array) -> Array:
        """By how much mean log odds exceed the threshold, in widths of its step."""
        found: Array = np.clip((means - self.threshold) / SOFT, -MOST, MOST)
        return found

    def likely(self, means: Array) -> Array:
        """How likely groups of these mean log odds are one thing."""
        found: Array = 1 / (1 + np.exp(-self.logits(means)))
        return found

    def typical(self, rows: Rows) -> int:
        """The exposure, by its row, that is most like the others of a group."""
        odds = self.odds[np.ix_(rows, rows)]
        return int(rows[int((odds.sum(1) - np.diag(odds)).argmax())])

    def sides(self, one: int, other: int) -> tuple[Rows, Rows]:
        """The groups that two exposures stand for: their places, or where these are one the part of it that is
        more like each."""
        own, rest = self.rows(int(self.places[one])), self.rows(int(self.places[other]))
        if self.places[one] != self.places[other]:
            return own, rest
        nearer = self.odds[own, one] >= self.odds[own, other]
        nearer[own == one], nearer[own == other] = True, False
        return own[nearer], own[~nearer]


def looked_at(model: Model, about: Sequence[int]) -> Mapping[int, Statistics]:
    """The exposures that questions are chosen from: all, or where there are very many, some that are evenly
    spread, each with its nearest one; where a question is ``about`` some, these and those nearest to them."""
    seen, most = model.seen, ASKED
    if len(seen) <= most:
        return seen
    numbers, known = list(seen), [number for number in about if number in seen]
    if known:
        near = {other for number in known for other in model.near(number, most // 3 // len(known))}
        return {number: seen[number] for number in sorted(near.union(known))}
    return {numbers[i]: seen[numbers[i]] for i in model.spread(most // 2, 1)}


def scene_of(model: Model, places: Mapping[int, int], about: Sequence[int] = ()) -> Scene:
    """Exposures that were seen (``looked_at``), where these are the places of all now. Odds are those of the
    model of sessions (agglomerate.py), squashed."""
    seen = looked_at(model, about)
    numbers = tuple(seen)
    row = {number: at for at, number in enumerate(numbers)}
    fixed = (model.seen[n].class_id if n in model.fixed else NO_CLASS for n in numbers)
    untold = [both for one in model.told for both in one.untold if both[0] in row and both[1] in row]
    at = np.array([places[number] for number in numbers], np.intp)
    inside = np.unique(at, return_inverse=True)[1]
    every = alike(model, seen)
    groups = gathered(every.bands, every.share, inside)
    return Scene(
        numbers,
        every.pairs,
        at,
        np.array(list(fixed), np.intp),
        threshold(model.told, 0.0),
        tuple((row[one], row[other]) for one, other in model.apart if one in row and other in row),
        tuple((row[one], row[other]) for one, other in untold),
        Counter(places.values()),
        squashed(with_rest(every.single, groups, inside)),
        squashed(groups.odds()),
    )


def ask(scene: Scene, count: int, more: Iterable[Question] = ()) -> list[Question]:
    """The questions that would help most for each key, the best first; no two about the same places. ``more``
    are questions that were made elsewhere; batches among them come first, since a person who looks at all of a
    place at once also sees what the model does not doubt."""
    if len(scene.numbers) < 2:
        return []
    most = ENOUGH * count
    found = [*between_places(scene, most), *within_places(scene), *about_exposures(scene, most), *more]
    found.sort(key=lambda own: (own.kind != "batch", -own.value / own.keys, own.id))
    chosen, used = list[Question](), set[frozenset[int]]()
    for question in found:
        place = int(scene.places[scene.row[question.exposure]])
        about = frozenset({place, place if question.kind == "batch" else question.places[0]})
        if about not in used and len(chosen) < count:
            used.add(about)
            chosen.append(question)
    return chosen


def between_places(scene: Scene, most: int) -> Iterator[Question]:
    """Are two places one?"""
    likely = scene.likely(scene.between)
    values = np.triu(likely * np.outer(scene.sizes, scene.sizes), 1)
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
            p = float(likely[first, second])
            yield same(scene, int(own[near[0]]), int(rest[near[1]]), p, float(values[first, second]), p)


def within_places(scene: Scene) -> Iterator[Question]:
    """Is a place two? What people put together, or left together, is never parted."""
    largest = float(scene.odds.max())
    kept = scene.welded.copy()
    for one, other in scene.untold:
        kept[one, other] = kept[other, one] = True
    for place in scene.groups[0]:
        own = scene.rows(int(place))
        if len(own) < 2 or kept[np.ix_(own, own)].all():
            continue
        if len(own) == 2:
            if not kept[own[0], own[1]]:
                yield parted(scene, own[:1], own[1:])
            continue
        gaps = np.where(kept[np.ix_(own, own)], 0.0, 1 + largest - scene.odds[np.ix_(own, own)])
        parts = fcluster(linkage(gaps[np.triu_indices(len(own), 1)], "average"), 2, "maxclust")
        if parts.max() < 2:
            continue
        larger, smaller = sorted((own[parts == 1], own[parts == 2]), key=len, reverse=True)
        if not kept[np.ix_(larger, smaller)].any():
            yield parted(scene, larger, smaller)


def parted(scene: Scene, larger: Rows, smaller: Rows) -> Question:
    """Are the parts of a place two things? Of a few exposures it is asked as of two places."""
    p = float(scene.likely(scene.odds[np.ix_(larger, smaller)].mean()))
    one, value = scene.typical(larger), (1 - p) * len(larger) * len(smaller)
    if len(larger) + len(smaller) < 3 or len(smaller) > SHOWN:
        return same(scene, one, scene.typical(smaller), p, value, 1 - p)
    order = smaller[np.argsort(scene.odds[one, smaller], kind="stable")]
    shares = scene.likely(scene.odds[np.ix_(order, larger)].mean(1))
    return Question(
        "split",
        scene.numbers[one],
        tuple(scene.numbers[row] for row in order),
        (int(scene.places[one]),) * len(order),
        tuple(map(float, shares)),
        value,
        change=1 - p,
    )


def same(scene: Scene, one: int, other: int, p: float, value: float, change: float) -> Question:
    """Do two exposures, by their rows, show the same, and so the groups that they stand for?"""
    shown, place = (scene.numbers[other],), int(scene.places[other])
    return Question("same", scene.numbers[one], shown, (place,), (p,), value, change=change)


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
            yield replace(question, change=float(1 - right[row]))


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
