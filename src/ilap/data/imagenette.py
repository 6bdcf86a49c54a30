"""Imagenette: ten easily told classes of ImageNet, 13,394 photographs whose shorter side has 160 pixels
(Howard, github.com/fastai/imagenette, second version, 2019)."""

from __future__ import annotations

from dataclasses import replace

from ilap.data import files
from ilap.data.contract import Dataset
from ilap.data.folder import from_folder

SOURCE = files.Source(
    "https://s3.amazonaws.com/fast-ai-imageclas/imagenette2-160.tgz", "e793b78cc4c9e9a4ccc0c1155377a412"
)
NAMES = {
    "n01440764": "tench",
    "n02102040": "English springer",
    "n02979186": "cassette player",
    "n03000684": "chain saw",
    "n03028079": "church",
    "n03394916": "French horn",
    "n03417042": "garbage truck",
    "n03425413": "gas pump",
    "n03445777": "golf ball",
    "n03888257": "parachute",
}


def create() -> Dataset:
    """Read train/ and val/, whose folders are named by WordNet's numbers."""
    folder = files.find_folder(["imagenette2-160", "imagenette"], "val/n03888257/*.JPEG", SOURCE)
    found = from_folder(folder)
    dataset = replace(found, name="imagenette", names=tuple(NAMES.get(name, name) for name in found.names))
    return files.check_counts(dataset, 9_469, 3_925)
