"""CRIB, the Toys-200 set: renderings of toys that turn, cropped to the toy (Stojanov and others, "Incremental
Object Learning from Contiguous Views", CVPR 2019).

In train_data/<toy>/<exposure>/ lie the frames of one clip, in test_data/<toy>/ single views; beside the frames,
bboxes.npy has a row x_min, x_max, y_min, y_max for each. In the experiments' own code train_data is
render_data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ilap.core.errors import BadData, MissingFile
from ilap.core.exposure import Picture
from ilap.core.pictures import DAMAGE, natural
from ilap.data import files
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy, decode

SOURCE = files.Source("https://iolfcv.github.io/")
LEARNING = ("train_data", "render_data")

Frame = tuple[Path, tuple[int, int, int, int]]


def create() -> Dataset:
    """Find the folder that holds train_data/ and test_data/; it is had by filling in a form."""
    root = files.find_folder(["crib", "CRIB", "toys-200"], "test_data/*/bboxes.npy", SOURCE)
    learning = next((root / name for name in LEARNING if (root / name).is_dir()), None)
    if learning is None:
        raise MissingFile(f"There is no train_data or render_data in {root}: put it there.")
    toys = inner_folders(learning)
    train = [(label, frames(clip)) for label, toy in enumerate(toys) for clip in inner_folders(toy)]
    test = [(label, frames(root / "test_data" / toy.name)) for label, toy in enumerate(toys)]
    names = tuple(toy.name for toy in toys)
    return Dataset("crib", labelled(train), replace(labelled(test), clips=None), names)


def labelled(clips: Sequence[tuple[int, Sequence[Frame]]]) -> Labelled:
    """Clips with their labels, one behind the other."""
    lengths = [len(own) for _, own in clips]
    labels = np.repeat(np.array([label for label, _ in clips], np.int64), lengths)
    numbers = np.repeat(np.arange(len(clips), dtype=np.int64), lengths)
    return Labelled(Lazy(cropped, [frame for _, own in clips for frame in own]), labels, numbers)


def inner_folders(folder: Path) -> list[Path]:
    """The folders in a folder, which are toys or clips."""
    found = sorted((inner for inner in folder.iterdir() if inner.is_dir()), key=natural)
    if not found:
        raise BadData(f"{folder} has no folder in it: download it again.")
    return found


def frames(folder: Path) -> list[Frame]:
    """The frames in order, each with its box."""
    paths = sorted(folder.glob("[0-9]*.png"), key=natural)
    if not paths:
        raise MissingFile(f"There is no picture like 0000.png in {folder}: download it again.")
    boxes = read_boxes(folder / "bboxes.npy", len(paths))
    try:
        with Image.open(paths[0]) as first:
            width, height = first.size
    except DAMAGE:
        raise BadData(f"{paths[0]} cannot be read as a picture: download it again.") from None
    if boxes.min() < 0 or boxes[:, :2].max() > width or boxes[:, 2:].max() > height:
        raise BadData(
            f"{folder / 'bboxes.npy'} has a box that leaves the {width} x {height} frame: download it again."
        )
    return [(path, (box[0], box[1], box[2], box[3])) for path, box in zip(paths, boxes.tolist(), strict=True)]


def read_boxes(path: Path, count: int) -> NDArray[np.int64]:
    """So many boxes, each of at least one pixel."""
    try:
        boxes = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise MissingFile(f"There is no {path.name} in {path.parent}: download it again.") from None
    except (OSError, ValueError, EOFError) as error:
        raise BadData(f"{path} cannot be read ({error}): download it again.") from None
    if not isinstance(boxes, np.ndarray) or boxes.shape != (count, 4) or boxes.dtype.kind not in "iuf":
        raise BadData(f"{path} does not hold 4 numbers for each of {count} frames: download it again.")
    if not np.isfinite(boxes).all() or (boxes[:, 0::2] >= boxes[:, 1::2]).any():
        raise BadData(f"{path} has a box without a pixel: download it again.")
    boxes = boxes.astype(np.float64)
    boxes[:, 0::2], boxes[:, 1::2] = np.floor(boxes[:, 0::2]), np.ceil(boxes[:, 1::2])
    return boxes.astype(np.int64)


def cropped(frame: Frame) -> Picture:
    """The part of a frame that shows the toy; x_max and y_max are the first column and row beyond it."""
    path, (left, right, top, bottom) = frame
    picture = decode(path)
    if bottom > picture.shape[0] or right > picture.shape[1]:
        raise BadData(f"{path} is smaller than its box in bboxes.npy: download both again.")
    return np.ascontiguousarray(picture[top:bottom, left:right])
