"""Confidence: how sure the network says it is, by a branch that was trained along (the paper's CE).

    score(x) = 1 - c(x),   c = sigmoid(g(x))

DeVries and Taylor, "Learning Confidence for Out-of-Distribution Detection in Neural Networks" (2018). The
branch and its loss are in network/confident.py: they change what the network learns, so it is a model of its
own. The authors' perturbation of the pictures is left out, as the paper does not speak of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.detect.capabilities import GivesConfidence, require
from ilap.detect.contract import Finding, Threshold, judge, too_few


def doubts(confidences: Array) -> Array:
    """What the network lacks in confidence, of every picture.

    >>> import numpy as np
    >>> doubts(np.array([0.9, 0.25])).round(2).tolist()
    [0.1, 0.75]
    """
    return 1 - confidences


Parameters = Threshold


@dataclass(frozen=True)
class Confidence:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"probabilities", "confidence"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean confidence."""
        network: GivesConfidence = require("confidence", self.needs, classifier)
        if few := too_few(classifier, 2):
            return few
        named = classifier.probabilities(exposure.rows).argmax(1)
        return judge(doubts(network.confidences(exposure.rows)), named, classifier, self.parameters.threshold)


create = Confidence
