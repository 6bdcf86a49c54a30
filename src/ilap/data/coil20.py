"""COIL-20: 20 objects on a turntable, 72 views of each, 128 x 128 grey pixels (Nene, Nayar and Murase,
"Columbia Object Image Library (COIL-20)", Columbia University CUCS-005-96, 1996)."""

from __future__ import annotations

from ilap.data import coil, files
from ilap.data.contract import Dataset

SOURCE = files.Source(
    "http://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-20/coil-20-proc.zip"
)
NOT_IN_COIL_100 = "obj*__1.png"


def create() -> Dataset:
    """Read the processed pictures, which are numbered by view."""
    folder = files.find_folder(["coil-20-proc", "coil-20", "coil20"], NOT_IN_COIL_100, SOURCE)
    return files.check_counts(coil.load("coil20", folder, objects=20, step=1), 1200, 240)
