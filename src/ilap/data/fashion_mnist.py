"""Fashion-MNIST: 70,000 pictures of clothes, 28 x 28 pixels (Xiao, Rasul and Vollgraf, "Fashion-MNIST: a Novel
Image Dataset for Benchmarking Machine Learning Algorithms", 2017)."""

from __future__ import annotations

from pathlib import Path

from ilap.data import mnist
from ilap.data.contract import Dataset

ADDRESS = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"
MD5 = {
    "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
    "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
    "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
    "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
    "train-images-idx3-ubyte": "f4a8712d7a061bf5bd6d2ca38dc4d50a",
    "train-labels-idx1-ubyte": "9018921c3c673c538a1fc5bad174d6f9",
    "t10k-images-idx3-ubyte": "8181f5470baa50b63fa0f6fddb340f0a",
    "t10k-labels-idx1-ubyte": "15d484375f8d13e6eb1aabb0c3f46965",
}
DEBIAN = Path("/usr/share/datasets/fashion-mnist")
"""Where the package dataset-fashion-mnist puts the same files, packed again."""

NAMES = (
    "T-shirt or top",
    "trouser",
    "pullover",
    "dress",
    "coat",
    "sandal",
    "shirt",
    "sneaker",
    "bag",
    "ankle boot",
)


def create() -> Dataset:
    """Read the four files."""
    return mnist.load("fashion_mnist", "fashion-mnist", NAMES, ADDRESS, MD5, DEBIAN)
