"""What Python programs start from: a learner in memory, a learner in a file, and a stream to try them on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ilap.bench.stream import make
from ilap.core.exposure import Exposure
from ilap.data import digits
from ilap.keep.learner import LearnerInFile
from ilap.learner import learner


def open_learner(path: str | Path, preset: str = "fast", **settings: Any) -> LearnerInFile:
    """A learner that lives in a file, which is made if it is not there (keep/learner.py)."""
    return LearnerInFile(path, preset, **settings)


class Learner(learner.Learner):
    """A learner in memory (learner/learner.py); ``open`` gives one that lives in a file."""

    open = staticmethod(open_learner)


def sample_stream(exposure_size: int = 40, repeats: int = 3, seed: int = 0) -> Iterator[tuple[Exposure, str]]:
    """The embedded handwritten digits as exposures, each with the digit that it shows, which no learner sees.

    >>> exposure, digit = next(sample_stream(exposure_size=5))
    >>> len(exposure.pictures), digit in "0123456789"
    (5, True)
    """
    dataset = digits.create()
    for exposure, label in make(dataset, exposure_size, repeats, seed):
        yield exposure, dataset.names[label]
