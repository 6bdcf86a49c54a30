"""What rivals that group exposures have in common: the features that ``fast`` has, as one vector an exposure.

It is the mean of the exposure's pictures in the prior's coordinates (backbones/prior.py: differences within a
class are noise of size 1), in those directions in which the prior's classes differ. The mean of all exposures
seen so far is taken off. Pictures from one place lie to one side of the prior's mean, and rivals that compare
directions would take them all for one thing otherwise.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.backbones.prior import Prior, load
from ilap.bench.learners.contract import Task
from ilap.core.decision import Decision, Kind
from ilap.core.exposure import Exposure, Picture
from ilap.core.settings import resolve
from ilap.detect.distance import unit
from ilap.learner.naming import Prediction

SHARPNESS = 20.0  # turns cosines into probabilities; which class is likeliest does not depend on it

Array = NDArray[np.float64]


@dataclass
class Grouping(ABC):
    """Exposures by their number: ``means`` and ``counts`` of their pictures, and the class ``placed`` in."""

    backbone: Backbone
    prior: Prior
    parameters: Any
    means: list[Array] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    placed: dict[int, int] = field(default_factory=dict)
    founded: int = 0
    labelled: bool = False

    @property
    @abstractmethod
    def facts(self) -> Mapping[str, float]:
        """The threshold."""

    @abstractmethod
    def decide(self, number: int) -> Decision:
        """The answer to the exposure that has just come."""

    @property
    def classes(self) -> Mapping[int, list[int]]:
        """The exposures of each class."""
        found: dict[int, list[int]] = {}
        for number, class_id in sorted(self.placed.items()):
            found.setdefault(class_id, []).append(number)
        return dict(sorted(found.items()))

    @property
    def between(self) -> Array:
        """The variance of class means in the directions in which there is any."""
        return self.prior.between[self.prior.between > 0].astype(np.float64)

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """Pictures in these directions."""
        projected = self.prior.project(self.backbone.features(pictures))
        return projected[:, self.prior.between > 0]

    def centred(self) -> Array:
        """The exposures' means around the mean of all of them."""
        means: Array = np.stack(self.means)
        centred: Array = means - means.mean(0)
        return centred

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Take an exposure up and answer."""
        started = time.perf_counter()
        rows = self.samples(exposure.pictures)
        self.means.append(rows.mean(0, dtype=np.float64))
        self.counts.append(len(rows))
        decision = self.decide(len(self.means) - 1)
        return replace(decision, seconds=time.perf_counter() - started)

    def place(self, number: int, class_id: int | None, score: float, reason: str) -> Decision:
        """Put an exposure into a class, or found one for it."""
        kind: Kind = "new" if class_id is None else "known"
        if class_id is None:
            class_id, self.founded = self.founded, self.founded + 1
        self.placed[number] = class_id
        return Decision(kind, class_id, score, {}, reason, number, 0.0)

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """The class whose mean points most nearly the same way; none, where no class is known."""
        if not self.placed:
            return Prediction(np.full(len(samples), -1), np.empty((len(samples), 0)), ())
        middle, groups = np.mean(self.means, axis=0), self.classes
        means = np.stack([np.mean([self.means[n] for n in own], axis=0) for own in groups.values()])
        cosines = unit(samples - middle) @ unit(means - middle).T
        probabilities = scipy.special.softmax(SHARPNESS * cosines.astype(np.float64), axis=1)
        return Prediction(np.array(list(groups))[probabilities.argmax(1)], probabilities, tuple(groups))


def given(task: Task, preset: str) -> tuple[Backbone, Prior, Any]:
    """What such a learner is made of: the preset's frozen backbone, its prior, and the learner's parameters."""
    backbone = task.frozen(resolve(preset, task.changes))
    return backbone, load(backbone.key, backbone.dim), task.parameters
