"""EfficientNet-Lite0 in torch: Tan & Le, "EfficientNet" (ICML 2019), in its Lite form, with ReLU6 and no
squeeze-and-excitation.

It lies apart from its backbone (lite0.py), which needs torch only where a graph has to be exported.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from ilap.backbones.stages import GRID, STAGES, TOP


class Pixels(nn.Module):
    """uint8 pictures, channels last, as numbers around 0, channels first."""

    def forward(self, pictures: Tensor) -> Tensor:
        """Scale."""
        return (pictures.permute(0, 3, 1, 2).float() - 127.0) / 128.0


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


def load(file: Path, taps: tuple[int, ...]) -> Network:
    """Build the network and fill it. The file lists its tensors in the order in which they are applied, as
    does the module; the classifier's two, at the end, are left out."""
    weights = torch.load(file, map_location="cpu", weights_only=True)
    network = Network(taps)
    network.load_state_dict(dict(zip(network.state_dict(), weights.values(), strict=False)))
    return network.eval()


def stages_of(network: Network) -> dict[str, nn.Module]:
    """Its parts, to be trained: stem, stage0 to stage6, top."""
    stages: dict[str, nn.Module] = {"stem": nn.Sequential(Pixels(), network.stem)}
    first = 0
    for number, (_, _, repeats, _, _) in enumerate(STAGES):
        stages[f"stage{number}"] = nn.Sequential(*network.blocks[first : first + repeats])
        first += repeats
    stages["top"] = nn.Sequential(network.top, nn.AdaptiveAvgPool2d(1), nn.Flatten())
    return stages
