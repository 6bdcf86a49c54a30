from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData, MissingFile
from ilap.data import crib

BOX = [4, 14, 6, 11]  # x_min, x_max, y_min, y_max


def write(folder: Path, frames: int) -> None:
    """Frames of 30 x 20 pixels, grey 200, in which the toy is a rectangle of the frame's number."""
    folder.mkdir(parents=True)
    for frame in range(frames):
        pixels = np.full((20, 30, 3), 200, np.uint8)
        pixels[6:11, 4:14] = frame
        Image.fromarray(pixels).save(folder / f"{frame:04d}.png")
    np.save(folder / "bboxes.npy", np.array([BOX] * frames))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for toy in ("bear", "duck"):
        for exposure in (0, 1, 10):
            write(tmp_path / "crib" / "train_data" / toy / str(exposure), 4)
        write(tmp_path / "crib" / "test_data" / toy, 3)
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return tmp_path / "crib"


def test_an_exposure_of_a_toy_is_a_clip_in_order(root: Path) -> None:
    train = crib.create().train
    assert train.clips is not None
    assert train.clips.tolist() == [number for number in range(6) for _ in range(4)]
    assert train.labels.tolist() == [0] * 12 + [1] * 12
    assert [int(picture[0, 0, 0]) for picture in train.pictures[:8]] == [0, 1, 2, 3] * 2


def test_test_pictures_are_single_views(root: Path) -> None:
    dataset = crib.create()
    assert dataset.names == ("bear", "duck")
    assert dataset.test.clips is None
    assert dataset.test.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_picture_is_cropped_to_the_toy(root: Path) -> None:
    picture = crib.create().train.pictures[2]
    assert picture.shape == (5, 10, 3)
    assert (picture == 2).all()


def test_the_folder_may_have_the_name_of_the_experiments_code(root: Path) -> None:
    (root / "train_data").rename(root / "render_data")
    assert len(crib.create().train) == 24


@pytest.mark.parametrize(
    ("boxes", "complaint"),
    [
        (np.array([BOX] * 3), "4 numbers for each of 4 frames"),
        (np.array([BOX[:3]] * 4), "4 numbers for each of 4 frames"),
        (np.array([["a"] * 4] * 4), "4 numbers for each of 4 frames"),
        (np.array([BOX] * 3 + [[4, 31, 6, 11]]), "leaves the 30 x 20 frame"),
        (np.array([BOX] * 3 + [[4, 14, 6, 21]]), "leaves the 30 x 20 frame"),
        (np.array([BOX] * 3 + [[-1, 14, 6, 11]]), "leaves the 30 x 20 frame"),
        (np.array([BOX] * 3 + [[14, 4, 6, 11]]), "without a pixel"),
        (np.array([BOX] * 3 + [[4, np.nan, 6, 11]]), "without a pixel"),
    ],
)
def test_wrong_boxes_are_refused(root: Path, boxes: np.ndarray, complaint: str) -> None:
    np.save(root / "train_data" / "duck" / "1" / "bboxes.npy", boxes)
    with pytest.raises(BadData, match=rf"duck/1/bboxes.npy .*{complaint}.*download it again"):
        crib.create()


def test_boxes_are_never_unpickled(root: Path) -> None:
    np.save(root / "train_data" / "duck" / "1" / "bboxes.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(BadData, match="cannot be read"):
        crib.create()


def test_truncated_boxes_are_refused(root: Path) -> None:
    path = root / "train_data" / "duck" / "1" / "bboxes.npy"
    for size in (0, 20, 140):
        path.write_bytes(path.read_bytes()[:size])
        with pytest.raises(BadData, match="cannot be read"):
            crib.create()


def test_a_truncated_frame_is_named(root: Path) -> None:
    path = root / "train_data" / "bear" / "0" / "0001.png"
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(BadData, match=r"bear/0/0001.png"):
        crib.create().train.pictures[1]


def test_a_frame_smaller_than_its_box_is_named(root: Path) -> None:
    Image.new("RGB", (5, 5)).save(root / "train_data" / "bear" / "0" / "0001.png")
    with pytest.raises(BadData, match=r"0001.png is smaller than its box"):
        crib.create().train.pictures[1]


def test_a_missing_part_is_named(root: Path) -> None:
    (root / "train_data" / "bear" / "1" / "bboxes.npy").unlink()
    with pytest.raises(MissingFile, match=r"no bboxes.npy in .*bear/1"):
        crib.create()
    (root / "train_data").rename(root / "elsewhere")
    with pytest.raises(MissingFile, match="no train_data or render_data"):
        crib.create()


def test_without_it_the_error_says_where_to_ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    with pytest.raises(MissingFile, match=r"iolfcv.github.io"):
        crib.create()
