"""A classifier with its exemplars that is told what it is shown: the model that detectors are compared on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ilap import registry
from ilap.bench.cell import frozen
from ilap.classify.contract import Classifier
from ilap.exposure import VALIDATION_SHARE, Exposure, Samples, validation_mask
from ilap.memory import Memory
from ilap.settings import Settings


@dataclass(frozen=True)
class Taught:
    """A value: what has learned more is another one."""

    classifier: Classifier
    memory: Memory
    seed: int

    def samples(self, exposure: Exposure, number: int) -> tuple[Samples, int]:
        """An exposure as the classifier sees it, and a seed for what is done with it."""
        rows = self.classifier.samples(exposure.pictures)
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        return Samples(number, rows, validation_mask(len(rows)), exposure.pictures), seed

    def learn(self, samples: Samples, class_id: int, seed: int) -> Taught:
        """The model after it was told that these samples are of a class."""
        classifier = self.classifier.learn(samples, class_id, self.memory, seed)
        memory = self.memory.remember(class_id, samples, classifier.features)
        return replace(self, classifier=classifier, memory=memory)


def untaught(settings: Settings, seed: int) -> Taught:
    """A model that knows nothing yet; features of a frozen backbone are kept on disk."""
    backbone = frozen(settings) if settings.is_frozen else None
    classifier: Classifier = registry.find("classifier", settings.classifier)(settings, seed, backbone)
    held_out = max(1, round(settings.exemplars * VALIDATION_SHARE))
    return Taught(classifier, Memory(settings.exemplars - held_out, held_out), seed)
