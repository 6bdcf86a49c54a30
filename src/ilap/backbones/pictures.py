"""Pictures of any size and kind as one array that a network takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ilap.core.exposure import Picture


def square(pictures: Sequence[Picture], side: int) -> NDArray[np.uint8]:
    """Every picture whole, as RGB, scaled to ``side`` x ``side``; transparent parts become white.

    >>> square([np.zeros((8, 8), np.uint8), np.zeros((20, 30, 4), np.uint8)], 4)[:, 0, 0].tolist()
    [[0, 0, 0], [255, 255, 255]]
    """
    out = np.empty((len(pictures), side, side, 3), np.uint8)
    for row, picture in zip(out, pictures, strict=True):
        grey = picture.ndim == 3 and picture.shape[2] == 1
        image = Image.fromarray(picture[..., 0] if grey else picture)
        if image.mode == "RGBA":
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
        row[:] = np.asarray(image.resize((side, side), Image.Resampling.BICUBIC).convert("RGB"))
    return out
