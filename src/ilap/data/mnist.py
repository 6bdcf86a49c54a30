"""MNIST: 70,000 handwritten digits of 28 x 28 pixels (LeCun, Cortes and Burges, 1998), and the
IDX format of it and its kin: a magic number, the sizes of all axes, and bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import BadData
from ilap.data import files
from ilap.data.contract import Dataset, Labelled

ADDRESS = "https://ossci-datasets.s3.amazonaws.com/mnist/"
MD5 = {
    "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
    "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
    "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
    "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
    "train-images-idx3-ubyte": "6bbc9ace898e44ae57da46a324031adb",
    "train-labels-idx1-ubyte": "a25bea736e30d166cdddb491f175f624",
    "t10k-images-idx3-ubyte": "2646ac647ad5339dbf082846283269ea",
    "t10k-labels-idx1-ubyte": "27ae3e4e09519cfbb04c329615203637",
}

UNSIGNED_BYTES = 0x08
PARTS = {"train": 60_000, "t10k": 10_000}


def create() -> Dataset:
    """Read the four files."""
    return load("mnist", "mnist", tuple("0123456789"), ADDRESS, MD5)


def read(path: Path, axes: int) -> NDArray[np.uint8]:
    """An array of unsigned bytes with so many axes."""
    data = files.read(path)
    header = 4 + 4 * axes
    if len(data) < header or data[:4] != bytes([0, 0, UNSIGNED_BYTES, axes]):
        raise BadData(f"{path} is not an IDX file of {axes} axes: download it again.")
    shape = struct.unpack(f">{axes}I", data[4:header])
    wanted = int(np.prod(shape, dtype=np.int64))
    if len(data) - header != wanted:
        raise BadData(f"{path} has {len(data) - header} bytes, its header says {wanted}: download it again.")
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
            raise BadData(f"{found[0]} and {found[1]} do not belong together: download them again.")
        parts.append(Labelled(list(pictures), labels.astype(np.int64)))
    return files.check_counts(Dataset(name, parts[0], parts[1], classes), PARTS["train"], PARTS["t10k"])
