"""Layers that several backbones share."""

from __future__ import annotations

from torch import Tensor, nn


class Pixels(nn.Module):
    """uint8 pictures, channels last, as numbers around 0, channels first."""

    def forward(self, pictures: Tensor) -> Tensor:
        """Scale."""
        return (pictures.permute(0, 3, 1, 2).float() - 127.0) / 128.0
