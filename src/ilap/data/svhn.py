"""SVHN: 99,289 house numbers cut into digits of 32 x 32 pixels (Netzer and others, "Reading Digits in Natural
Images with Unsupervised Feature Learning", 2011). The easier extra pictures are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ilap.core.errors import BadData
from ilap.data import files
from ilap.data.contract import Dataset, Labelled

ADDRESS = "http://ufldl.stanford.edu/housenumbers/"
MD5 = {
    "train_32x32.mat": "e26dedcc434d2e4c54c9b2d4a06d8373",
    "test_32x32.mat": "eb5a983be6a315427106f1b164d9cef3",
}
SHAPE = (32, 32, 3)
ZERO = 10  # the label by which the files mean the digit 0


def create() -> Dataset:
    """Read the cropped digits."""
    parts = [
        read(files.find("svhn", {name: md5}, files.Source(ADDRESS + name, md5))) for name, md5 in MD5.items()
    ]
    return files.check_counts(Dataset("svhn", parts[0], parts[1], tuple("0123456789")), 73_257, 26_032)


def read(path: Path) -> Labelled:
    """The pictures X (rows x columns x 3 x n) and labels y (1 to 10) of one MATLAB file."""
    from scipy.io import loadmat

    try:
        content = loadmat(path, variable_names=["X", "y"])
    except Exception as error:  # of a damaged file scipy's reader may raise anything
        raise BadData(f"{path} cannot be read as a MATLAB file ({error}): download it again.") from None
    if not {"X", "y"} <= content.keys():
        raise BadData(f"{path} does not hold X and y: download it again.")
    pictures, labels = content["X"], content["y"].reshape(-1)
    if pictures.dtype != np.uint8 or pictures.ndim != 4 or pictures.shape[:3] != SHAPE:
        raise BadData(f"{path} holds no colour pictures of 32 x 32 bytes: download it again.")
    if pictures.shape[3] != len(labels):
        raise BadData(f"{path} has {pictures.shape[3]} pictures but {len(labels)} labels: download it again.")
    if not np.isin(labels, np.arange(1, ZERO + 1)).all():
        raise BadData(f"{path} has labels that are not 1 to {ZERO}: download it again.")
    return Labelled(list(np.ascontiguousarray(pictures.transpose(3, 0, 1, 2))), labels.astype(np.int64) % ZERO)
