"""A small convolutional network for small pictures, trained from scratch on the CPU.

Three strided convolutions and a layer of 128 features: 160,000 weights, some thousand training pictures a
second on one core at 28 px. It makes gradient descent testable where there is no GPU.

While it trains, pictures are shifted by up to two pixels and half of the features are left out. Without that it
learns eighty pictures by heart, and then tells two exposures of one class apart by their pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from ilap.backbones.contract import RANDOM_RATE, Trunk
from ilap.backbones.efficientnet import Pixels
from ilap.core.errors import BadSetting

RESOLUTION = 28
CHANNELS = (16, 32, 64)
FEATURES = 128


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    resolution: int | None = None  # side in pixels to which pictures are scaled: 28

    def __post_init__(self) -> None:
        if self.resolution is not None and not 8 <= self.resolution <= 96:
            raise BadSetting(f"The backbone small takes pictures of 8 to 96 pixels, not {self.resolution}.")


DEFAULT = Parameters()


class Shift(nn.Module):
    """While training, every picture moved by up to ``most`` pixels in both directions."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def forward(self, x: Tensor) -> Tensor:
        """Cut each picture out of a frame, which is black, at a random place."""
        if not self.training or not self.most:
            return x
        count, _, rows, columns = x.shape
        framed = functional.pad(x, [self.most] * 4, value=-127 / 128)
        at = torch.randint(0, 2 * self.most + 1, (2, count, 1)).to(x.device)
        down = at[0] + torch.arange(rows, device=x.device)
        across = at[1] + torch.arange(columns, device=x.device)
        each = torch.arange(count, device=x.device)[:, None, None]
        return framed[each, :, down[:, :, None], across[:, None, :]].permute(0, 3, 1, 2)


def convolution(inputs: int, outputs: int, kernel: int) -> nn.Module:
    """Halves the side."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, 2, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


def trunk(parameters: Parameters = DEFAULT, seed: int = 0) -> Trunk:
    """The network with random weights drawn from the seed."""
    side = parameters.resolution or RESOLUTION
    first, second, third = CHANNELS
    left = -(-side // 8)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stages: dict[str, nn.Module] = {
            "stem": nn.Sequential(Pixels(), Shift(round(side / 14)), convolution(3, first, 5)),
            "middle": convolution(first, second, 3),
            "last": convolution(second, third, 3),
            "features": nn.Sequential(
                nn.Flatten(), nn.Linear(third * left * left, FEATURES), nn.ReLU(), nn.Dropout(0.5)
            ),
        }
    return Trunk(f"small-{side}", stages, side, FEATURES, RANDOM_RATE, RANDOM_RATE)


def create(parameters: Parameters) -> None:
    """Frozen at random it would be of no use."""
    raise BadSetting("The backbone small is there to be trained: take the classifier network, or lite0.")
