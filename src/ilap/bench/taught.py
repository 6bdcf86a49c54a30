"""A classifier with its exemplars that is told what it is shown: the model that detectors are compared on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ilap.backbones.load import Given, Named
from ilap.bench.data import frozen
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory, empty
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.settings import Settings


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
    source = Given(frozen(settings)) if settings.is_frozen else Named(settings.backbone)
    chosen = settings.classifier
    classifier: Classifier = registry.find("classifier", chosen.name)(chosen.parameters, source, seed)
    return Taught(classifier, empty(settings.loop.exemplars, settings.loop.ranking), seed)
