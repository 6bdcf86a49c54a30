from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from ilap.data import idx, mnist
from ilap.errors import BadData, MissingFile


def idx_bytes(array: np.ndarray) -> bytes:
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny data set in the true format: one file plain, the others gzipped."""
    folder = tmp_path / "mnist"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for prefix, count in (("train", 20), ("t10k", 10)):
        pictures = rng.integers(0, 256, (count, 28, 28), np.uint8)
        labels = (np.arange(count) % 10).astype(np.uint8)
        (folder / f"{prefix}-images-idx3-ubyte").write_bytes(idx_bytes(pictures))
        (folder / f"{prefix}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx_bytes(labels)))
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return folder


def test_plain_and_gzipped_files_are_read(root: Path) -> None:
    dataset = mnist.create()
    assert (len(dataset.train), len(dataset.test)) == (20, 10)
    assert dataset.train.pictures[0].shape == (28, 28)
    assert dataset.train.labels.tolist() == [*range(10), *range(10)]


def test_without_a_data_root_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ILAP_DATA", raising=False)
    with pytest.raises(MissingFile, match="set ILAP_DATA"):
        mnist.create()


def test_a_missing_file_is_named(root: Path) -> None:
    (root / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(MissingFile, match="t10k-labels-idx1-ubyte"):
        mnist.create()


@pytest.mark.parametrize("cut", [0, 3, 10, 5000])
def test_a_truncated_file_gives_no_pictures(root: Path, cut: int) -> None:
    path = root / "train-images-idx3-ubyte"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(BadData, match="get it again"):
        mnist.create()


def test_a_truncated_gzip_file_is_refused(root: Path) -> None:
    path = root / "train-labels-idx1-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadData, match="cannot be unpacked"):
        mnist.create()


def test_another_format_is_refused(root: Path) -> None:
    path = root / "train-images-idx3-ubyte"
    path.write_bytes(idx_bytes(np.zeros(8, np.uint8)))
    with pytest.raises(BadData, match="not an IDX file of 3 axes"):
        idx.read(path, 3)


def test_files_of_two_sets_are_refused(root: Path) -> None:
    (root / "train-labels-idx1-ubyte.gz").write_bytes(idx_bytes(np.zeros(7, np.uint8)))
    with pytest.raises(BadData, match="do not belong together"):
        mnist.create()
