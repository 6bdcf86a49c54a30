from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from ilap.core.errors import BadData, MissingFile
from ilap.data import svhn

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")
PICTURES = np.random.default_rng(0).integers(0, 256, (32, 32, 3, 10), np.uint8)
LABELS = np.arange(1, 11, dtype=np.uint8)[:, None]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "svhn"
    folder.mkdir()
    for part in ("train", "test"):
        savemat(folder / f"{part}_32x32.mat", {"X": PICTURES, "y": LABELS}, do_compression=True)
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return folder


def test_the_label_ten_is_the_digit_zero(root: Path) -> None:
    dataset = svhn.create()
    assert dataset.train.labels.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert dataset.names[0] == "0"


def test_the_last_axis_counts_the_pictures(root: Path) -> None:
    pictures = svhn.create().test.pictures
    assert len(pictures) == 10
    np.testing.assert_array_equal(pictures[7], PICTURES[..., 7])


@pytest.mark.parametrize("size", [0, 10, 200, 5000, 20000])
def test_a_truncated_file_gives_no_pictures(root: Path, size: int) -> None:
    path = root / "train_32x32.mat"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(BadData, match=r"train_32x32.mat.*download it again"):
        svhn.create()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"X": PICTURES}, "does not hold X and y"),
        ({"X": PICTURES, "y": LABELS[:9]}, "10 pictures but 9 labels"),
        ({"X": PICTURES.transpose(3, 0, 1, 2), "y": LABELS}, "no colour pictures of 32 x 32"),
        ({"X": PICTURES / 255, "y": LABELS}, "no colour pictures of 32 x 32"),
        ({"X": PICTURES, "y": LABELS - 1}, "labels that are not 1 to 10"),
    ],
)
def test_another_content_is_refused(root: Path, content: dict[str, np.ndarray], complaint: str) -> None:
    savemat(root / "test_32x32.mat", content)
    with pytest.raises(BadData, match=complaint):
        svhn.create()


def test_a_missing_file_is_named_with_its_address(root: Path) -> None:
    (root / "test_32x32.mat").unlink()
    with pytest.raises(MissingFile, match=r"no test_32x32.mat in .*get it from http://ufldl.stanford.edu"):
        svhn.create()
