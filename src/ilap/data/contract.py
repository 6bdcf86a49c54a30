"""What a data set is: labelled pictures, some to learn from and some to test with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.exposure import Picture


@dataclass(frozen=True)
class Labelled:
    """Pictures and their true classes. The labels are for evaluation: no learner sees them."""

    pictures: Sequence[Picture]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Dataset:
    """A data set; ``names`` are the true classes' names in order of their labels."""

    name: str
    train: Labelled
    test: Labelled
    names: tuple[str, ...]
