"""Pictures in files: which files are pictures, in which order people number them, and what is in them."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from ilap.core.exposure import Picture
from ilap.core.extras import installed
from ilap.core.frames import VIDEO

JPEG = {".jfif", ".jpe", ".jpeg", ".jpg"}
ENDINGS = JPEG | {".avif", ".bmp", ".gif", ".j2k", ".jp2", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"}
"""What Pillow reads, of a GIF the first frame."""
HEIC = {".heic", ".heif", ".hif"}
RAW = {
    *(".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".iiq", ".kdc", ".mrw", ".nef", ".nrw", ".orf"),
    *(".pef", ".raf", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f"),
}
FORMATS = ("AVIF", "BMP", "DIB", "GIF", "JPEG", "JPEG2000", "PNG", "PPM", "TIFF", "WEBP")
"""The formats, as Pillow calls them. It knows many more, some of which run other programs."""
SIXTEEN_BITS = 0xFFFF
DAMAGE = (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a file that is cut, is no picture or is far too large."""


def shown(path: Path) -> bool:
    """Whether it is not hidden, as the ._ files of a Mac are."""
    return not path.name.startswith(".")


@dataclass(frozen=True)
class Kind:
    """A kind of files that are read, and the package that does; it may be an extra."""

    name: str
    endings: Collection[str]
    package: str

    @property
    def is_read(self) -> bool:
        """Whether the package is installed."""
        return installed(self.package)


KINDS = (
    Kind("picture", ENDINGS, "PIL"),
    Kind("HEIC picture", HEIC, "pillow_heif"),
    Kind("raw picture", RAW, "rawpy"),
    Kind("video", VIDEO, "av"),
)
"""All that is read, by every command."""


def kind_of(path: Path) -> Kind | None:
    """What a file is by its name; None where it is nothing that is read.

    >>> getattr(kind_of(Path("IMG_1.NEF")), "name", None), kind_of(Path("notes.txt"))
    ('raw picture', None)
    """
    ending = path.suffix.lower()
    return next((kind for kind in KINDS if ending in kind.endings), None)


def readable() -> set[str]:
    """The endings of files that Pillow opens here. HEIC is among them where its package is installed."""
    return ENDINGS | HEIC if heic() else ENDINGS


def heic() -> bool:
    """Whether HEIC is read; Pillow is told so."""
    if not installed("pillow_heif"):
        return False
    from pillow_heif import register_heif_opener

    register_heif_opener()
    return True


def open_picture(source: Path | io.BytesIO) -> Image.Image:
    """A file as Pillow opens it, if it is of a format that is read here, whatever it is called."""
    return Image.open(source, formats=(*FORMATS, "HEIF") if heic() else FORMATS)


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
