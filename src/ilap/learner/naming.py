"""What a state says of classes, and of single pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import NothingLearned
from ilap.learner.state import State


class Prediction(NamedTuple):
    """For every picture the likeliest class and, in the order of ``classes``, the probability of each."""

    class_ids: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class KnownClass:
    """A class is a set of exposures, by their numbers; ``exemplars`` are its most typical pictures, best
    first, each as (exposure number, place in it)."""

    exposures: tuple[int, ...]
    pictures: int
    exemplars: tuple[tuple[int, int], ...]


def predict(state: State, samples: NDArray[Any]) -> Prediction:
    """Name pictures by what the classifier sees of them."""
    classifier = state.classifier
    if not classifier.classes:
        raise NothingLearned("No class is known yet: let the learner observe an exposure first.")
    probabilities = classifier.probabilities(samples)
    class_ids = np.array(classifier.classes)[probabilities.argmax(1)]
    return Prediction(class_ids, probabilities, classifier.classes)


def known_classes(state: State) -> dict[int, KnownClass]:
    """The classes known now, by their ids."""
    return {
        class_id: KnownClass(
            exposures,
            sum(state.sizes[number] for number in exposures),
            tuple((int(number), int(row)) for number, row in state.memory.train[class_id].origins),
        )
        for class_id, exposures in sorted(state.members.items())
    }
