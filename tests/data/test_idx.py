from __future__ import annotations

import gzip
import os
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from ilap.core.errors import BadData, MissingFile
from ilap.data import mnist
from ilap.data.files import DifferentData

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")


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


def test_a_cut_down_set_is_used_with_a_warning(root: Path) -> None:
    with pytest.warns(DifferentData, match="mnist has 20 pictures to learn from and 10 to test with here"):
        mnist.create()


def test_names_with_a_dot_are_known_too(root: Path) -> None:
    (root / "train-images-idx3-ubyte").rename(root / "train-images.idx3-ubyte")
    assert len(mnist.create().train) == 20


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
    with pytest.raises(BadData, match="download it again"):
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
        mnist.read(path, 3)


def test_files_of_two_sets_are_refused(root: Path) -> None:
    (root / "train-labels-idx1-ubyte.gz").write_bytes(idx_bytes(np.zeros(7, np.uint8)))
    with pytest.raises(BadData, match="do not belong together"):
        mnist.create()


@pytest.mark.slow
@pytest.mark.skipif("ILAP_DATA" not in os.environ, reason="ILAP_DATA does not name a folder with mnist/")
@pytest.mark.parametrize("packed", [True, False])
def test_the_published_files_give_no_warning(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not packed:
        for path in (Path(os.environ["ILAP_DATA"]) / "mnist").glob("*.gz"):
            (tmp_path / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            dataset = mnist.create()
        except MissingFile as error:
            pytest.skip(str(error))
    assert dataset.train.labels[:5].tolist() == [5, 0, 4, 1, 9]
