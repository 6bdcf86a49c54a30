"""A part of a picture, as it is remembered with the picture's path: a W3C media fragment behind it.

    /cam 1/img 7.jpg#xywh=percent:10,20,30,40      left, top, width and height in percent of the upright picture

So whatever knows a picture by its path knows the part that was looked at, and ``sources/read.py``, which opens
all pictures, cuts it out. Contents are marked in the same way: two animals of one frame are two contents.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ilap.core.exposure import Picture

FRAGMENT = re.compile(r"#xywh=percent:([0-9.]+),([0-9.]+),([0-9.]+),([0-9.]+)\Z")


@dataclass(frozen=True)
class Box:
    """A part of a picture: shares of its width and height from 0 to 1."""

    x: float
    y: float
    width: float
    height: float

    @property
    def fragment(self) -> str:
        """As it stands behind a path.

        >>> Box(0.1, 0.25, 1 / 3, 0.5).fragment
        '#xywh=percent:10,25,33.3333,50'
        """
        shares = (self.x, self.y, self.width, self.height)
        return "#xywh=percent:" + ",".join(f"{100 * share:.4f}".rstrip("0").rstrip(".") for share in shares)

    def pixels(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in a picture of this size, of at least one pixel.

        >>> Box(0.5, 0, 0.25, 1).pixels(100, 10)
        (50, 0, 75, 10)
        """
        left, top = min(int(self.x * width), width - 1), min(int(self.y * height), height - 1)
        right = min(max(math.ceil(round((self.x + self.width) * width, 6)), left + 1), width)
        bottom = min(max(math.ceil(round((self.y + self.height) * height, 6)), top + 1), height)
        return left, top, right, bottom

    def overlap(self, other: Box) -> float:
        """Intersection over union.

        >>> Box(0, 0, 0.5, 1).overlap(Box(0.25, 0, 0.5, 1))
        0.3333333333333333
        """
        wide = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        high = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        both = max(wide, 0.0) * max(high, 0.0)
        return both / (self.width * self.height + other.width * other.height - both)


def parted(path: str) -> tuple[str, Box | None]:
    """A path without its fragment, and the part that this names.

    >>> parted("a.jpg#xywh=percent:10,20,30,40"), parted("a #1.jpg")
    (('a.jpg', Box(x=0.1, y=0.2, width=0.3, height=0.4)), ('a #1.jpg', None))
    """
    found = FRAGMENT.search(path)
    if not found:
        return path, None
    try:
        x, y, width, height = (float(share) / 100 for share in found.groups())
    except ValueError:
        return path, None
    return (path[: found.start()], Box(x, y, width, height)) if width > 0 and height > 0 else (path, None)


def cut(picture: Picture, box: Box | None) -> Picture:
    """The part of a picture; all of it where none is named."""
    if box is None:
        return picture
    left, top, right, bottom = box.pixels(picture.shape[1], picture.shape[0])
    return picture[top:bottom, left:right].copy()
