"""Real small data for the checks: the embedded digits in exposures, and the cheapest backbone there is."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.load import load
from ilap.backbones.stored import Cached
from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Exposure, Picture, Samples, validation_mask
from ilap.data import digits

Exposures = dict[int, list[Exposure]]
"""By label."""


class Pixels:
    """A backbone whose features are the pixels. It has no prior."""

    key = "pixels"
    dim = 64

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = np.stack([picture.reshape(-1) for picture in pictures]).astype(np.float32)
        return rows / np.float32(255)


@cache
def exposures() -> Exposures:
    """Of every digit four exposures of 30 pictures. They are shuffled: neighbours are by the same writer."""
    data, rng = digits.create(), np.random.default_rng(0)
    cut = {}
    for label in range(10):
        own = rng.permutation(np.flatnonzero(data.train.labels == label))[:120].reshape(4, 30)
        cut[label] = [Exposure([data.train.pictures[i] for i in rows]) for rows in own]
    return cut


@cache
def lite0() -> Cached:
    """The embedded backbone, which looks at no picture twice."""
    return Cached(load("lite0"))


@contextmanager
def without_prior() -> Iterator[None]:
    """Pixels have no prior, which is no news here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is no prior")
        yield


def samples(classifier: Classifier, exposure: Exposure, number: int) -> Samples:
    """An exposure as a classifier sees it."""
    rows = classifier.samples(exposure.pictures)
    return Samples(number, rows, validation_mask(len(rows)))


def taught(classifier: Classifier, shown: Exposures, labels: Sequence[int]) -> tuple[Classifier, Memory]:
    """A classifier that has learned one exposure of each label, and its memory."""
    memory = Memory(24, 6)
    for class_id, label in enumerate(labels):
        seen = samples(classifier, shown[label][0], class_id)
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    return classifier, memory
