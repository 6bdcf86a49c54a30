"""Pictures in files: which files are pictures, in which order people number them, and what is in them."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from ilap.core.exposure import Picture

ENDINGS = {".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".tif", ".tiff", ".webp"}
SIXTEEN_BITS = 0xFFFF
DAMAGE = (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a file that is cut, is no picture or is far too large."""


def shown(path: Path) -> bool:
    """Whether it is not hidden, as the ._ files of a Mac are."""
    return not path.name.startswith(".")


def natural(path: Path) -> list[tuple[int, str]]:
    """A key that sorts numbers by value.

    >>> [path.name for path in sorted(map(Path, ["b10", "b9", "a"]), key=natural)]
    ['a', 'b9', 'b10']
    """
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"([0-9]+)", str(path))]


def to_bytes(image: Image.Image) -> Picture:
    """A picture as Pillow has it, turned as its EXIF entry says; what is transparent lies on white."""
    image.load()
    image = ImageOps.exif_transpose(image)
    if image.mode == "F":
        raise ValueError("it holds floating-point numbers, whose black and white are not known")
    if image.mode.startswith("I"):
        return to_eight_bits(np.asarray(image))
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return np.array(image.convert("L" if image.mode in ("1", "L") else "RGB"))


def to_eight_bits(grey: np.ndarray[Any, Any]) -> Picture:
    """Greys of 16 bits as greys of 8: white stays white.

    >>> to_eight_bits(np.array([[0, 257, 65535]])).tolist()
    [[0, 1, 255]]
    """
    if grey.min() < 0 or grey.max() > SIXTEEN_BITS:
        raise ValueError("its greys have more than 16 bits")
    return np.round(grey / (SIXTEEN_BITS / 255)).astype(np.uint8)
