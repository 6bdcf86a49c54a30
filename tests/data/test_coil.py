from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData, MissingFile
from ilap.data import coil20, coil100

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")


def write(folder: Path, objects: list[int], step: int, mode: str) -> None:
    folder.mkdir()
    for thing in objects:
        for view in range(72):
            shade = (view * 3) if mode == "L" else (view * 3, thing, 0)
            Image.new(mode, (8, 8), shade).save(folder / f"obj{thing}__{view * step}.png")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "coil-20", [1, 2, 10], 1, "L")
    write(tmp_path / "coil-100", [3, 100], 5, "RGB")
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return tmp_path


def test_every_sixth_view_is_for_testing(root: Path) -> None:
    dataset = coil20.create()
    assert (len(dataset.train), len(dataset.test)) == (3 * 60, 3 * 12)
    assert [int(picture[0, 0]) // 3 for picture in dataset.test.pictures[:12]] == list(range(0, 72, 6))


def test_an_object_is_a_clip_in_the_order_of_the_turntable(root: Path) -> None:
    train = coil20.create().train
    assert train.clips is not None
    views = [int(picture[0, 0]) // 3 for picture in train.pictures]
    for clip in range(3):
        own = np.flatnonzero(train.clips == clip)
        assert (np.diff(own) == 1).all()
        assert [views[i] for i in own] == [view for view in range(72) if view % 6]


def test_objects_are_named_by_number_and_not_by_text(root: Path) -> None:
    assert coil20.create().names == ("object 1", "object 2", "object 10")


def test_the_larger_set_is_numbered_by_degrees(root: Path) -> None:
    dataset = coil100.create()
    assert (len(dataset.train), len(dataset.test), dataset.names) == (120, 24, ("object 3", "object 100"))
    assert dataset.train.pictures[0].tolist()[0][0] == [3, 3, 0]


@pytest.mark.parametrize(("own", "other"), [("coil-20", coil100), ("coil-100", coil20)])
def test_one_set_is_not_taken_for_the_other(
    root: Path, monkeypatch: pytest.MonkeyPatch, own: str, other: object
) -> None:
    monkeypatch.setenv("ILAP_DATA", str(root / own))
    with pytest.raises(MissingFile, match=r"get it from http://www.cs.columbia.edu/.*\.zip"):
        other.create()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["obj21__0.png", "obj1__72.png", "obj0__1.png"])
def test_a_file_that_cannot_belong_to_it_is_named(root: Path, name: str) -> None:
    Image.new("L", (8, 8)).save(root / "coil-20" / name)
    with pytest.raises(BadData, match=name):
        coil20.create()


def test_an_object_without_a_view_to_test_with_is_refused(root: Path) -> None:
    for view in range(0, 72, 6):
        (root / "coil-20" / f"obj2__{view}.png").unlink()
    with pytest.raises(BadData, match="no view of object 2 that is a multiple of 6"):
        coil20.create()


def test_a_truncated_picture_is_named_when_it_is_asked_for(root: Path) -> None:
    path = root / "coil-20" / "obj1__1.png"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(BadData, match=r"obj1__1.png"):
        coil20.create().train.pictures[0]


@pytest.mark.slow
@pytest.mark.skipif("ILAP_DATA" not in os.environ, reason="ILAP_DATA does not name a folder with coil-20/")
def test_neighbouring_views_of_the_real_objects_resemble_each_other() -> None:
    try:
        train = coil20.create().train
    except MissingFile as error:
        pytest.skip(str(error))
    views = np.stack([picture[::4, ::4] for picture in train.pictures]).astype(float).reshape(20, 60, -1)
    next_to = np.abs(np.diff(views, axis=1)).mean()
    assert next_to < np.abs(views - np.roll(views, 30, axis=1)).mean() * 0.7
