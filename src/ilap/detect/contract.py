"""What the loop asks of a detector: is this exposure one of the known classes, and which?

A larger score is a more novel exposure, everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Classifier
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
