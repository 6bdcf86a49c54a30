"""From the bytes of a file, or a frame of a video, to a picture that is small enough to keep many.

Memory is bounded whatever a file says: large pictures are decoded one at a time, and made small first.
"""

from __future__ import annotations

import io
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.ExifTags import Base

from ilap.core.crop import Box, cut
from ilap.core.exposure import Picture
from ilap.core.extras import needed_for
from ilap.core.pictures import RAW, open_picture, to_bytes
from ilap.sources.capture import taken

LARGEST = 512  # pixels along the longer side that are kept: four times what the backbone looks at
MOST_PIXELS = 178_000_000  # of a picture that is read at all
MANY_PIXELS = (
    24_000_000  # of a picture beside which others are decoded; JPEG is decoded small, and may have more
)
JPEG_MANY = 4 * MANY_PIXELS
SIDEWAYS = {5, 6, 7, 8}  # EXIF orientations that swap width and height
TURNED = {3: 3, 5: 8, 6: 6}  # how LibRaw says that a picture is turned, and how EXIF says it
SMOOTH = {"L", "LA", "RGB", "RGBA", "CMYK", "YCbCr"}  # modes whose pixels can be averaged

one_large = threading.Lock()


class TooLarge(ValueError):
    """A file that is whole, and larger than what is read."""


@dataclass(frozen=True)
class Decoded:
    """A picture, its own width and height, and when it was taken, as far as known."""

    picture: Picture
    width: int
    height: int
    taken: str | None


def decode(data: bytes, name: str, box: Box | None = None) -> Decoded:
    """The picture in a file of this name, or a part of it, which is cut out before anything is made small."""
    source = preview(data) if Path(name).suffix.lower() in RAW else open_picture(io.BytesIO(data))
    with source as image:
        width, height = image.size
        if width * height > MOST_PIXELS:
            raise TooLarge(f"{width} x {height} pixels")
        exif = image.getexif()
        if (turned := exif.get(Base.Orientation)) in SIDEWAYS:
            width, height = height, width
        time = taken(exif)
        if box is None:
            image.draft("RGB", (2 * LARGEST, 2 * LARGEST))
        large = width * height > (JPEG_MANY if image.format == "JPEG" else MANY_PIXELS)
        with one_large if large else nullcontext():
            small = made_small(image, turned) if large and box is None else image
            picture = shrink(cut(to_bytes(small), box))
    return Decoded(picture, width, height, time.isoformat() if time else None)


def preview(data: bytes) -> Image.Image:
    """The picture that a camera has put into a raw file for looking at, which is a JPEG or plain pixels."""
    with needed_for("A raw picture"):
        import rawpy
    with rawpy.imread(io.BytesIO(data)) as raw:
        found, turned = raw.extract_thumb(), TURNED.get(raw.sizes.flip)
    pixels = found.data
    image = open_picture(io.BytesIO(pixels)) if isinstance(pixels, bytes) else Image.fromarray(pixels)
    if turned and Base.Orientation not in image.getexif():
        image.getexif()[Base.Orientation] = turned
    return image


def made_small(image: Image.Image, turned: int | None) -> Image.Image:
    """A large picture at twice the size that is kept, in its own colours."""
    by = max(1, max(image.size) // (2 * LARGEST))
    columns, rows = min(by, image.width), min(by, image.height)
    if image.mode in SMOOTH:
        small = image.reduce((columns, rows))
    else:
        size = (image.width // columns, image.height // rows)
        small = image.resize(size, Image.Resampling.NEAREST)
    if turned:
        small.getexif()[Base.Orientation] = turned
    return small


def shrink(picture: Picture) -> Picture:
    """A large picture as one of LARGEST pixels; a small one as it is.

    >>> shrink(np.zeros((1024, 256), np.uint8)).shape
    (512, 128)
    """
    if max(picture.shape[:2]) <= LARGEST:
        return picture
    image = Image.fromarray(picture)
    image.thumbnail((LARGEST, LARGEST), Image.Resampling.BICUBIC)
    return np.asarray(image)
