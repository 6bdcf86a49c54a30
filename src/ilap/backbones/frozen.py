"""Any trunk as a frozen backbone, run by torch."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray
from torch import nn

from ilap.backbones import pictures as pixels
from ilap.backbones import runtime
from ilap.backbones.contract import Graph, Trunk
from ilap.core.exposure import Picture

BATCH = 32


class FrozenTrunk:
    """The features of a trunk whose weights stay as they are."""

    def __init__(self, trunk: Trunk) -> None:
        self.key, self.dim, self.side = trunk.key, trunk.dim, trunk.side
        self._network = nn.Sequential(*trunk.stages.values())
        self._run = runtime.on_torch(self._network, runtime.device())

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = [
            self._run(pixels.square(pictures[i : i + BATCH], self.side)) for i in range(0, len(pictures), BATCH)
        ]
        return np.concatenate(rows) if rows else np.empty((0, self.dim), np.float32)

    def graph(self) -> Graph:
        """The network as an ONNX model."""
        return Graph(runtime.export(deepcopy(self._network).cpu(), self.side), self.side)
