"""What the loop asks of a detector: is this exposure one of the known classes, and which?

A larger score is a more novel exposure, everywhere.

Detectors that score pictures, and nothing else, share ``judge``: the exposure's score is the mean over its
pictures (paper A.1). It is new if that exceeds a threshold, else it is the class that most of its pictures are
named as. The drops told are no drops of accuracy, but the share of the pictures that is named as each class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array, Classifier
from ilap.core.decision import Kind
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples


@dataclass(frozen=True)
class Finding:
    """What a detector found: ``column`` is the class's place in ``classifier.classes`` where it is known.

    A detector that knows it says how likely its answer is wrong (``error``), and the learner then decides
    whether that is sure enough; ``probabilities`` are those of a new class, then of every known one.
    """

    kind: Kind
    column: int | None
    score: float
    drops: NDArray[np.float64]
    reason: str
    error: float | None = None
    probabilities: NDArray[np.float64] | None = None


class Detector(Protocol):
    """Asks a classifier about an exposure and changes nothing. ``needs`` says what the classifier has to give
    (capabilities.py); where it cannot, asking is an error."""

    needs: ClassVar[frozenset[str]]

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide. With no class known every exposure is new."""


@dataclass(frozen=True)
class Threshold:
    """The parameters of a detector that gives a score and nothing else."""

    threshold: float = 0.5  # the score above which an exposure is new


def judge(scores: Array, named: NDArray[Any], classifier: Classifier, threshold: float) -> Finding:
    """The finding for pictures with these scores that are named as the classes in these columns."""
    score = float(scores.mean())
    votes = np.bincount(named, minlength=len(classifier.classes)) / len(named)
    if score > threshold:
        return Finding("new", None, score, votes, f"the score is {score:.3f}, over {threshold:.3f}")
    column = int(votes.argmax())
    share = f"{votes[column]:.0%} of the pictures are named class {classifier.classes[column]}"
    return Finding("known", column, score, votes, f"the score is {score:.3f}, and {share}")


def known_features(classifier: Classifier, memory: Memory) -> list[NDArray[Any]]:
    """The features of P_train, a list of rows for every class."""
    return [classifier.features(memory.train[k].samples) for k in classifier.classes]


def too_few(classifier: Classifier, needed: int) -> Finding | None:
    """The finding while fewer classes are known than a detector needs to say anything. One class alone has a
    softmax of 1 and a head that was never trained, so what speaks through the head needs two."""
    known = len(classifier.classes)
    if known >= needed:
        return None
    reason = "one class alone tells nothing apart" if known else "nothing was known before"
    return Finding("new", None, 0.0, np.zeros(known), reason)
