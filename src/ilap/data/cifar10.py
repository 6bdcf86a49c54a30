"""CIFAR-10: 60,000 photographs of 10 classes, 32 x 32 pixels (Krizhevsky, "Learning Multiple Layers of Features
from Tiny Images", 2009)."""

from __future__ import annotations

from ilap.core.errors import MissingFile
from ilap.data import cifar, files
from ilap.data.contract import Dataset

SOURCE = files.Source(
    "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530"
)
NAMES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")


def create() -> Dataset:
    """Read the binary version; of the five batches those that are there."""
    folder = files.find_folder(["cifar-10-batches-bin", "cifar-10", "cifar10"], "test_batch.bin", SOURCE)
    batches = sorted(folder.glob("data_batch_[1-5].bin"))
    if not batches:
        raise MissingFile(f"There is no data_batch_1.bin in {folder}: put it there.")
    dataset = Dataset(
        "cifar10",
        cifar.read(batches, 1, len(NAMES)),
        cifar.read([folder / "test_batch.bin"], 1, len(NAMES)),
        cifar.names(folder / "batches.meta.txt", NAMES),
    )
    return files.check_counts(dataset, 50_000, 10_000)
