"""MNIST: 70,000 handwritten digits of 28 x 28 pixels (LeCun, Cortes and Burges, 1998)."""

from __future__ import annotations

from ilap.data import idx
from ilap.data.contract import Dataset

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


def create() -> Dataset:
    """Read the four files."""
    return idx.load("mnist", "mnist", tuple("0123456789"), ADDRESS, MD5)
