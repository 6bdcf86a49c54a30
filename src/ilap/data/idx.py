"""The IDX format of MNIST and its kin: a magic number, the sizes of all axes, and bytes."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilap.data import files
from ilap.data.contract import Dataset, Labelled
from ilap.errors import BadData

UNSIGNED_BYTES = 0x08


def read(path: Path, axes: int) -> NDArray[np.uint8]:
    """An array of unsigned bytes with so many axes."""
    data = files.read(path)
    header = 4 + 4 * axes
    if len(data) < header or data[:4] != bytes([0, 0, UNSIGNED_BYTES, axes]):
        raise BadData(f"{path} is not an IDX file of {axes} axes: get it again.")
    shape = struct.unpack(f">{axes}I", data[4:header])
    wanted = int(np.prod(shape, dtype=np.int64))
    if len(data) - header != wanted:
        raise BadData(f"{path} holds {len(data) - header} bytes where its header says {wanted}: get it again.")
    return np.frombuffer(data, np.uint8, offset=header).reshape(shape)


def load(name: str, folder: str, classes: tuple[str, ...]) -> Dataset:
    """A data set of the four files that all of them have."""
    parts = []
    for prefix in ("train", "t10k"):
        found = [
            files.find(
                folder, [f"{prefix}-{what}{dot}idx{axes}-ubyte{end}" for dot in "-." for end in ("", ".gz")]
            )
            for what, axes in (("images", 3), ("labels", 1))
        ]
        pictures, labels = read(found[0], 3), read(found[1], 1)
        if len(pictures) != len(labels) or labels.max(initial=0) >= len(classes):
            raise BadData(f"{found[0]} and {found[1]} do not belong together: get them again.")
        parts.append(Labelled(list(pictures), labels.astype(np.int64)))
    return Dataset(name, parts[0], parts[1], classes)
