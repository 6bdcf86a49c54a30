"""What a classifier asks of a backbone: pictures in, one row of features each out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ilap.exposure import Picture


class Backbone(Protocol):
    """A frozen feature extractor."""

    @property
    def key(self) -> str:
        """Name and settings: two backbones with the same key give the same features."""

    @property
    def dim(self) -> int:
        """How many numbers describe a picture."""

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
