"""Pictures in files: which files are pictures, in which order people number them, and what is in them."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from ilap.core.exposure import Picture
from ilap.core.extras import installed

JPEG = {".jfif", ".jpe", ".jpeg", ".jpg"}
ENDINGS = JPEG | {".avif", ".bmp", ".gif", ".j2k", ".jp2", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"}
"""What Pillow reads, of a GIF the first frame."""
HEIC = {".heic", ".heif", ".hif"}
"""What pillow-heif reads (extra ``heic``)."""
OTHERS = {
    "HEIC pictures": (HEIC, "pip install 'ilap[heic]' to read them"),
    "raw pictures": (
        {".arw", ".cr2", ".cr3", ".dng", ".nef", ".orf", ".raf", ".rw2"},
        "they are not read: convert them to JPEG or PNG",
    ),
    "videos": (
        {".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".webm", ".wmv"},
        "they are not read: cut each into a folder of frames",
    ),
}
"""Endings of pictures and videos that are passed over, by kind, and what to do about it."""
SIXTEEN_BITS = 0xFFFF
DAMAGE = (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a file that is cut, is no picture or is far too large."""


def shown(path: Path) -> bool:
    """Whether it is not hidden, as the ._ files of a Mac are."""
    return not path.name.startswith(".")


def readable() -> set[str]:
    """The endings of files that are read here. HEIC is taken up where its package is installed."""
    if not installed("pillow_heif"):
        return ENDINGS
    from pillow_heif import register_heif_opener

    register_heif_opener()
    return ENDINGS | HEIC


def passed_over(path: Path) -> str | None:
    """The kind of a picture or video that is not read here; None of any other file.

    >>> passed_over(Path("IMG_1.NEF")), passed_over(Path("notes.txt"))
    ('raw pictures', None)
    """
    ending = path.suffix.lower()
    return next((kind for kind, (endings, _) in OTHERS.items() if ending in endings), None)


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
