"""MSP: how sure the classifier is of its likeliest class.

    score(x) = 1 - max_k softmax(o(x))_k

Hendrycks and Gimpel, "A Baseline for Detecting Misclassified and Out-of-Distribution Examples in Neural
Networks" (ICLR 2017). One minus, so that the score is a share. It needs probabilities only, so it works on
``exact`` too, whose are those of its linear discriminant at a temperature of 6. With one class it has nothing
to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.detect.contract import Finding, Threshold, judge, too_few


def doubts(probabilities: Array) -> Array:
    """What is left to all classes but the likeliest, of every picture.

    >>> doubts(np.array([[0.7, 0.2, 0.1], [0.4, 0.35, 0.25]])).round(2).tolist()
    [0.3, 0.6]
    """
    doubt: Array = 1 - np.asarray(probabilities, float).max(1)
    return doubt


Parameters = Threshold


@dataclass(frozen=True)
class Msp:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"probabilities"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean doubt."""
        if few := too_few(classifier, 2):
            return few
        probabilities = classifier.probabilities(exposure.rows)
        return judge(doubts(probabilities), probabilities.argmax(1), classifier, self.parameters.threshold)


create = Msp
