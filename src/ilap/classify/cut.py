"""Where a network is cut: below, frozen and computed once an exposure; above, trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ilap.backbones import pictures as pixels
from ilap.backbones import prior
from ilap.backbones.contract import HEAD_RATE, Backbone, Trunk
from ilap.backbones.load import load_backbone, module_of
from ilap.errors import BadSetting
from ilap.exposure import Picture
from ilap.settings import Settings

FROZEN_BATCH = 32


@dataclass(frozen=True)
class Cut:
    """``samples`` turns pictures into what is kept of them; ``trained`` turns that into features. ``below`` is
    the frozen part, from pictures of ``side`` pixels to samples; None where torch does not run it."""

    key: str
    samples: Callable[[Sequence[Picture]], NDArray[Any]]
    trained: nn.Module
    dim: int
    head_rate: float
    feature_rate: float
    below: nn.Module | None = None
    side: int = 0


def cut(settings: Settings, seed: int, backbone: Backbone | None, device: str) -> Cut:
    """Cut the backbone where the settings say: ``all``, a stage's name, or ``head``."""
    if settings.trainable == "head":
        return head_only(settings, backbone)
    if backbone is not None:
        raise BadSetting("A backbone given as an object is frozen: take trainable=head, or name a backbone.")
    trunk = trunk_of(settings, seed)
    names = list(trunk.stages)
    if settings.trainable not in ("all", *names):
        raise BadSetting(
            f"{trunk.key} has no stage {settings.trainable!r} to train from: "
            f"take all, head, or one of {', '.join(names)}."
        )
    first = 0 if settings.trainable == "all" else names.index(settings.trainable)
    below = nn.Sequential(*list(trunk.stages.values())[:first]).to(device).eval()
    above = nn.Sequential(*list(trunk.stages.values())[first:])
    take = partial(activations, below, trunk.side, device) if first else partial(pixels.square, side=trunk.side)
    return Cut(trunk.key, take, above, trunk.dim, trunk.head_rate, trunk.feature_rate, below, trunk.side)


def head_only(settings: Settings, backbone: Backbone | None) -> Cut:
    """All of a frozen backbone below, nothing but the head above. Features are in the prior's coordinates
    where there is one, so that the learning rate means the same in every direction."""
    frozen = backbone or load_backbone(settings.backbone, settings.resolution, settings.taps)
    known = prior.load(frozen.key, frozen.dim)

    def samples(pictures: Sequence[Picture]) -> NDArray[Any]:
        rows = known.project(frozen.features(pictures))
        return rows.astype(np.float16) if known.known else rows

    return Cut(frozen.key, samples, nn.Identity(), known.dim, HEAD_RATE, 0.0)


def trunk_of(settings: Settings, seed: int) -> Trunk:
    """The network that a backbone's file offers for training."""
    module, name = module_of(settings.backbone)
    if not hasattr(module, "trunk"):
        raise BadSetting(f"The backbone {settings.backbone} cannot be trained: take trainable=head.")
    given = (settings.resolution, settings.weights, seed)
    trunk: Trunk = module.trunk(*given, name=name) if name else module.trunk(*given)
    return trunk


def activations(below: nn.Module, side: int, device: str, pictures: Sequence[Picture]) -> NDArray[Any]:
    """What the frozen part makes of pictures, in half precision."""
    parts = []
    with torch.inference_mode():
        for start in range(0, len(pictures), FROZEN_BATCH):
            batch = torch.from_numpy(pixels.square(pictures[start : start + FROZEN_BATCH], side)).to(device)
            parts.append(below(batch).half().cpu().numpy())
    return np.concatenate(parts)
