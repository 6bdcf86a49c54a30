"""Any vision model on the Hugging Face hub, through transformers: ``hf:facebook/dinov2-small``. Needs the extra
``hub``. The id may be a folder on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from ilap.backbones import hub
from ilap.backbones.contract import Trunk
from ilap.backbones.resnet18 import Normalised
from ilap.backbones.runtime import FrozenTrunk
from ilap.core.errors import MissingFile

RESOLUTION = 224


@dataclass(frozen=True)
class Parameters:
    """What it can be told; None is the model's own choice."""

    resolution: int | None = None  # side in pixels to which pictures are scaled


class Pooled(nn.Module):
    """A model's pooled output: its own pooler's, else its first token, else the mean of its map."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, pixels: Tensor) -> Tensor:
        """Features."""
        output: Any = self.model(pixel_values=pixels)
        pooled = getattr(output, "pooler_output", None)
        if pooled is None:
            last = output.last_hidden_state
            pooled = last[:, 0] if last.ndim == 3 else last.mean((2, 3))
        features: Tensor = pooled.flatten(1)
        return features


def load(name: str) -> nn.Module:
    """The model, from the hub, its cache, or a folder."""
    hub.needs_extra("transformers", name)
    from transformers import AutoModel

    try:
        model: nn.Module = AutoModel.from_pretrained(
            name, local_files_only=Path(name).is_dir() or hub.offline(), use_safetensors=True
        )
    except (OSError, ValueError):
        raise MissingFile(
            f"There is no model {name!r} with safe weights in a folder of that name or in the hub's cache, "
            f"{'and no network to get it' if hub.offline() else 'nor on the hub'}: name another id or a folder."
        ) from None
    return model


def trunk(parameters: Parameters, seed: int, *, name: str) -> Trunk:
    """The model to be trained, in one stage. It comes with its weights, whatever the seed."""
    model = load(name)
    config: Any = model.config
    side = parameters.resolution or int(getattr(config, "image_size", RESOLUTION) or RESOLUTION)
    stages: dict[str, nn.Module] = {"pixels": Normalised(), "model": Pooled(model)}
    sizes = getattr(config, "hidden_sizes", None)
    dim = int(sizes[-1]) if sizes else int(config.hidden_size)
    return Trunk(f"hf-{name.replace('/', '--')}-{side}", stages, side, dim)


def create(parameters: Parameters, *, name: str) -> FrozenTrunk:
    """Its pooled output as frozen features."""
    return FrozenTrunk(trunk(parameters, seed=0, name=name))
