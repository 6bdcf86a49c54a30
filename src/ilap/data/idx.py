"""The IDX format of MNIST and its kin: a magic number, the sizes of all axes, and bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import BadData
from ilap.data import files
from ilap.data.contract import Dataset, Labelled

UNSIGNED_BYTES = 0x08
PARTS = {"train": 60_000, "t10k": 10_000}


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


def load(
    name: str,
    folder: str,
    classes: tuple[str, ...],
    address: str,
    md5: Mapping[str, str],
    system: Path | None = None,
) -> Dataset:
    """A data set of the four files that all of them have, published at the address; ``md5`` has those of the
    files both as they are published and unpacked."""
    parts = []
    for prefix in PARTS:
        found = []
        for what, axes in (("images", 3), ("labels", 1)):
            plain = f"{prefix}-{what}-idx{axes}-ubyte"
            names = {name: md5[name] for name in (plain, f"{plain}.gz")}
            names |= {name.replace("-idx", ".idx"): known for name, known in names.items()}
            source = files.Source(f"{address}{plain}.gz", md5[f"{plain}.gz"])
            found.append(files.find(folder, names, source, system))
        pictures, labels = read(found[0], 3), read(found[1], 1)
        if len(pictures) != len(labels) or labels.max(initial=0) >= len(classes):
            raise BadData(f"{found[0]} and {found[1]} do not belong together: get them again.")
        parts.append(Labelled(list(pictures), labels.astype(np.int64)))
    return files.check_counts(Dataset(name, parts[0], parts[1], classes), PARTS["train"], PARTS["t10k"])
