"""A head on frozen features with its backbone opened, for detectors that look inside the network.

A frozen backbone runs outside torch and once a picture, so a head on its features has neither gradients at the
pixels nor maps. Here the same network runs in torch, from the pixels to the features that the head takes:
ODIN's gradient goes through all of it, and maps are the outputs of its blocks. Nothing below the head is ever
trained, so what is made of a picture's maps is made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ilap.backbones import lite0, prior
from ilap.backbones import runtime as pixels
from ilap.backbones.efficientnet import Network as Backbone
from ilap.backbones.load import Named
from ilap.core.classifier import Array, Classifier
from ilap.core.errors import BadSetting
from ilap.core.exposure import Picture, Samples
from ilap.core.settings import Settings
from ilap.network.maps import Reduce
from ilap.network.network import Network

INSIDE = frozenset({"gradients", "maps"})
BATCH = 32


@dataclass(frozen=True)
class Inside:
    """The backbone in torch, the prior's coordinates, the picture of every sample that was seen, and by sample
    and reduction what became of its maps."""

    backbone: Backbone
    known: prior.Prior
    side: int
    pictures: dict[bytes, Picture] = field(default_factory=dict)
    reduced: dict[tuple[bytes, str], list[NDArray[Any]]] = field(default_factory=dict)

    def see(self, samples: NDArray[Any], pictures: Sequence[Picture]) -> None:
        """Note which picture every sample was made of."""
        self.pictures.update({row.tobytes(): one for row, one in zip(samples, pictures, strict=True)})

    def squares(self, pictures: Sequence[Picture]) -> Tensor:
        """Pictures as the backbone takes them."""
        return torch.from_numpy(pixels.square(pictures, self.side))

    def features(self, pictures: Tensor) -> Tensor:
        """Features in the prior's coordinates, with gradients."""
        mean, projection = torch.from_numpy(self.known.mean), torch.from_numpy(self.known.projection)
        coordinates: Tensor = (self.backbone(pictures) - mean) @ projection
        return coordinates

    def maps(self, samples: NDArray[Any], reduce: Reduce) -> list[NDArray[Any]]:
        """Of every block what ``reduce`` makes of its output, one row a sample."""
        keys = [(row.tobytes(), repr(reduce)) for row in samples]
        left = list(dict.fromkeys(key for key in keys if key not in self.reduced))
        for start in range(0, len(left), BATCH):
            own = left[start : start + BATCH]
            blocks = self._blocks([self.pictures[row] for row, _ in own], reduce)
            for place, key in enumerate(own):
                self.reduced[key] = [rows[place] for rows in blocks]
        return [np.stack(rows) for rows in zip(*(self.reduced[key] for key in keys), strict=True)]

    def _blocks(self, pictures: Sequence[Picture], reduce: Reduce) -> list[NDArray[Any]]:
        found = []
        with torch.inference_mode():
            maps = self.backbone.stem(self.backbone.pixels(self.squares(pictures)))
            for block in self.backbone.blocks:
                maps = block(maps)
                found.append(reduce(maps.flatten(2)).float().numpy())
        return found


@dataclass(frozen=True)
class Opened:
    """A network as it is now, and what lies below its head."""

    network: Network
    inside: Inside

    @property
    def classes(self) -> tuple[int, ...]:
        """Those of the network."""
        return self.network.classes

    @property
    def capabilities(self) -> frozenset[str]:
        """Gradients and maps too."""
        return self.network.capabilities | INSIDE

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """Those of the network."""
        return self.network.probabilities(samples)

    def pixels(self, exposure: Samples) -> Tensor:
        """The exposure's pictures as the whole network takes them, in numbers from 0 to 255."""
        return self.inside.squares(exposure.pictures).float()

    def from_pixels(self, pictures: Tensor) -> Tensor:
        """Logits of pictures by backbone and head, with gradients."""
        logits: Tensor = self.network.model.eval()(self.inside.features(pictures))
        return self.network.bias(logits) if self.network.bias else logits

    def maps(self, samples: NDArray[Any], reduce: Reduce) -> list[NDArray[Any]]:
        """What ``reduce`` makes of the outputs of the backbone's blocks."""
        return self.inside.maps(samples, reduce)


def inside_of(settings: Settings) -> Inside:
    """The backbone that settings name, in torch."""
    chosen = settings.backbone
    if not isinstance(chosen.parameters, lite0.Parameters):
        raise BadSetting(
            f"The frozen backbone {chosen.name} cannot be looked into: take backbone=lite0, or trainable=all."
        )
    frozen, taps = Named(chosen).frozen(), chosen.parameters.taps
    side = chosen.parameters.resolution or lite0.RESOLUTION
    backbone = lite0.load(lite0.TAPS if taps is None else taps).requires_grad_(False)
    return Inside(backbone, prior.load(frozen.key, frozen.dim), side)


def opened(classifier: Classifier, inside: Inside) -> Any:
    """The classifier with its backbone opened, for a detector that asks for gradients or maps."""
    assert isinstance(classifier, Network)
    return Opened(classifier, inside)
