"""Energy: how little all logits together say.

    score(x) = -log sum_k exp o(x)_k

Liu et al., "Energy-based Out-of-distribution Detection" (NeurIPS 2020), at their temperature of 1. Unlike a
softmax it sees whether all logits are low. Not in the paper's table. The head of one class alone was never
trained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.special

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.detect.capabilities import GivesLogits, require
from ilap.detect.contract import Finding, Threshold, judge, too_few


def energies(logits: Array) -> Array:
    """The energy of every picture.

    >>> energies(np.array([[0.0, 0.0], [3.0, 1.0]])).round(4).tolist()
    [-0.6931, -3.1269]
    """
    energy: Array = -scipy.special.logsumexp(np.asarray(logits, float), axis=1)
    return energy


Parameters = Threshold


@dataclass(frozen=True)
class Energy:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"logits"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean energy."""
        network: GivesLogits = require("energy", self.needs, classifier)
        if few := too_few(classifier, 2):
            return few
        logits = network.logits(exposure.rows)
        return judge(energies(logits), logits.argmax(1), classifier, self.parameters.threshold)


create = Energy
