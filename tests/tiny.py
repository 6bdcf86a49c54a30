"""A network of two layers and three pictures, small enough to work every score out by hand.

A picture is two pixels, each with a red and a green part (blue counts for nothing). The first layer passes red
and green on, each through a rectifier; the features are their means over the two pixels; the head doubles them.

            red         green       features    logits      probability of the likelier class
    A    1    .6     0    .2     .8   .1     1.6   .2    1 / (1 + exp(-1.4)) = .8022   (class 0)
    B   .2     0    .8    .4     .1   .6      .2  1.2    1 / (1 + exp(-1.0)) = .7311   (class 1)
    C   .4    .4    .4    .4     .4   .4      .8   .8    .5                            (class 0, by a hair)
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from ilap.core.exemplars import Exemplars, Memory
from ilap.core.exposure import Samples
from ilap.network.confident import Branched, Confident
from ilap.network.frozen_part import Parts
from ilap.network.network import Network
from ilap.network.parameters import Parameters
from ilap.network.training import Classified, Schedule

FIFTHS = [
    [[5, 0, 3], [3, 1, 3]],
    [[1, 4, 3], [0, 2, 3]],
    [[2, 2, 3], [2, 2, 3]],
]
A, B, C = (np.array(FIFTHS, np.uint8) * 51)[:, None]


class Unit(nn.Module):
    """Pixels from 0 to 255 as numbers from 0 to 1, channels first."""

    def forward(self, pictures: Tensor) -> Tensor:
        return pictures.permute(0, 3, 1, 2).float() / 255


def parts() -> tuple[nn.Module, nn.Linear]:
    first, head = nn.Conv2d(3, 2, 1, bias=False), nn.Linear(2, 2, bias=False)
    first.weight = nn.Parameter(torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).view(2, 3, 1, 1))
    head.weight = nn.Parameter(2 * torch.eye(2))
    return nn.Sequential(Unit(), first, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()), head


def network(kind: type[Network] = Network) -> Network:
    """The network, or one with a confidence unit c = 1 / (1 + exp(.5 - f0 - f1))."""
    features, head = parts()
    whole = Parts("tiny", lambda pictures: np.stack(list(pictures)), features, 2, 0.0, 0.0, nn.Sequential(), 1)
    model = Classified(features, head)
    if kind is Confident:
        unit = nn.Linear(2, 1)
        unit.weight, unit.bias = nn.Parameter(torch.ones(1, 2)), nn.Parameter(torch.tensor([-0.5]))
        model = Branched(features, head, unit)
    return kind(whole, model.eval(), Parameters(), Schedule(), "cpu", (0, 1))


def exposure(*pictures: np.ndarray) -> Samples:
    rows = np.stack(pictures or (A, B, C))
    return Samples(2, rows, np.zeros(len(rows), bool))


def pool(*pictures: np.ndarray) -> Exemplars:
    return Exemplars(np.stack(pictures), np.zeros((len(pictures), 2), np.int64))


def memory(train: tuple[Exemplars, Exemplars], val: tuple[Exemplars, Exemplars]) -> Memory:
    return Memory(10, 10, dict(enumerate(train)), dict(enumerate(val)))
