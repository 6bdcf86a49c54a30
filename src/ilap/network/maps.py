"""The activations inside a network, layer by layer, for detectors that look there.

A layer is a convolution, a rectifier, or a block (a module made of others that is no mere chain): of a ResNet
the outputs of its convolutions and of its blocks. A dense layer's activations are a map of one pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

BATCH = 128  # samples whose maps are in memory at a time

Reduce = Callable[[Tensor], Tensor]


def layers(network: nn.Module) -> list[nn.Module]:
    """The modules whose outputs are looked at, in the order in which they were made.

    >>> chain = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4, 2))
    >>> [type(layer).__name__ for layer in layers(chain)]
    ['Conv2d', 'ReLU']
    """
    return [
        part
        for part in network.modules()
        if isinstance(part, nn.Conv2d | nn.ReLU | nn.ReLU6)
        or (not isinstance(part, nn.Sequential | nn.ModuleList) and next(part.children(), None) is not None)
    ]


def reduced_maps(network: nn.Module, samples: Tensor, reduce: Reduce) -> list[NDArray[Any]]:
    """Of every layer what ``reduce`` makes of its maps (n, channels, places), one row a sample. Maps are
    reduced as they come, so that all of them are never in memory at once."""
    found: dict[int, list[NDArray[Any]]] = {}

    def look(place: int) -> Callable[[nn.Module, Any, Any], None]:
        def hook(_: nn.Module, __: Any, output: Any) -> None:
            if isinstance(output, Tensor) and output.ndim in (2, 4):
                maps = output.reshape(*output.shape[:2], -1)
                found.setdefault(place, []).append(reduce(maps).cpu().numpy())

        return hook

    hooks = [layer.register_forward_hook(look(place)) for place, layer in enumerate(layers(network))]
    try:
        with torch.no_grad():
            for part in torch.split(samples, BATCH):
                network(part)
    finally:
        for handle in hooks:
            handle.remove()
    return [np.concatenate(rows) for _, rows in sorted(found.items())]
