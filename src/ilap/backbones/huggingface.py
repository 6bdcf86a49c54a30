"""Any vision model on the Hugging Face hub by its id: ``hf:facebook/dinov2-small`` through transformers, and
those that timm made, such as ``hf:BVRA/MegaDescriptor-T-224`` for animals, through timm. Needs the extra
``hub``. The id may be a folder on this machine. Code that lies on the hub beside a model is not run, so a model
that needs its own, such as MiewID, cannot be loaded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from torch import Tensor, nn

from ilap.backbones import hub
from ilap.backbones.contract import Trunk
from ilap.backbones.resnet18 import MEAN, STD, Normalised
from ilap.backbones.runtime import FrozenTrunk
from ilap.core.errors import BadSetting, MissingFile

RESOLUTION = 224
WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # of a model of timm's


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


def described(name: str) -> dict[str, Any]:
    """What the model's config.json says; nothing where there is none."""
    try:
        file = Path(name) / "config.json" if Path(name).is_dir() else hub.file(name, "config.json")
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError, MissingFile):
        return {}


def of_timm(parameters: Parameters, name: str, config: dict[str, Any]) -> Trunk:
    """A model that timm made: its architecture by name, and its weights, of which the head is left out."""
    hub.needs_extra("timm", name)
    import timm

    own = {**config, **config.get("pretrained_cfg", {})}
    model: nn.Module = timm.create_model(config["architecture"], pretrained=False, num_classes=0)
    tensors = weights_of(name)
    wanted = model.state_dict()
    if lost := [key for key in wanted if key not in tensors or tensors[key].shape != wanted[key].shape]:
        raise BadSetting(
            f"The weights of {name} do not fit {config['architecture']}: {lost[0]} is not among them."
        )
    model.load_state_dict({key: tensors[key] for key in wanted})
    side = parameters.resolution or int(own.get("input_size", (3, RESOLUTION, RESOLUTION))[-1])
    pixels = Normalised(own.get("mean", MEAN), own.get("std", STD))
    features = int(cast(Any, model).num_features)
    return Trunk(key_of(name, side), {"pixels": pixels, "model": model}, side, features)


def weights_of(name: str) -> dict[str, Tensor]:
    """The tensors of a model, from a folder or the hub."""
    for file in WEIGHTS:
        try:
            path = Path(name) / file if Path(name).is_dir() else hub.file(name, file)
        except MissingFile:
            continue
        if path.is_file():
            return hub.read_tensors(path)
    raise MissingFile(
        f"There are no weights of {name!r} ({' or '.join(WEIGHTS)}): name another id or a folder."
    )


def key_of(name: str, side: int) -> str:
    """What its features are kept under."""
    return f"hf-{name.replace('/', '--')}-{side}"


def trunk(parameters: Parameters, seed: int, *, name: str) -> Trunk:
    """The model to be trained, in one stage. It comes with its weights, whatever the seed."""
    said = described(name)
    if "architecture" in said:
        return of_timm(parameters, name, said)
    model = load(name)
    config: Any = model.config
    side = parameters.resolution or int(getattr(config, "image_size", RESOLUTION) or RESOLUTION)
    stages: dict[str, nn.Module] = {"pixels": Normalised(), "model": Pooled(model)}
    sizes = getattr(config, "hidden_sizes", None)
    dim = int(sizes[-1]) if sizes else int(config.hidden_size)
    return Trunk(key_of(name, side), stages, side, dim)


def create(parameters: Parameters, *, name: str) -> FrozenTrunk:
    """Its pooled output as frozen features."""
    return FrozenTrunk(trunk(parameters, seed=0, name=name))
