"""The exact classifier: detection training in closed form, on frozen features.

It keeps the classifier's contract (core/classifier.py) over a model (model.py): each question is a function
over that value, in the file of its name.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.backbones import prior
from ilap.backbones.contract import Backbone
from ilap.backbones.load import Source
from ilap.backbones.prior import Prior
from ilap.core.classifier import BASIC, Array, Trial
from ilap.core.errors import BadFeatures
from ilap.core.exemplars import Memory
from ilap.core.exposure import Picture, Samples
from ilap.core.parameters import one_of
from ilap.core.rule import RULE, Rule
from ilap.exact import leave_one_out
from ilap.exact.belief import Belief, beliefs
from ilap.exact.calibration import Calibration, named, shipped
from ilap.exact.frame import Last
from ilap.exact.model import Model, empty_model
from ilap.exact.statistics import Traits
from ilap.exact.strangers import NONE, Strangers, strangers
from ilap.exact.surroundings import Surroundings, alike, gathering, group_of, places, surroundings
from ilap.exact.told import Told
from ilap.exact.trial import distances_from, share_taken, trial
from ilap.exact.typicality import Usual, typicality, usual
from ilap.exact.whitened import Whitened, whitened

NEAR = 20  # exposures around one that changed whose answers may be others; cost


@dataclass(frozen=True)
class Exact:
    """The classifier: a backbone, and what was learned from its features. ``asked`` is the exposure that it was
    asked about last, whitened, and ``surrounded`` the same with its surroundings: a decision asks several
    questions about one exposure."""

    backbone: Backbone
    model: Model
    calibration: Calibration = field(default_factory=shipped)
    asked: Last = field(default_factory=Last, init=False, repr=False, compare=False)
    surrounded: Last = field(default_factory=Last, init=False, repr=False, compare=False)
    grouped: Last = field(default_factory=Last, init=False, repr=False, compare=False)

    capabilities = BASIC | {"belief", "strangers", "correctable", "places"}

    @property
    def classes(self) -> tuple[int, ...]:
        """Ids, ascending."""
        return self.model.classes

    @property
    def rule(self) -> Rule:
        """The constants by which it decides."""
        return self.model.rule

    @property
    def fixed(self) -> frozenset[int]:
        """Exposures that a person put where they are."""
        return self.model.fixed

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """The frozen features of the pictures, in the prior's coordinates."""
        rows = self.model.prior.features(self.backbone, pictures)
        if not np.isfinite(rows).all():
            bad = int(np.flatnonzero(~np.isfinite(rows).all(1))[0])
            raise BadFeatures(
                f"The backbone {self.backbone.key} gave a number that is not finite for picture {bad}: "
                f"look at the picture, and leave it out if it is damaged."
            )
        return rows

    def features(self, samples: NDArray[Any]) -> NDArray[Any]:
        """Samples are features already."""
        return samples

    # what an exposure shows

    def whitened(self, exposure: Samples) -> Whitened:
        """The exposure in the coordinates of the metric (whitened.py)."""
        found: Whitened = self.asked.of(exposure, lambda: whitened(self.model, exposure), operator.is_)
        return found

    @property
    def fits(self) -> bool:
        """Whether the calibration was fitted on such features."""
        return self.model.prior.known and self.backbone.key in self.calibration.features

    def belief(self, exposure: Samples) -> Belief | None:
        """How likely it is each class, and how likely a new one (belief.py); None where nothing is known
        yet."""
        if not self.classes:
            return None
        around = self.around(exposure)
        return beliefs(self.model, around, [exposure.number], self.calibration, self.fits)[0]

    def counts_in_full(self, pictures: int) -> bool:
        """Whether so many pictures are said to be drawn at random, and are enough (model.py)."""
        return self.model.counts_in_full(pictures)

    def around(self, exposure: Samples) -> Surroundings:
        """What it is compared with (surroundings.py)."""
        own = self.whitened(exposure)
        found: Surroundings = self.surrounded.of(
            exposure, lambda: surroundings(self.model, exposure, own.mean, own.traits), operator.is_
        )
        return found

    def surest_first(self, numbers: Sequence[int]) -> list[int]:
        """Exposures that were seen, those first of which it is surest what they show; as they are where there
        are very many."""
        model = self.model
        if not model.classes or len(model.seen) > self.rule.pairs.compared:
            return list(numbers)
        around = gathering(model, alike(model, model.seen))
        found = beliefs(model, around, numbers, self.calibration, self.fits)
        return [numbers[i] for i in np.argsort([-own.certainty for own in found], kind="stable")]

    def most_alike_first(self, number: int, others: Sequence[int]) -> list[int]:
        """Exposures that were seen, those first that are most like another one; where there are very many, by
        the distance of their means."""
        if len(self.model.seen) > self.rule.pairs.compared:
            order = {n: at for at, n in enumerate(self.model.near(number, len(self.model.seen)))}
            return sorted(others, key=order.__getitem__)
        compared = alike(self.model, self.model.seen)
        row = {own: at for at, own in enumerate(compared.numbers)}
        values = compared.cosines.values[row[number], [row[own] for own in others]]
        return [others[i] for i in np.argsort(-values, kind="stable")]

    def near_any(self, numbers: Collection[int]) -> set[int]:
        """Exposures seen that lie near any of these, and these; all where there are few."""
        seen = list(self.model.seen)
        if len(seen) <= self.rule.pairs.compared:
            return set(seen)
        rows = np.flatnonzero(np.isin(seen, list(numbers)))
        near = self.model.nearest_rows(rows, NEAR) if len(rows) else rows
        return {seen[row] for row in (*rows, *near.ravel())}

    def places(self, next_id: int, among: Collection[int] | None = None) -> dict[int, int]:
        """Where every exposure, or each of some, most likely belongs (surroundings.py)."""
        return places(self.model, next_id, among)

    def group_of(self, exposure: Samples, groups: Mapping[int, int]) -> int | None:
        """The group of waiting exposures that it goes with (surroundings.py)."""
        return group_of(self.around(exposure), exposure.number, groups) if groups else None

    def with_groups(self, exposures: Sequence[Samples], groups: Mapping[int, int]) -> Exact:
        """As if these waiting exposures were of classes that have their groups' ids. The last one is kept."""
        key = tuple((own.number, groups[own.number]) for own in exposures)
        if not key:
            return self
        found: Exact = self.grouped.of(
            key, lambda: replace(self, model=self.model.as_classes(exposures, groups))
        )
        return found

    def trial(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Trial:
        """The share of every class that the exposure would take (trial.py)."""
        return trial(self.model, exposure, self.whitened(exposure), imbalance)

    def strangers(self, exposure: Samples, column: int | None) -> Strangers:
        """Pictures that show something else that is known (strangers.py)."""
        if self.sessions(exposure):
            return NONE
        return strangers(self.model, exposure, self.whitened(exposure), column)

    def sessions(self, exposure: Samples) -> bool:
        """Whether exposures like this one show a session of a thing rather than all of it: pictures follow
        each other, or exposures gather so."""
        compared, rule = self.around(exposure).compared, self.rule.strangers
        follow = compared.succession is not None and compared.succession < rule.follow
        return follow or (len(compared.numbers) >= rule.gather and compared.whole < rule.whole)

    # what is learned, and unlearned

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Exact:
        """Add the exposure's sums to its class."""
        return replace(self, model=self.see(exposure).model.learn(exposure, class_id))

    def see(self, exposure: Samples, traits: Traits | None = None) -> Exact:
        """An exposure has come; its residuals are part of the scatter from now on. Nothing changes if it was
        seen before."""
        if exposure.number in self.model.seen:
            return self
        known = self.whitened(exposure).traits if traits is None else traits
        return replace(self, model=self.model.see(exposure, known))

    def doubt(self, numbers: Sequence[int]) -> Exact:
        """Exposures of classes as unsure ones."""
        return replace(self, model=self.model.doubt(numbers))

    def forget(self, exposures: Sequence[Samples]) -> Exact:
        """As if these exposures, which are whole, had never been seen."""
        return replace(self, model=self.model.forget(exposures))

    def move(self, numbers: Sequence[int], class_id: int) -> Exact:
        """Exposures as part of another class, which may be a new one."""
        return replace(self, model=self.model.move(numbers, class_id))

    def discard(self, class_id: int) -> Exact:
        """Forget a class, though not what its pictures told of noise."""
        return replace(self, model=self.model.discard(class_id))

    def fix(self, numbers: Iterable[int], fixed: bool = True) -> Exact:
        """These exposures are, or are no longer, where a person put them."""
        return replace(self, model=self.model.fix(numbers, fixed))

    def hear(self, told: Iterable[Told]) -> Exact:
        """These are all the answers that people gave."""
        return replace(self, model=self.model.hear(told))

    # how well classes are told apart

    def affected(self, class_id: int) -> tuple[int, ...]:
        """The class and those of its nearest neighbours from which it takes anything: what is far from it is
        named as before."""
        model, rule = self.model, self.model.rule.naming
        columns = model.around(class_id)
        place = int(np.flatnonzero(columns == model.classes.index(class_id))[0])
        distances = distances_from(model, model.means(columns), model.counts[columns], place)
        near = share_taken(distances / rule.temperature, 0.0) > rule.takes
        near[place] = True
        order = [i for i in np.argsort(distances, kind="stable") if near[i]]
        return tuple(model.classes[int(columns[i])] for i in order[: rule.neighbours + 1])

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """Leave-one-out accuracy: every picture is in the sums, so each is named by the classifier that has
        not seen it (leave_one_out.py)."""
        return leave_one_out.accuracies(self.model, memory, classes)

    # single pictures

    @cached_property
    def linear(self) -> tuple[Array, Array]:
        """The classifier as weights and offsets: the scores of samples are samples @ weights - offsets. Means
        are freed of noise as in the trial."""
        means, frame = self.model.means(), self.model.frame
        weights = frame.whitener.T @ means.T  # (x' L'^-1)(L^-1 m), without whitening every x
        return weights, 0.5 * ((means**2).sum(1) - frame.tr / self.model.counts)

    def scores(self, samples: NDArray[Any]) -> Array:
        """The log likelihoods of classes, up to a constant of each sample."""
        weights, offsets = self.linear
        scores: Array = samples.astype(np.float64) @ weights - offsets
        return scores

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """Posterior of classes that are equally frequent. The model takes a thousand features for more evidence
        than they are; the temperature makes up for it."""
        temperature = self.model.rule.naming.temperature
        probabilities: Array = scipy.special.softmax(self.scores(samples) / temperature, axis=1)
        return probabilities

    @cached_property
    def usual(self) -> Usual:
        """How strange pictures of known classes are."""
        return usual(self.model)

    def typicality(self, samples: NDArray[Any]) -> Array:
        """Of every picture the share of those learned that is at least as strange (typicality.py)."""
        return typicality(self.model, self.usual, samples)


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    calibration: str = ""  # a file of tools/fit_promise.py; that of the package if none is named
    sampling: str = "auto"  # how the pictures of an exposure were drawn: random (from all of a class) or burst

    def __post_init__(self) -> None:
        one_of("sampling", self.sampling, "auto", "random", "burst")


def create(parameters: Parameters, source: Source, seed: int) -> Exact:
    """A classifier that knows nothing but its backbone's prior. It has no use for the seed."""
    backbone = source.frozen()
    found = with_prior(backbone, prior.load(backbone.key, backbone.dim))
    model = replace(found.model, sampling=parameters.sampling)
    return replace(found, model=model, calibration=named(parameters.calibration))


def with_prior(backbone: Backbone, known: Prior, rule: Rule = RULE) -> Exact:
    """The same, of a backbone and a prior."""
    return Exact(backbone, empty_model(known, rule))
