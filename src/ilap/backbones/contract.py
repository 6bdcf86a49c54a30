"""What a backbone is: a network that turns pictures into features, one row each.

Frozen, it is a ``Backbone``. To be trained, it is a ``Trunk``: a chain of named stages, so that a classifier
can freeze everything below one of them. A backbone's file offers ``create(parameters)`` for the one and, where
it can be trained, ``trunk(parameters, seed)`` for the other; ``Parameters`` is its own dataclass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ilap.core.exposure import Picture

if TYPE_CHECKING:
    from torch import nn


HEAD_RATE, FEATURE_RATE = 2e-4, 2e-5
"""Adam's learning rates for weights that know something (paper 4.1)."""
RANDOM_RATE = 1e-3
"""The one for weights that start at random: there is nothing that a low rate would protect."""


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


@dataclass(frozen=True)
class Graph:
    """A frozen network as a serialised ONNX model: uint8 pictures (n, side, side, 3) in, features out."""

    model: bytes
    side: int


@runtime_checkable
class HasGraph(Protocol):
    """A backbone that can be taken out of here."""

    def graph(self) -> Graph:
        """The network."""


@dataclass(frozen=True)
class Trunk:
    """A network to be trained: ``stages`` take uint8 pictures (n, side, side, 3) to rows of ``dim`` features.
    The learning rates are those that suit its weights: low where they know something, else high."""

    key: str
    stages: dict[str, nn.Module]
    side: int
    dim: int
    head_rate: float = HEAD_RATE
    feature_rate: float = FEATURE_RATE
