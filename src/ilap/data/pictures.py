"""Pictures in files: decoded when they are asked for, upright, as grey or RGB bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from PIL import Image, ImageOps

from ilap.core.errors import BadData
from ilap.core.exposure import Picture

SIXTEEN_BITS = 0xFFFF
DAMAGE = (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a file that is cut, is no picture or is far too large."""


class Lazy(Sequence[Picture]):
    """Pictures that are made of their items, such as paths, each time they are asked for.

    >>> grey = Lazy(lambda level: np.full((2, 2), level, np.uint8), [0, 128, 255])
    >>> len(grey), int(grey[-1].max()), len(grey[1:])
    (3, 255, 2)
    """

    def __init__(self, make: Callable[[Any], Picture], items: Sequence[Any]) -> None:
        self.make = make
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Picture: ...

    @overload
    def __getitem__(self, index: slice) -> Lazy: ...

    def __getitem__(self, index: int | slice) -> Picture | Lazy:
        if isinstance(index, slice):
            return Lazy(self.make, self.items[index])
        return self.make(self.items[index])


def decode(path: Path) -> Picture:
    """The picture in a file."""
    try:
        with Image.open(path) as image:
            return to_bytes(image)
    except DAMAGE as error:
        raise BadData(f"{path} cannot be read as a picture ({error}): get it again, or take it away.") from None


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
