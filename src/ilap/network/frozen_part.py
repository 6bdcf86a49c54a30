"""The frozen part of a network: what lies below the stage from which on it is trained, computed once an
exposure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ilap.backbones import prior
from ilap.backbones import runtime as pixels
from ilap.backbones.contract import HEAD_RATE
from ilap.backbones.load import Source
from ilap.core.errors import BadSetting
from ilap.core.exposure import Picture

FROZEN_BATCH = 32


@dataclass(frozen=True)
class Parts:
    """A network in two parts: ``samples`` turns pictures into what is kept of them, by the frozen part;
    ``trained`` turns that into features. ``below`` is the frozen part, from pictures of ``side`` pixels to
    samples; None where torch does not run it."""

    key: str
    samples: Callable[[Sequence[Picture]], NDArray[Any]]
    trained: nn.Module
    dim: int
    head_rate: float
    feature_rate: float
    below: nn.Module | None = None
    side: int = 0


def parts_of(source: Source, trainable: str, seed: int, device: str) -> Parts:
    """Part a backbone: train ``all`` of it, from a stage's name on, or the ``head`` alone."""
    if trainable == "head":
        return head_only(source)
    trunk = source.trunk(seed)
    names = list(trunk.stages)
    if trainable not in ("all", *names):
        raise BadSetting(
            f"{trunk.key} has no stage {trainable!r} to train from: "
            f"take all, head, or one of {', '.join(names)}."
        )
    first = 0 if trainable == "all" else names.index(trainable)
    below = nn.Sequential(*list(trunk.stages.values())[:first]).to(device).eval()
    above = nn.Sequential(*list(trunk.stages.values())[first:])
    take = partial(activations, below, trunk.side, device) if first else partial(pixels.square, side=trunk.side)
    return Parts(trunk.key, take, above, trunk.dim, trunk.head_rate, trunk.feature_rate, below, trunk.side)


def head_only(source: Source) -> Parts:
    """All of a frozen backbone below, nothing but the head above. Features are in the prior's coordinates
    where there is one, so that the learning rate means the same in every direction."""
    frozen = source.frozen()
    known = prior.load(frozen.key, frozen.dim)
    return Parts(frozen.key, partial(known.features, frozen), nn.Identity(), known.dim, HEAD_RATE, 0.0)


def activations(below: nn.Module, side: int, device: str, pictures: Sequence[Picture]) -> NDArray[Any]:
    """What the frozen part makes of pictures, in half precision."""
    found = []
    with torch.inference_mode():
        for start in range(0, len(pictures), FROZEN_BATCH):
            batch = torch.from_numpy(pixels.square(pictures[start : start + FROZEN_BATCH], side)).to(device)
            found.append(below(batch).half().cpu().numpy())
    return np.concatenate(found)
