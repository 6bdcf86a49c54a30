"""ResNet-18, the paper's backbone (He et al., "Deep Residual Learning for Image Recognition", CVPR 2016).

Weights: ``random``; a file (.safetensors or .pth) with torchvision's names; or ImageNet's, by their id on the
Hugging Face hub, which is the default and needs the extra ``hub``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from ilap.backbones import hub
from ilap.backbones.contract import RANDOM_RATE, Trunk
from ilap.backbones.runtime import FrozenTrunk
from ilap.core.errors import BadSetting

RESOLUTION = 224
FEATURES = 512
IMAGENET = "timm/resnet18.tv_in1k"
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet's pictures


@dataclass(frozen=True)
class Parameters:
    """What it can be told; None is its own choice."""

    resolution: int | None = None  # side in pixels to which pictures are scaled: 224
    weights: str | None = None  # random, a file, or an id on the hub: ImageNet's


DEFAULT = Parameters()


class Normalised(nn.Module):
    """uint8 pictures, channels last, centred and scaled; as torchvision's weights expect them by default."""

    mean: Tensor
    std: Tensor

    def __init__(self, mean: Sequence[float] = MEAN, std: Sequence[float] = STD) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean).view(3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(std).view(3, 1, 1), persistent=False)

    def forward(self, pictures: Tensor) -> Tensor:
        """Scale and centre."""
        scaled: Tensor = (pictures.permute(0, 3, 1, 2).float() / 255 - self.mean) / self.std
        return scaled


class Block(nn.Module):
    """Two convolutions and a short cut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample: nn.Module | None = None
        if stride != 1 or inputs != outputs:
            short = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.downsample = nn.Sequential(short, nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        """One block."""
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return torch.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    """The network without its classifier, its parts named as torchvision names them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.layer1 = nn.Sequential(Block(64, 64, 1), Block(64, 64, 1))
        self.layer2 = nn.Sequential(Block(64, 128, 2), Block(128, 128, 1))
        self.layer3 = nn.Sequential(Block(128, 256, 2), Block(256, 256, 1))
        self.layer4 = nn.Sequential(Block(256, 512, 2), Block(512, 512, 1))

    def stages(self) -> dict[str, nn.Module]:
        """In order, from pixels to pooled features."""
        pooled = nn.MaxPool2d(3, 2, 1)
        return {
            "stem": nn.Sequential(Normalised(), self.conv1, self.bn1, nn.ReLU(), pooled),
            "layer1": self.layer1,
            "layer2": self.layer2,
            "layer3": self.layer3,
            "layer4": nn.Sequential(self.layer4, nn.AdaptiveAvgPool2d(1), nn.Flatten()),
        }


def load(weights: str | None, seed: int) -> ResNet18:
    """The network, filled."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = ResNet18()
    if weights == "random":
        return network
    path = (
        Path(weights)
        if weights and Path(weights).is_file()
        else hub.file(weights or IMAGENET, "model.safetensors")
    )
    tensors = hub.read_tensors(path)
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith("fc.")}
    try:
        network.load_state_dict(kept)
    except RuntimeError:
        raise BadSetting(f"{path} does not hold the weights of a ResNet-18 by torchvision's names.") from None
    return network


def trunk(parameters: Parameters = DEFAULT, seed: int = 0) -> Trunk:
    """The network to be trained. Random weights have a learning rate of their own."""
    side = parameters.resolution or RESOLUTION
    stages = load(parameters.weights, seed).stages()
    if parameters.weights == "random":
        return Trunk(f"resnet18-{side}-random", stages, side, FEATURES, RANDOM_RATE, RANDOM_RATE)
    return Trunk(f"resnet18-{side}", stages, side, FEATURES)


def create(parameters: Parameters) -> FrozenTrunk:
    """Its pooled top as frozen features."""
    return FrozenTrunk(trunk(parameters, seed=0))
