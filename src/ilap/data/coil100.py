"""COIL-100: 100 objects on a turntable, 72 views of each, 128 x 128 pixels (Nene, Nayar and Murase, "Columbia
Object Image Library (COIL-100)", Columbia University CUCS-006-96, 1996)."""

from __future__ import annotations

from ilap.data import coil20, files
from ilap.data.contract import Dataset

SOURCE = files.Source("http://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-100/coil-100.zip")
NOT_IN_COIL_20 = "obj*__[1-3][0-9][05].png"


def create() -> Dataset:
    """Read the pictures, which are numbered by degrees."""
    folder = files.find_folder(["coil-100", "coil100"], NOT_IN_COIL_20, SOURCE)
    return files.check_counts(coil20.load("coil100", folder, objects=100, step=5), 6000, 1200)
