"""What a data set is: labelled pictures, some to learn from and some to test with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ilap.core.exposure import Picture


@dataclass(frozen=True)
class Labelled:
    """Pictures and their true classes. The labels are for evaluation: no learner sees them.

    ``pictures`` may decode a picture only when it is asked for. ``clips`` says which clip (a burst, a video, a
    run of a turntable) each picture belongs to, where there are clips: those of a clip lie together, in the
    order in which they were taken.
    """

    pictures: Sequence[Picture]
    labels: NDArray[np.int64]
    clips: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)


NOTHING = Labelled([], np.empty(0, np.int64))


@dataclass(frozen=True)
class Dataset:
    """A data set; ``names`` are the true classes' names in order of their labels. ``whole`` are the pictures of
    both parts in capture order, where a division goes through clips."""

    name: str
    train: Labelled
    test: Labelled
    names: tuple[str, ...]
    whole: Labelled | None = None

    def undivided(self) -> Dataset:
        """With every clip whole, and nothing to test with."""
        return replace(self, train=self.train if self.whole is None else self.whole).untested()

    def untested(self) -> Dataset:
        """With nothing to test with."""
        return replace(self, test=NOTHING)
