"""The binary format of CIFAR-10 and CIFAR-100: records of label bytes and three planes of 32 x 32 bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ilap.core.errors import BadData, MissingFile
from ilap.data.contract import Labelled

SIDE = 32
PIXELS = 3 * SIDE * SIDE


def read(paths: Sequence[Path], label_bytes: int, classes: int) -> Labelled:
    """The pictures of these files in order. The label is the last of a record's label bytes."""
    records = np.concatenate([rows(path, label_bytes, classes) for path in paths])
    planes = records[:, label_bytes:].reshape(-1, 3, SIDE, SIDE)
    pictures = np.ascontiguousarray(planes.transpose(0, 2, 3, 1))
    return Labelled(list(pictures), records[:, label_bytes - 1].astype(np.int64))


def rows(path: Path, label_bytes: int, classes: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The records of one file."""
    if not path.is_file():
        raise MissingFile(f"There is no {path.name} in {path.parent}: put it there.")
    data = np.fromfile(path, np.uint8)
    size = label_bytes + PIXELS
    if len(data) == 0 or len(data) % size:
        raise BadData(f"{path} holds {len(data)} bytes, which are not records of {size}: get it again.")
    records = data.reshape(-1, size)
    if (largest := int(records[:, label_bytes - 1].max())) >= classes:
        raise BadData(f"{path} has the label {largest} where there are {classes} classes: get it again.")
    return records


def names(path: Path, built_in: tuple[str, ...]) -> tuple[str, ...]:
    """The classes' names from the file that lists them, where it is there."""
    if not path.is_file():
        return built_in
    listed = tuple(path.read_text(encoding="utf-8", errors="replace").split())
    if len(listed) != len(built_in):
        raise BadData(
            f"{path} names {len(listed)} classes, not {len(built_in)}: get it again, or take it away."
        )
    return listed
