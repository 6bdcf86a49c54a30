"""CIFAR-10: 60,000 photographs of 10 classes, 32 x 32 pixels (Krizhevsky, "Learning Multiple Layers of Features
from Tiny Images", 2009).

The binary format is that of CIFAR-100 too: records of label bytes and three planes of 32 x 32 bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ilap.core.errors import BadData, MissingFile
from ilap.data import files
from ilap.data.contract import Dataset, Labelled

SOURCE = files.Source(
    "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530"
)
NAMES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")

SIDE = 32
PIXELS = 3 * SIDE * SIDE


def create() -> Dataset:
    """Read the binary version; of the five batches those that are there."""
    folder = files.find_folder(["cifar-10-batches-bin", "cifar-10", "cifar10"], "test_batch.bin", SOURCE)
    batches = sorted(folder.glob("data_batch_[1-5].bin"))
    if not batches:
        raise MissingFile(f"There is no data_batch_1.bin in {folder}: put it there.")
    dataset = Dataset(
        "cifar10",
        read(batches, 1, len(NAMES)),
        read([folder / "test_batch.bin"], 1, len(NAMES)),
        names(folder / "batches.meta.txt", NAMES),
    )
    return files.check_counts(dataset, 50_000, 10_000)


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
        raise BadData(f"{path} holds {len(data)} bytes, which are not records of {size}: download it again.")
    records = data.reshape(-1, size)
    if (largest := int(records[:, label_bytes - 1].max())) >= classes:
        raise BadData(f"{path} has the label {largest} where there are {classes} classes: download it again.")
    return records


def names(path: Path, built_in: tuple[str, ...]) -> tuple[str, ...]:
    """The classes' names from the file that lists them, where it is there."""
    if not path.is_file():
        return built_in
    listed = tuple(path.read_text(encoding="utf-8", errors="replace").split())
    if len(listed) != len(built_in):
        raise BadData(
            f"{path} names {len(listed)} classes, not {len(built_in)}: download it again, or remove it."
        )
    return listed
