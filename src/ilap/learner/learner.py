"""A learner in memory: unlabelled exposures in, classes out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core.classifier import correctable
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure, Picture, Samples, as_exposure, check
from ilap.core.settings import resolve
from ilap.detect.contract import Finding
from ilap.learner.naming import KnownClass, Prediction, known_classes, predict
from ilap.learner.step import Step, answer_of, begin, samples_of


class Learner:
    """Sorts exposures into classes that nobody named, and names single pictures.

    ``state`` is all that it knows, as one value. Whatever fails or interrupts it, the state is the one before.
    """

    def __init__(
        self, preset: str = "fast", *, seed: int = 0, backbone: str | Backbone | None = None, **changes: Any
    ) -> None:
        """Settings are those of the preset, with changes (core/settings.py). A backbone may be a name or an
        object that keeps the contract."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        self.settings = resolve(preset, changes)
        self.seed = seed
        self.loop, self.state = begin(self.settings, seed, backbone)
        self._learned: dict[int, Samples] = {}  # what may have to be forgotten and asked about again

    def observe(self, exposure: Exposure | Sequence[Picture]) -> Decision:
        """Decide what an exposure shows and learn from it. An exposure that stays unsure waits; whenever
        something was learned, those that have waited longest are asked about again."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        steps = self.loop.step(self.state, samples, self._learned.__getitem__)
        self._take(steps)
        return answer_of(exposure, steps, time.perf_counter() - started)

    def teach(self, exposure: Exposure | Sequence[Picture], class_id: int | None = None) -> Decision:
        """Learn an exposure that somebody knows: as the class of this id, or as a new class. Nothing is
        detected, so there is no score, and no class is given up."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        steps = self.loop.teach(self.state, samples_of(self.state, exposure), class_id)
        self._take(steps)
        return answer_of(exposure, steps, time.perf_counter() - started)

    def _take(self, steps: Sequence[Step]) -> None:
        """Make what was learned the state. Classifiers that can forget an exposure need it again for that."""
        if correctable(steps[-1].state.classifier):
            learned = {step.learned.number: step.learned for step in steps if step.learned}
            self._learned.update((n, replace(own, pictures=())) for n, own in learned.items())
        self.state = steps[-1].state

    def detect(self, exposure: Exposure | Sequence[Picture]) -> Finding:
        """What the detector finds in an exposure now; nothing is learned."""
        now = self.state
        samples = samples_of(now, as_exposure(exposure))
        return self.loop.detector(now.classifier, samples, now.memory, self.loop.seed_of(now))

    def predict(self, pictures: Sequence[Picture]) -> Prediction:
        """Name single pictures."""
        return self.predict_samples(self.samples(pictures))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures, for those that are to be named again and again. It stays valid
        while the learner learns."""
        return self.state.classifier.samples(check(pictures))

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name pictures by what the learner sees of them."""
        return predict(self.state, samples)

    def size_of(self, exposure: int) -> int:
        """How many pictures an exposure had."""
        return self.state.sizes[exposure]

    @property
    def classes(self) -> dict[int, KnownClass]:
        """The classes known now, by their ids."""
        return known_classes(self.state)
