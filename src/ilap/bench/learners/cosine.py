"""The strongest simple rival: frozen features, an exposure's mean, cosine distance, the best threshold in
hindsight. Nothing is trained.

An exposure is new if 1 - cos(mu_E, mu_k) exceeds the threshold for every class, else it belongs to the nearest;
pictures are named by the nearest class mean. Means are of features as the backbone gives them, each scaled to
unit length. The threshold is the best for the whole stream with its labels known.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.bench.learners.contract import Task
from ilap.bench.learners.hindsight import best_threshold
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure, Picture
from ilap.core.settings import resolve
from ilap.detect.distance import unit
from ilap.learner.naming import Prediction

PRESET = "fast"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    sharpness: float = 20.0  # turns cosines into probabilities; which class is likeliest does not depend on it


@dataclass
class Cosine:
    """Sums of unit features, one row a class."""

    backbone: Backbone
    threshold: float
    sharpness: float
    sums: list[Array] = field(default_factory=list)
    seen: int = 0
    labelled: bool = False

    @property
    def facts(self) -> Mapping[str, float]:
        """The threshold."""
        return {"threshold": self.threshold}

    @property
    def classes(self) -> Mapping[int, Array]:
        """Sums by id."""
        return dict(enumerate(self.sums))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """Unit features."""
        return unit(self.backbone.features(pictures)).astype(np.float32)

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """The nearest class, or a new one."""
        started = time.perf_counter()
        total = self.samples(exposure.pictures).sum(0, dtype=np.float64)
        away = self.distances(total)
        nearest = int(away.argmin()) if len(away) else 0
        known = bool(len(away)) and bool(away[nearest] <= self.threshold)
        class_id = self.learn(total, nearest if known else None)
        score = float(away[nearest]) if len(away) else 0.0
        reason = f"class {nearest} is nearest, at {score:.3f}" if len(away) else "nothing was known before"
        seconds = time.perf_counter() - started
        self.seen += 1
        return Decision("known" if known else "new", class_id, score, {}, reason, self.seen - 1, seconds)

    def distances(self, total: Array) -> Array:
        """1 - cosine to every class mean."""
        return 1 - unit(np.stack(self.sums)) @ unit(total[None])[0] if self.sums else np.empty(0)

    def learn(self, total: Array, class_id: int | None) -> int:
        """Add an exposure's sum to a class, or found one."""
        if class_id is None:
            self.sums.append(total)
            return len(self.sums) - 1
        self.sums[class_id] = self.sums[class_id] + total
        return class_id

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """The nearest class mean."""
        cosines = samples @ unit(np.stack(self.sums)).T
        probabilities = scipy.special.softmax(self.sharpness * cosines.astype(np.float64), axis=1)
        return Prediction(probabilities.argmax(1), probabilities, tuple(range(len(self.sums))))


def create(task: Task) -> Cosine:
    """Find the threshold, then begin again without labels."""
    backbone = task.frozen(resolve(PRESET, task.changes))
    taught, ids = Cosine(backbone, 0.0, task.parameters.sharpness), dict[int, int]()
    scores, novel = [], []
    for exposure, truth in task.stream:
        total = taught.samples(exposure.pictures).sum(0, dtype=np.float64)
        if ids:
            scores.append(float(taught.distances(total).min()))
            novel.append(truth not in ids)
        ids[truth] = taught.learn(total, ids.get(truth))
    return Cosine(backbone, best_threshold(scores, novel), task.parameters.sharpness)
