"""A small convolutional network for small pictures, trained from scratch on the CPU.

Three strided convolutions and a layer of 128 features: 160,000 weights, some thousand training pictures a
second on one core at 28 px. It makes gradient descent testable where there is no GPU.
"""

from __future__ import annotations

import torch
from torch import nn

from ilap.backbones.contract import Trunk
from ilap.backbones.layers import Pixels
from ilap.errors import BadSetting

RESOLUTION = 28
CHANNELS = (16, 32, 64)
FEATURES = 128
RATE = 1e-3  # random weights know nothing that a low rate would protect


def convolution(inputs: int, outputs: int, kernel: int) -> nn.Module:
    """Halves the side."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, 2, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


def trunk(resolution: int | None = None, weights: str | None = None, seed: int = 0) -> Trunk:
    """The network with random weights drawn from the seed."""
    if weights not in (None, "random"):
        raise BadSetting(f"The backbone small has no weights {weights!r}: it starts at random.")
    side = resolution or RESOLUTION
    if not 8 <= side <= 96:
        raise BadSetting(f"The backbone small takes pictures of 8 to 96 pixels, not {side}.")
    first, second, third = CHANNELS
    left = -(-side // 8)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stages: dict[str, nn.Module] = {
            "stem": nn.Sequential(Pixels(), convolution(3, first, 5)),
            "middle": convolution(first, second, 3),
            "last": convolution(second, third, 3),
            "features": nn.Sequential(nn.Flatten(), nn.Linear(third * left * left, FEATURES), nn.ReLU()),
        }
    return Trunk(f"small-{side}", stages, side, FEATURES, head_rate=RATE, feature_rate=RATE)


def create(resolution: int | None = None, taps: tuple[int, ...] | None = None) -> None:
    """Frozen at random it would be of no use."""
    raise BadSetting("The backbone small is there to be trained: take the classifier network, or lite0.")
