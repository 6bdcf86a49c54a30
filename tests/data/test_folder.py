from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData, MissingFile
from ilap.data.folder import from_folder


def write(folder: Path, count: int, ending: str = "png") -> None:
    folder.mkdir(parents=True)
    for number in range(count):
        Image.new("L", (4, 4), number).save(folder / f"{number}.{ending}")


def shades(pictures: object) -> list[int]:
    return [int(picture[0, 0]) for picture in pictures]  # type: ignore[attr-defined]


def test_every_fifth_picture_of_a_class_is_for_testing(tmp_path: Path) -> None:
    write(tmp_path / "cat", 12)
    write(tmp_path / "dog", 2)
    dataset = from_folder(tmp_path)
    assert dataset.names == ("cat", "dog")
    assert dataset.name == tmp_path.name
    assert shades(dataset.test.pictures) == [0, 5, 10, 0]
    assert shades(dataset.train.pictures) == [1, 2, 3, 4, 6, 7, 8, 9, 11, 1]
    assert dataset.test.labels.tolist() == [0, 0, 0, 1]
    assert dataset.train.clips is None


@pytest.mark.parametrize("testing", ["test", "val"])
def test_parts_that_are_there_are_kept(tmp_path: Path, testing: str) -> None:
    for name in ("cat", "dog"):
        write(tmp_path / "train" / name, 3)
        write(tmp_path / testing / name, 1)
    dataset = from_folder(str(tmp_path))
    assert (len(dataset.train), len(dataset.test), dataset.names) == (6, 2, ("cat", "dog"))


def test_folders_in_a_class_are_clips(tmp_path: Path) -> None:
    for clip in ("walk 2", "walk 10"):
        write(tmp_path / "cat" / clip, 5)
    write(tmp_path / "dog", 5)
    train = from_folder(tmp_path).train
    assert train.clips is not None
    assert train.clips.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert shades(train.pictures) == [1, 2, 3, 4] * 3


def test_undivided_clips_are_whole_and_in_order(tmp_path: Path) -> None:
    for clip in ("walk 2", "walk 10"):
        write(tmp_path / "cat" / clip, 6)
    write(tmp_path / "dog" / "sleep", 1)
    dataset = from_folder(tmp_path)
    assert dataset.test.labels.tolist() == [0, 0, 0]  # the only picture of a class is not held out
    whole = dataset.undivided()
    assert len(whole.test) == 0
    assert shades(whole.train.pictures) == [*range(6), *range(6), 0]
    assert whole.train.clips is not None
    assert whole.train.clips.tolist() == [0] * 6 + [1] * 6 + [2]


def test_undivided_parts_that_are_there_come_together(tmp_path: Path) -> None:
    write(tmp_path / "train" / "cat" / "walk", 3)
    write(tmp_path / "test" / "cat" / "run", 2)
    whole = from_folder(tmp_path).undivided().train
    assert shades(whole.pictures) == [0, 1, 2, 0, 1]
    assert whole.clips is not None
    assert whole.clips.tolist() == [0, 0, 0, 1, 1]


def test_a_class_of_one_clip_has_that_clip(tmp_path: Path) -> None:
    write(tmp_path / "cat" / "cat", 5)
    clips = from_folder(tmp_path).train.clips
    assert clips is not None
    assert set(clips) == {0}


def test_numbers_in_names_are_sorted_by_value(tmp_path: Path) -> None:
    write(tmp_path / "cat", 11)
    assert shades(from_folder(tmp_path).train.pictures)[-2:] == [8, 9]


def test_all_common_formats_are_read_whatever_the_case(tmp_path: Path) -> None:
    for ending in ("png", "jpg", "JPEG", "webp", "TIF", "tiff", "bmp", "pgm"):
        write(tmp_path / ending, 2, ending)
    dataset = from_folder(tmp_path)
    assert len(dataset.names) == 8
    assert all(np.ptp(picture) == 0 for picture in dataset.train.pictures)


def test_hidden_files_and_other_files_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "cat", 5)
    write(tmp_path / "cat" / ".thumbnails", 5)
    (tmp_path / "cat" / "._0.png").write_bytes(b"")
    (tmp_path / "cat" / "notes.txt").write_text("soft")
    (tmp_path / ".git").mkdir()
    dataset = from_folder(tmp_path)
    assert (len(dataset.train), len(dataset.test), dataset.train.clips) == (4, 1, None)


def test_a_folder_may_itself_lie_in_a_hidden_one(tmp_path: Path) -> None:
    write(tmp_path / ".cache" / "pets" / "cat", 5)
    assert len(from_folder(tmp_path / ".cache" / "pets").train) == 4


def test_a_damaged_picture_is_named_when_it_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "cat", 5)
    (tmp_path / "cat" / "3.png").write_bytes(b"soft")
    with pytest.raises(BadData, match=r"3.png cannot be read as a picture"):
        list(from_folder(tmp_path).train.pictures)


def test_a_class_without_pictures_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "cat", 5)
    (tmp_path / "dog").mkdir()
    with pytest.raises(BadData, match="dog holds no picture"):
        from_folder(tmp_path)


def test_a_class_of_one_picture_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "cat", 1)
    with pytest.raises(BadData, match=r"0.png is the only picture of its class"):
        from_folder(tmp_path)


def test_a_folder_of_loose_pictures_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "cat", 5)
    with pytest.raises(BadData, match="make one for each class"):
        from_folder(tmp_path / "cat")


def test_both_parts_need_the_same_classes(tmp_path: Path) -> None:
    write(tmp_path / "train" / "cat", 3)
    write(tmp_path / "train" / "dog", 3)
    write(tmp_path / "test" / "cat", 3)
    with pytest.raises(BadData, match="dog is not both in"):
        from_folder(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"There is no folder .*pets"):
        from_folder(tmp_path / "pets")
