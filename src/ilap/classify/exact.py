"""The closed form of detection training: a linear discriminant with one covariance, on frozen features.

State. The scatter within exposures, pooled (it knows no labels), and of every exposure a count and a sum of
features. A class is a set of exposures; its mean follows from their sums. Nothing is trained and nothing is
forgotten: the same decisions in any order give the same classifier, equal to training on all at once.

Trial. Let the exposure be class K+1, 1/(1-lambda) times as frequent as an old class. Of a class at the
Mahalanobis distance D the newcomer then takes the share

    Phi((ln(1/(1-lambda)) - D^2/2) / D),

which is the paper's relative accuracy drop, whatever accuracy the class had. Both means are noisy, so D^2 is
estimated without the part that noise adds, and with a known spread:

    D^2 = |m_E - m_k|^2 - tr (1/n_E + 1/n_k),    sd = sqrt(2 tr2) (1/n_E + 1/n_k),

with tr and tr2 the traces of the exposure's own covariance and of its square, after whitening (metric.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ilap.classify.metric import Metric
from ilap.classify.split import Split, split
from ilap.errors import BadFeatures
from ilap.exposure import Picture, Samples
from ilap.memory import Memory
from ilap.settings import Settings

DOUBT = 2.5  # standard deviations by which a distance may be overestimated before the exposure counts as new
NEIGHBOURS = 20  # classes whose accuracy is looked at again after one of them has learned
KEPT = 20  # pictures of an exposure that are kept to be compared with others
SHORTLIST, LEADING = 100, 128  # classes that are looked at closely, and directions in which they are chosen


@dataclass(frozen=True)
class Learned:
    """What is kept of one exposure, or of one class."""

    count: int
    total: Array

    @property
    def mean(self) -> Array:
        """The mean feature."""
        return self.total / self.count

    def __add__(self, other: Learned) -> Learned:
        return Learned(self.count + other.count, self.total + other.total)


def close_weights(prior: Prior) -> Array:
    """What one picture tells in every direction of the prior."""
    variance = SHARE * prior.between.astype(np.float64) + FLOOR
    weights: Array = np.sqrt(variance / (variance + CLOSE))
    return weights


@dataclass(frozen=True)
class Member:
    """An exposure as part of a class. ``kept`` are some of its pictures, for comparison with those of others;
    ``traits`` are what it told of the stream."""

    class_id: int
    learned: Learned
    kept: NDArray[Any]
    traits: Traits


@dataclass(frozen=True)
class Exact:
    """The classifier; see the module's text."""

    backbone: Backbone
    prior: Prior
    metric: Metric
    exposures: Mapping[int, Member] = field(default_factory=dict)
    by_class: Mapping[int, Learned] = field(default_factory=dict)

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
    def _means(self) -> Array:
        """Whitened class means."""
        return self.white_means(np.arange(len(self.classes)))

    @cached_property
    def counts(self) -> Array:
        """Pictures of every class."""
        return np.array([self.by_class[k].count for k in self.classes], float)

    @cached_property
    def between(self) -> Between:
        """How classes differ, in whitened coordinates."""
        return between(self.metric.whitener, self.prior.between)

    def white_means(self, columns: NDArray[np.intp]) -> Array:
        """Whitened means of some classes."""
        classes = self.classes
        return self.metric.whiten(np.stack([self.by_class[classes[column]].mean for column in columns]))

    def close_up(self, rows: Array) -> Array:
        """Pictures in coordinates that do not change while the learner learns: the prior's, each direction
        weighted by what one picture tells in it."""
        close: Array = rows * close_weights(self.prior)[: rows.shape[1]]
        return close

    @cached_property
    def _leading(self) -> Array:
        """Class means in the leading directions of those coordinates."""
        return self.close_up(np.stack([self.by_class[k].mean[:LEADING] for k in self.classes]))

    def shortlist(self, mean: Array) -> NDArray[np.intp]:
        """The classes that an exposure may show: all, or where there are very many, those nearest to its
        mean."""
        known = len(self.by_class)
        if known <= SHORTLIST:
            return np.arange(known)
        away = ((self._leading - self.close_up(mean[None, :LEADING])) ** 2).sum(1)
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
        """The share of every class that the exposure would take, in closed form. ``before`` is 1 by
        definition: the share does not depend on it. What is not on the shortlist loses nothing."""
        seen = self.look(exposure)
        noise = self.metric.noise(seen.white[:-1])
        columns = seen.columns
        means, counts = self.white_means(columns), self.counts[columns]
        share = 1 / len(exposure) + 1 / counts
        distances = ((means - seen.white[-1]) ** 2).sum(1) - noise.tr * share
        spread = noise.spread(share)
        known = len(self.by_class)
        after, at_least, evidence = np.ones(known), np.ones(known), np.full(known, -np.inf)
        after[columns] = 1 - share_taken(distances, imbalance)
        at_least[columns] = 1 - share_taken(distances - DOUBT * spread, imbalance)
        evidence[columns] = -distances
        nearest = int(distances.argmin())
        resolved = np.ones(known, bool)
        resolved[columns[nearest]] = distances[nearest] + spread[nearest] < self._separation(
            means, counts, nearest
        )
        return Trial(np.ones(known), after, at_least, evidence, resolved)

    def _separation(self, means: Array, counts: Array, place: int) -> float:
        """The squared distance of a class to its nearest neighbour, at most that of the prior's classes."""
        others = np.delete(self._distances(means, counts, place), place)
        return float(min([self.prior.separation, *others]))

    def _distances(self, means: Array, counts: Array, place: int) -> Array:
        """Squared distances of one class to all of some, freed of noise."""
        raw = ((means - means[place]) ** 2).sum(1)
        distances: Array = raw - self.metric.tr * (1 / counts + 1 / counts[place])
        return distances

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Exact:
        """Add the exposure's sums to its class and its residuals to the scatter."""
        rows = exposure.rows.astype(np.float64)
        total = rows.sum(0)
        new = Learned(len(rows), total)
        old = self.by_class.get(class_id)
        places = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), KEPT)).astype(int))
        member = Member(class_id, new, exposure.rows[places], self.look(exposure).traits)
        return replace(
            self,
            metric=self.metric.add(rows - total / len(rows)),
            exposures={**self.exposures, exposure.number: member},
            by_class={**self.by_class, class_id: new + old if old else new},
        )

    def move(self, numbers: Sequence[int], class_id: int) -> Exact:
        """Exposures as part of another class, which may be a new one. The scatter knows no labels."""
        moved = {number: replace(self.exposures[number], class_id=class_id) for number in numbers}
        exposures = {**self.exposures, **moved}
        touched = {class_id, *(self.exposures[number].class_id for number in numbers)}
        by_class = {k: learned for k, learned in self.by_class.items() if k not in touched}
        for member in exposures.values():
            if member.class_id in touched:
                so_far = by_class.get(member.class_id)
                by_class[member.class_id] = so_far + member.learned if so_far else member.learned
        return replace(self, exposures=exposures, by_class=by_class)

    def discard(self, class_id: int) -> Exact:
        """Forget the class's sums. The scatter stays: it knows no labels."""
        return replace(
            self,
            exposures={number: m for number, m in self.exposures.items() if m.class_id != class_id},
            by_class={k: learned for k, learned in self.by_class.items() if k != class_id},
        )

    def touched(self, class_id: int) -> tuple[int, ...]:
        """The class and its nearest neighbours: what is far from it is named as before."""
        columns = self.around(class_id)
        place = int(np.flatnonzero(columns == self.classes.index(class_id))[0])
        order = np.argsort(
            self._distances(self.white_means(columns), self.counts[columns], place), kind="stable"
        )
        return tuple(self.classes[int(columns[i])] for i in order[: NEIGHBOURS + 1])

    def around(self, class_id: int) -> NDArray[np.intp]:
        """The shortlist around a class, with it."""
        own = self.classes.index(class_id)
        return np.union1d(self.shortlist(self.by_class[class_id].mean), [own])

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """Posterior of classes that are equally frequent, means freed of noise as in the trial. The model
        takes a thousand features for more evidence than they are; the temperature makes up for it."""
        directions = self.metric.whitener.T @ self._means.T  # (x' L'^-1)(L^-1 m), without whitening every x
        scores = samples.astype(np.float64) @ directions
        scores = scores - 0.5 * ((self._means**2).sum(1) - self.metric.tr / self.counts)
        probabilities: Array = scipy.special.softmax(scores / TEMPERATURE, axis=1)
        return probabilities

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """Leave-one-out accuracy: every picture is in the sums, so each is named by the classifier that has
        not seen it, in closed form. Where P_val is not full, P_train serves as well."""
        return np.array([left_out(self, memory, class_id) for class_id in classes])


def share_taken(distances: Array, imbalance: float) -> Array:
    """The share of a class that a newcomer at this squared distance takes, 1/(1-imbalance) times as frequent.

    >>> share_taken(np.array([0.0, 8.0, 40.0]), 0.5).round(3).tolist()
    [1.0, 0.121, 0.001]
    >>> share_taken(np.array([0.0, 8.0, 40.0]), 0.0).round(3).tolist()
    [0.5, 0.079, 0.001]
    """
    d = np.sqrt(np.maximum(distances, 1e-12))
    share: Array = scipy.special.ndtr((-np.log1p(-imbalance) - d**2 / 2) / d)
    return share


def create(settings: Settings, seed: int, backbone: Backbone | None = None) -> Exact:
    """A classifier that knows nothing but its backbone's prior. It has no use for the seed."""
    frozen = backbone or load_backbone(settings.backbone, settings.resolution, settings.taps)
    return with_prior(frozen, prior.load(frozen.key, frozen.dim))


def with_prior(backbone: Backbone, known: Prior) -> Exact:
    """The same, of a backbone and a prior."""
    return Exact(backbone, known, Metric(np.zeros((known.dim, known.dim)), 0, known.known))
