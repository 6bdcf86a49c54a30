"""The closed form of detection training: a linear discriminant with one covariance, on frozen features.

State. The scatter within exposures, pooled (it knows no labels), and of every exposure a count and a sum of
features. A class is a set of exposures; its mean follows from their sums. Nothing is trained and nothing is
forgotten: the same decisions in any order give the same classifier, equal to training on all at once.

The trial is in trial.py, what an exposure shows in look.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.backbones import prior
from ilap.backbones.contract import Backbone
from ilap.backbones.load import load_backbone
from ilap.backbones.prior import Prior
from ilap.classify.between import FLOOR, SHARE, Between, between
from ilap.classify.contract import GIVEN, Array, Trial
from ilap.classify.impure import TEMPERATURE, Impurity, strangers
from ilap.classify.left_out import left_out
from ilap.classify.look import CLOSE, Look, Traits, look
from ilap.classify.member import Learned, Member, kept, learned, residuals
from ilap.classify.metric import Metric
from ilap.classify.split import Split, split
from ilap.classify.trial import share_taken, trial
from ilap.classify.unlike import Usual, usual
from ilap.errors import BadFeatures
from ilap.exposure import Picture, Samples
from ilap.memory import Memory
from ilap.settings import Settings

NEIGHBOURS = 20  # classes whose accuracy is looked at again after one of them has learned
TAKES = 0.01  # the share of a neighbour's pictures below which it is named as before
SHORTLIST, LEADING = 100, 128  # classes that are looked at closely, and directions in which they are chosen


def close_weights(prior: Prior) -> Array:
    """What one picture tells in every direction of the prior."""
    variance = SHARE * prior.between.astype(np.float64) + FLOOR
    weights: Array = np.sqrt(variance / (variance + CLOSE))
    return weights


@dataclass(frozen=True)
class Exact:
    """The classifier; see the module's text."""

    backbone: Backbone
    prior: Prior
    metric: Metric
    exposures: Mapping[int, Member] = field(default_factory=dict)
    by_class: Mapping[int, Learned] = field(default_factory=dict)
    fixed: frozenset[int] = frozenset()  # exposures that a person put where they are

    @property
    def classes(self) -> tuple[int, ...]:
        """Ids, ascending."""
        return tuple(sorted(self.by_class))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """The frozen features of the pictures, in the prior's coordinates, where half precision is plenty."""
        rows = self.prior.project(self.backbone.features(pictures))
        if not np.isfinite(rows).all():
            bad = int(np.flatnonzero(~np.isfinite(rows).all(1))[0])
            raise BadFeatures(
                f"The backbone {self.backbone.key} gave a number that is not finite for picture {bad}: "
                f"look at the picture, and leave it out if it is damaged."
            )
        return rows.astype(np.float16) if self.prior.known else rows

    def features(self, samples: NDArray[Any]) -> NDArray[Any]:
        """Samples are features already."""
        return samples

    @cached_property
    def means(self) -> Array:
        """Whitened class means."""
        return self.white_means(np.arange(len(self.classes)))

    @cached_property
    def counts(self) -> Array:
        """Pictures of every class."""
        return np.array([self.by_class[k].count for k in self.classes], float)

    @property
    def between(self) -> Between:
        """How classes differ, in whitened coordinates. The metric remembers it."""
        memo = self.metric.__dict__
        if "_between" not in memo:
            variances = self.prior.between * np.float32(self.metric.scale)
            memo["_between"] = between(self.metric.whitener, variances)
        known: Between = memo["_between"]
        return known

    def white_means(self, columns: NDArray[np.intp]) -> Array:
        """Whitened means of some classes. The metric remembers them for as long as nothing joins the class."""
        memo: dict[int, tuple[Learned, Array]] = self.metric.__dict__.setdefault("_white_means", {})
        classes = self.classes
        some = {k: self.by_class[k] for k in (classes[column] for column in columns)}
        missing = [k for k, own in some.items() if k not in memo or memo[k][0] is not own]
        if missing:
            white = self.metric.whiten(np.stack([some[k].mean for k in missing]))
            memo.update((k, (some[k], row)) for k, row in zip(missing, white, strict=True))
        return np.stack([memo[k][1] for k in some])

    def close_up(self, rows: Array) -> Array:
        """Pictures in coordinates that do not change while the learner learns: the prior's, each direction
        weighted by what one picture tells in it."""
        close: Array = rows * close_weights(self.prior)[: rows.shape[1]]
        return close

    @cached_property
    def leading(self) -> Array:
        """Class means in the leading directions of those coordinates."""
        return self.close_up(np.stack([self.by_class[k].mean[:LEADING] for k in self.classes]))

    def shortlist(self, mean: Array) -> NDArray[np.intp]:
        """The classes that an exposure may show: all, or where there are very many, those nearest to its
        mean."""
        known = len(self.by_class)
        if known <= SHORTLIST:
            return np.arange(known)
        away = ((self.leading - self.close_up(mean[None, :LEADING])) ** 2).sum(1)
        return np.sort(np.argpartition(away, SHORTLIST)[:SHORTLIST])

    def reference(self) -> NDArray[np.intp]:
        """The classes that tell how far apart classes lie: the first ones."""
        return np.arange(min(len(self.by_class), SHORTLIST))

    def look(self, exposure: Samples) -> Look:
        """What an exposure shows, with what is known (look.py). The last look is remembered."""
        last = self.__dict__.get("_last_look")
        if last is None or last[0] is not exposure:
            last = (exposure, look(self, exposure))
            self.__dict__["_last_look"] = last
        seen: Look = last[1]
        return seen

    @cached_property
    def usual(self) -> Usual:
        """How strange pictures of known classes are (unlike.py)."""
        return usual(self)

    def strangers(self, exposure: Samples, column: int | None) -> Impurity:
        """Pictures that show something else that is known (impure.py)."""
        return strangers(self, exposure, column)

    def split(self, class_id: int, exposure: Samples) -> Split:
        """Whether a class falls in two with this exposure, and what then goes with it (split.py)."""
        return split(self, class_id, exposure, self.look(exposure))

    @property
    def gives(self) -> frozenset[str]:
        """Probabilities of every answer, and strangers, besides what all classifiers give."""
        return GIVEN | {"posterior", "strangers"}

    def trial(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Trial:
        """The share of every class that the exposure would take, in closed form (trial.py)."""
        return trial(self, exposure, imbalance)

    def distances(self, means: Array, counts: Array, place: int) -> Array:
        """Squared distances of one class to all of some, freed of noise."""
        raw = ((means - means[place]) ** 2).sum(1)
        distances: Array = raw - self.metric.tr * (1 / counts + 1 / counts[place])
        return distances

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Exact:
        """Add the exposure's sums to its class and its residuals to the scatter."""
        return self.take(exposure, class_id, self.look(exposure).traits)

    def take(self, exposure: Samples, class_id: int, traits: Traits) -> Exact:
        """The same, of an exposure that was looked at before."""
        new = learned(exposure)
        old = self.by_class.get(class_id)
        member = Member(class_id, new, kept(exposure), traits)
        return replace(
            self,
            metric=self.metric.add(residuals(exposure)),
            exposures={**self.exposures, exposure.number: member},
            by_class={**self.by_class, class_id: new + old if old else new},
        )

    def forget(self, exposures: Sequence[Samples]) -> Exact:
        """As if these exposures had never been learned."""
        gone = [exposure.number for exposure in exposures]
        metric = self.metric
        for exposure in exposures:
            metric = metric.remove(residuals(exposure))
        rest = {number: member for number, member in self.exposures.items() if number not in gone}
        touched = {self.exposures[number].class_id for number in gone}
        fixed = self.fixed.difference(gone)
        return replace(self, metric=metric, exposures=rest, by_class=self.sums(rest, touched), fixed=fixed)

    def fix(self, numbers: Iterable[int], fixed: bool = True) -> Exact:
        """These exposures are, or are no longer, where a person put them."""
        numbers = frozenset(numbers)
        return replace(self, fixed=self.fixed | numbers if fixed else self.fixed - numbers)

    def sums(self, exposures: Mapping[int, Member], touched: Collection[int]) -> dict[int, Learned]:
        """The sums of all classes, those of the touched ones anew."""
        sums = {k: total for k, total in self.by_class.items() if k not in touched}
        for member in exposures.values():
            if member.class_id in touched:
                so_far = sums.get(member.class_id)
                sums[member.class_id] = member.learned + so_far if so_far else member.learned
        return sums

    def move(self, numbers: Sequence[int], class_id: int) -> Exact:
        """Exposures as part of another class, which may be a new one. The scatter knows no labels."""
        moved = {number: replace(self.exposures[number], class_id=class_id) for number in numbers}
        exposures = {**self.exposures, **moved}
        touched = {class_id, *(self.exposures[number].class_id for number in numbers)}
        return replace(self, exposures=exposures, by_class=self.sums(exposures, touched))

    def discard(self, class_id: int) -> Exact:
        """Forget the class's sums. The scatter stays: it knows no labels."""
        return replace(
            self,
            exposures={number: m for number, m in self.exposures.items() if m.class_id != class_id},
            by_class={k: total for k, total in self.by_class.items() if k != class_id},
        )

    def touched(self, class_id: int) -> tuple[int, ...]:
        """The class and those of its nearest neighbours from which it takes anything: what is far from it is
        named as before."""
        columns = self.around(class_id)
        place = int(np.flatnonzero(columns == self.classes.index(class_id))[0])
        distances = self.distances(self.white_means(columns), self.counts[columns], place)
        near = share_taken(distances / TEMPERATURE, 0.0) > TAKES
        near[place] = True
        order = [i for i in np.argsort(distances, kind="stable") if near[i]]
        return tuple(self.classes[int(columns[i])] for i in order[: NEIGHBOURS + 1])

    def around(self, class_id: int) -> NDArray[np.intp]:
        """The shortlist around a class, with it."""
        own = self.classes.index(class_id)
        return np.union1d(self.shortlist(self.by_class[class_id].mean), [own])

    @cached_property
    def linear(self) -> tuple[Array, Array]:
        """The classifier as weights and offsets: the scores of samples are samples @ weights - offsets. Means
        are freed of noise as in the trial."""
        weights = self.metric.whitener.T @ self.means.T  # (x' L'^-1)(L^-1 m), without whitening every x
        return weights, 0.5 * ((self.means**2).sum(1) - self.metric.tr / self.counts)

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """Posterior of classes that are equally frequent. The model takes a thousand features for more evidence
        than they are; the temperature makes up for it."""
        weights, offsets = self.linear
        scores = samples.astype(np.float64) @ weights - offsets
        probabilities: Array = scipy.special.softmax(scores / TEMPERATURE, axis=1)
        return probabilities

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """Leave-one-out accuracy: every picture is in the sums, so each is named by the classifier that has
        not seen it, in closed form. Where P_val is not full, P_train serves as well."""
        return left_out(self, memory, classes)


def create(settings: Settings, seed: int, backbone: Backbone | None = None) -> Exact:
    """A classifier that knows nothing but its backbone's prior. It has no use for the seed."""
    frozen = backbone or load_backbone(settings.backbone, settings.resolution, settings.taps)
    return with_prior(frozen, prior.load(frozen.key, frozen.dim))


def with_prior(backbone: Backbone, known: Prior) -> Exact:
    """The same, of a backbone and a prior."""
    return Exact(backbone, known, Metric(np.zeros((known.dim, known.dim)), 0, known.known))
