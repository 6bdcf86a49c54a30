"""What arrives: a batch of pictures that all show one thing, and nobody says which (paper 3.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import BadExposure

Picture = NDArray[np.uint8]
"""Rows x columns (grey), or rows x columns x 1, 3 or 4 (grey, RGB, RGBA)."""

VALIDATION_SHARE = 0.2
"""The paper splits an exposure 80 / 20 (section 4.1)."""


@dataclass(frozen=True)
class Origin:
    """The file that a picture came from: its content's sha256, size in bytes, time of change in nanoseconds,
    and when the picture was taken, as far as known; the picture's own width and height."""

    path: str
    sha256: str
    bytes: int
    modified: int
    taken: str | None
    width: int
    height: int


@dataclass(frozen=True)
class Exposure:
    """A batch of pictures of one hidden class.

    ``ordered`` says that the pictures are in the order in which they were taken, which lets the learner see
    whether neighbours resemble each other. Without it their order means nothing: they are put in order of
    content, so that the same pictures always give the same decision; ``order`` are their places as given.

    >>> white, black = np.full((2, 2), 255, np.uint8), np.zeros((2, 2), np.uint8)
    >>> a, b = Exposure([white, black]), Exposure([black, white])
    >>> all((p == q).all() for p, q in zip(a.pictures, b.pictures))
    True
    """

    pictures: Sequence[Picture]
    ordered: bool = False
    name: str = ""
    files: Sequence[Origin] = ()  # where the pictures came from, in their order
    folder: str | None = None
    digests: tuple[str, ...] = field(init=False, repr=False, compare=False)
    order: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pictures = check(self.pictures)
        digests = [digest(picture) for picture in pictures]
        order = list(range(len(pictures)))
        if not self.ordered:
            order.sort(key=digests.__getitem__)
        object.__setattr__(self, "pictures", [pictures[i] for i in order])
        object.__setattr__(self, "digests", tuple(digests[i] for i in order))
        object.__setattr__(self, "order", tuple(order))
        object.__setattr__(self, "files", tuple(self.files[i] for i in order) if self.files else ())

    def __len__(self) -> int:
        return len(self.pictures)


def as_exposure(pictures: Exposure | Sequence[Picture]) -> Exposure:
    """An exposure as it is; pictures as an exposure without an order."""
    return pictures if isinstance(pictures, Exposure) else Exposure(pictures)


def check(pictures: Iterable[Any]) -> list[Picture]:
    """The pictures as a list of arrays, or an error that says which one is wrong and why."""
    if isinstance(pictures, np.ndarray) and pictures.ndim < 3:
        raise BadExposure(
            f"An exposure is a list of pictures or an array of n x rows x columns (x channels), but this array "
            f"has the shape {pictures.shape}: put a single picture in a list."
        )
    if not isinstance(pictures, Iterable):
        raise BadExposure(f"An exposure is a list of pictures, not a {type(pictures).__name__}.")
    checked = list(pictures)
    if not checked:
        raise BadExposure("The exposure holds no picture: give it at least one.")
    for number, picture in enumerate(checked):
        if not isinstance(picture, np.ndarray):
            raise BadExposure(
                f"Picture {number} is a {type(picture).__name__}, not an array: convert it by numpy.asarray."
            )
        if picture.dtype != np.uint8:
            raise BadExposure(
                f"Picture {number} holds {picture.dtype} numbers: scale it to 0..255 and convert it to uint8."
            )
        if picture.ndim not in (2, 3) or (picture.ndim == 3 and picture.shape[2] not in (1, 3, 4)):
            raise BadExposure(
                f"Picture {number} has the shape {picture.shape}: a picture is rows x columns, "
                f"or rows x columns x 1, 3 or 4 channels."
            )
        if 0 in picture.shape:
            raise BadExposure(f"Picture {number} has the shape {picture.shape} and so no pixel: leave it out.")
    return checked


def digest(picture: Picture) -> str:
    """A name for the picture's content: equal pixels in an equal shape, equal digest."""
    pixels = np.ascontiguousarray(picture)
    return hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).hexdigest()


def validation_mask(count: int, share: float = VALIDATION_SHARE) -> NDArray[np.bool_]:
    """Which of ``count`` pictures are E_val; the others are E_train.

    They are spread evenly: over content, which is as good as at random, or over capture time. A single
    picture is for training.

    >>> validation_mask(10).nonzero()[0].tolist()
    [2, 7]
    >>> [int(validation_mask(n).sum()) for n in (1, 2, 5, 20, 200)]
    [0, 1, 1, 4, 40]
    """
    mask = np.zeros(count, bool)
    held_out = 0 if count < 2 else max(1, round(count * share))
    mask[((np.arange(held_out) + 0.5) * count / max(held_out, 1)).astype(int)] = True
    return mask


@dataclass(frozen=True)
class Samples:
    """An exposure as a classifier sees it: features where the backbone is frozen, else pictures.

    ``number`` says which exposure it is; together with a row it names a picture for good. ``pictures`` are the
    pictures themselves, in the order of the rows, for detectors that go back to the pixels; they may be left
    out. ``ordered`` says that rows are in the order in which the pictures were taken; ``places`` are the rows'
    places in the exposure, where some were left out.
    """

    number: int
    rows: NDArray[Any]
    held_out: NDArray[np.bool_]
    pictures: Sequence[Picture] = ()
    ordered: bool = False
    places: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def origins(self) -> NDArray[np.int64]:
        """Of every row the exposure's number and its place there."""
        places = np.arange(len(self.rows)) if self.places is None else self.places
        return np.stack([np.full(len(self.rows), self.number), places], 1)

    def without(self, rows: NDArray[np.intp]) -> Samples:
        """The exposure without some of its rows; the others keep their places."""
        kept = np.setdiff1d(np.arange(len(self.rows)), rows)
        pictures = [self.pictures[i] for i in kept] if len(self.pictures) else ()
        places = self.origins()[kept, 1]
        return Samples(self.number, self.rows[kept], self.held_out[kept], pictures, self.ordered, places)
