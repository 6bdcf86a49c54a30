"""The model: all that the exact classifier has learned, as one value.

It holds the scatter within exposures, pooled (it knows no labels), and of every exposure a count and a sum of
features. A class is a set of exposures; its mean follows from their sums. An exposure that is unsure is part of
no class, but tells of the stream all the same: of its noise, and of how far apart things lie. Nothing is
trained and nothing is forgotten: the same decisions in any order give the same model, equal to learning all at
once. Seeing an exposure, moving it to another class and forgetting it are additions and subtractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.prior import Prior
from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.core.rule import Rule
from ilap.exact.frame import Frame
from ilap.exact.metric import Metric, empty_metric
from ilap.exact.statistics import NO_CLASS, Statistics, Sums, Traits, evenly, residuals_of, sums_of
from ilap.exact.told import Pair, Told, apart, pair, threshold


@dataclass(frozen=True)
class Model:
    """The value. ``exposures`` are those that are part of a class, ``unsure`` the others that were seen;
    ``fixed`` are exposures that a person put where they are, ``told`` what people answered, in order;
    ``sampling`` is how the pictures of an exposure were drawn, as far as somebody said (session.py)."""

    frame: Frame
    exposures: Mapping[int, Statistics] = field(default_factory=dict)
    unsure: Mapping[int, Statistics] = field(default_factory=dict)
    by_class: Mapping[int, Sums] = field(default_factory=dict)
    fixed: frozenset[int] = frozenset()
    told: tuple[Told, ...] = ()
    sampling: str = "auto"

    @property
    def rule(self) -> Rule:
        """The constants."""
        return self.frame.rule

    @property
    def prior(self) -> Prior:
        """What the backbone knows beforehand."""
        return self.frame.prior

    @property
    def metric(self) -> Metric:
        """The covariance within a class."""
        return self.frame.metric

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """Ids, ascending."""
        return tuple(sorted(self.by_class))

    @cached_property
    def counts(self) -> Array:
        """Pictures of every class."""
        return np.array([self.by_class[k].count for k in self.classes], float)

    def means(self, columns: Iterable[int] | NDArray[np.intp] | None = None) -> Array:
        """Whitened means of the classes in some columns, or of all."""
        chosen = range(len(self.classes)) if columns is None else columns
        return self.frame.means({k: self.by_class[k] for k in (self.classes[int(c)] for c in chosen)})

    @cached_property
    def seen(self) -> Mapping[int, Statistics]:
        """All exposures, in the order of their numbers."""
        both = {**self.exposures, **self.unsure}
        return {number: both[number] for number in sorted(both)}

    @cached_property
    def apart(self) -> frozenset[Pair]:
        """Pairs of exposures, of those there are, that people told apart."""
        seen = self.seen
        return frozenset(both for both in apart(self.told) if both[0] in seen and both[1] in seen)

    @property
    def classes_apart(self) -> set[Pair]:
        """Pairs of classes of which people told exposures apart, the lower id first."""
        own = self.exposures
        both = ((own[a].class_id, own[b].class_id) for a, b in self.apart if a in own and b in own)
        return {pair(first, second) for first, second in both if first != second}

    @cached_property
    def needed(self) -> float:
        """The log odds that two groups of this stream need to be one: 0, unless answers taught otherwise."""
        at = threshold(self.told, 0.0)
        return float(np.sign(at) * np.expm1(abs(at)))

    def members(self, class_id: int) -> list[int]:
        """The exposures of a class, in the order in which they were learned."""
        return [number for number, own in self.exposures.items() if own.class_id == class_id]

    # which classes are looked at

    @cached_property
    def leading(self) -> Array:
        """Class means in the leading directions of coordinates that do not change."""
        few = self.rule.naming.leading
        return self.frame.fixed_close_up(np.stack([self.by_class[k].mean[:few] for k in self.classes]))

    def shortlist(self, mean: Array) -> NDArray[np.intp]:
        """The columns of the classes that an exposure with this mean may show: all, or where there are very
        many, those nearest to it."""
        known, most = len(self.by_class), self.rule.naming.shortlist
        if known <= most:
            return np.arange(known)
        few = mean[None, : self.rule.naming.leading]
        away = ((self.leading - self.frame.fixed_close_up(few)) ** 2).sum(1)
        return np.sort(np.argpartition(away, most)[:most])

    def around(self, class_id: int) -> NDArray[np.intp]:
        """The shortlist around a class, with it."""
        own = self.classes.index(class_id)
        return np.union1d(self.shortlist(self.by_class[class_id].mean), [own])

    @cached_property
    def coordinates(self) -> Array:
        """Means of all exposures seen in the leading directions of coordinates that do not change."""
        few, seen = self.rule.naming.leading, self.seen.values()
        totals = np.stack([own.sums.total[:few] for own in seen])
        return self.frame.fixed_close_up(totals / np.array([own.sums.count for own in seen])[:, None])

    def nearest(self, mean: Array, most: int) -> list[int]:
        """The exposures seen whose means are nearest to one, the nearest first."""
        own = self.frame.fixed_close_up(mean[None, : self.rule.naming.leading])
        apart = self.coordinates - own
        away = np.einsum("ij,ij->i", apart, apart)
        rows = np.argpartition(away, most)[:most] if most < len(away) else np.arange(len(away))
        numbers = list(self.seen)
        return [numbers[i] for i in rows[np.argsort(away[rows], kind="stable")]]

    @cached_property
    def known_spread(self) -> dict[tuple[int, int], NDArray[np.intp]]:
        """What was asked for by ``spread``."""
        return {}

    def spread(self, count: int, nearest: int) -> NDArray[np.intp]:
        """The rows of so many exposures seen, evenly spread, and of those that are nearest to each."""
        found = self.known_spread.get((count, nearest))
        if found is None:
            rows = evenly(len(self.seen), count)
            found = np.union1d(rows, self.nearest_rows(rows, nearest))
            self.known_spread[count, nearest] = found
        return found

    def nearest_rows(self, rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
        """Of some exposures seen, by their rows, the rows of so many others: the nearest to each, in this
        order."""
        every = self.coordinates.astype(np.float32)
        away = (every**2).sum(1) - 2 * every[rows] @ every.T
        away[np.arange(len(rows)), rows] = np.inf
        found = np.empty((len(rows), most), np.intp)
        for column in found.T:
            column[:] = away.argmin(1)
            away[np.arange(len(rows)), column] = np.inf
        return found

    def near(self, number: int, most: int) -> list[int]:
        """The exposures seen that are nearest to one of them, without it, the nearest first."""
        found = self.nearest(self.seen[number].sums.mean, most + 1)
        return [other for other in found if other != number][:most]

    # what changes it

    def counts_in_full(self, pictures: int) -> bool:
        """Whether the pictures of such an exposure are independent, as somebody said, and enough of them that
        the model of sessions can be believed: with few pictures it takes siblings for one identity."""
        return self.sampling == "random" and pictures >= self.rule.bands.enough

    def with_metric(self, metric: Metric) -> Model:
        """The same classes in another metric."""
        return replace(self, frame=Frame(metric, self.prior, self.rule))

    def see(self, exposure: Samples, traits: Traits) -> Model:
        """An exposure has come: its residuals are part of the scatter from now on, whatever it shows."""
        own = Statistics(NO_CLASS, sums_of(exposure), traits)
        return replace(
            self.with_metric(self.metric.add(residuals_of(exposure))),
            unsure={**self.unsure, exposure.number: own},
        )

    def learn(self, exposure: Samples, class_id: int) -> Model:
        """An exposure that was seen, maybe without some of its pictures, as part of a class."""
        new, old = sums_of(exposure), self.by_class.get(class_id)
        some = exposure.rows[evenly(len(exposure), self.rule.naming.kept)]
        own = replace(self.unsure[exposure.number], class_id=class_id, sums=new, pictures=some)
        return replace(
            self,
            exposures={**self.exposures, exposure.number: own},
            unsure={number: other for number, other in self.unsure.items() if number != exposure.number},
            by_class={**self.by_class, class_id: new + old if old else new},
        )

    def as_classes(self, exposures: Sequence[Samples], classes: Mapping[int, int]) -> Model:
        """Unsure exposures as part of classes, all at once. The scatter has them already."""
        kept = self.rule.naming.kept
        learned = {
            own.number: replace(
                self.unsure[own.number],
                class_id=classes[own.number],
                pictures=own.rows[evenly(len(own), kept)],
            )
            for own in exposures
        }
        every = {**self.exposures, **learned}
        return replace(
            self,
            exposures=every,
            unsure={number: own for number, own in self.unsure.items() if number not in learned},
            by_class=self.summed(every, set(map(classes.__getitem__, learned))),
        )

    def doubt(self, numbers: Sequence[int]) -> Model:
        """Exposures of classes as unsure ones."""
        doubted = {number: replace(self.exposures[number], class_id=NO_CLASS) for number in numbers}
        rest = {number: own for number, own in self.exposures.items() if number not in doubted}
        touched = {self.exposures[number].class_id for number in numbers}
        return replace(
            self,
            exposures=rest,
            unsure={**self.unsure, **doubted},
            by_class=self.summed(rest, touched),
            fixed=self.fixed.difference(numbers),
        )

    def forget(self, exposures: Sequence[Samples]) -> Model:
        """As if these exposures, which are whole, had never been seen."""
        gone = [exposure.number for exposure in exposures]
        model = self.doubt([number for number in gone if number in self.exposures])
        metric = self.metric
        for exposure in exposures:
            metric = metric.remove(residuals_of(exposure))
        return replace(
            model.with_metric(metric),
            unsure={number: own for number, own in model.unsure.items() if number not in gone},
        )

    def move(self, numbers: Sequence[int], class_id: int) -> Model:
        """Exposures as part of another class, which may be a new one. The scatter knows no labels."""
        moved = {number: replace(self.exposures[number], class_id=class_id) for number in numbers}
        exposures = {**self.exposures, **moved}
        touched = {class_id, *(self.exposures[number].class_id for number in numbers)}
        return replace(self, exposures=exposures, by_class=self.summed(exposures, touched))

    def discard(self, class_id: int) -> Model:
        """Forget the class's sums. The scatter stays: it knows no labels."""
        return replace(
            self,
            exposures={number: own for number, own in self.exposures.items() if own.class_id != class_id},
            by_class={k: total for k, total in self.by_class.items() if k != class_id},
        )

    def fix(self, numbers: Iterable[int], fixed: bool = True) -> Model:
        """These exposures are, or are no longer, where a person put them."""
        numbers = frozenset(numbers)
        return replace(self, fixed=self.fixed | numbers if fixed else self.fixed - numbers)

    def hear(self, told: Iterable[Told]) -> Model:
        """These are all the answers that people gave."""
        return replace(self, told=tuple(told))

    def summed(self, exposures: Mapping[int, Statistics], touched: Collection[int]) -> dict[int, Sums]:
        """The sums of all classes, those of the touched ones added up again."""
        sums = {k: total for k, total in self.by_class.items() if k not in touched}
        for own in exposures.values():
            if own.class_id in touched:
                so_far = sums.get(own.class_id)
                sums[own.class_id] = own.sums + so_far if so_far else own.sums
        return sums


def empty_model(prior: Prior, rule: Rule) -> Model:
    """A model that knows nothing but its backbone's prior."""
    return Model(Frame(empty_metric(prior.dim, prior.known, rule.metric), prior, rule))
