"""Pictures in files: decoded when they are asked for, upright, as grey or RGB bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, overload

from PIL import Image

from ilap.core.errors import BadData
from ilap.core.exposure import Picture
from ilap.core.pictures import DAMAGE, to_bytes


class Lazy(Sequence[Picture]):
    """Pictures that are made of their items, such as paths, each time they are asked for.

    >>> import numpy as np
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
        raise BadData(f"{path} cannot be read as a picture ({error}): replace or remove it.") from None
