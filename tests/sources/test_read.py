"""Any picture file that people have is read; what is damaged is told and costs nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.ExifTags import Base

from ilap.core.errors import BadPicture
from ilap.core.pictures import readable
from ilap.sources import read
from ilap.sources.bursts import Burst
from ilap.sources.decode import LARGEST

GREY = np.linspace(0, 255, 48 * 32).astype(np.uint8).reshape(32, 48)


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "tiff", "bmp"])
def test_every_kind_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    Image.fromarray(GREY).save(path)
    picture, origin = read.read(path)
    assert picture is not None
    assert picture.shape[:2] == (32, 48) == (origin.height, origin.width)
    assert abs(picture.astype(int).mean() - GREY.mean()) < 3


def test_sixteen_bits_alpha_and_rotation(tmp_path: Path) -> None:
    Image.fromarray(GREY.astype(np.uint16) * 257).save(tmp_path / "deep.png")
    np.testing.assert_array_equal(read.read(tmp_path / "deep.png")[0], GREY)
    alpha = np.dstack([GREY] * 3 + [np.zeros_like(GREY)])
    Image.fromarray(alpha).save(tmp_path / "alpha.png")
    assert read.read(tmp_path / "alpha.png")[0].min() == 255  # type: ignore[union-attr]
    exif = Image.Exif()
    exif[Base.Orientation] = 6
    Image.fromarray(GREY).save(tmp_path / "turned.png", exif=exif)
    picture, origin = read.read(tmp_path / "turned.png")
    np.testing.assert_array_equal(picture, np.rot90(GREY, -1))
    assert (origin.width, origin.height) == (32, 48)


def test_a_large_photograph_is_kept_small(tmp_path: Path) -> None:
    Image.new("RGB", (3000, 2000), "red").save(tmp_path / "photo.jpg")
    picture, origin = read.read(tmp_path / "photo.jpg")
    assert picture is not None
    assert max(picture.shape) == LARGEST
    assert (origin.width, origin.height) == (3000, 2000)


@pytest.mark.parametrize(
    "content", [b"", b"just a text", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"\xff\xd8\xff\xe0"]
)
def test_what_is_no_picture_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "写真.jpg"
    path.write_bytes(content)
    with pytest.raises(BadPicture, match=r"写真\.jpg cannot be read"):
        read.read(path)


def test_a_picture_cut_short_and_a_bomb_are_told(tmp_path: Path) -> None:
    Image.effect_noise((200, 200), 50).save(tmp_path / "whole.png")
    data = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    Image.new("1", (20_000, 20_000)).save(tmp_path / "bomb.png")
    for name in ("cut.png", "bomb.png"):
        with pytest.raises(BadPicture, match=name):
            read.read(tmp_path / name)


def test_what_is_known_or_comes_twice_is_left_out(tmp_path: Path) -> None:
    paths = []
    for number in range(4):
        paths.append(tmp_path / f"{number}.png")
        Image.fromarray(GREY + np.uint8(number // 2)).save(paths[-1])
    (tmp_path / "bad.png").write_text("bad")
    burst = Burst("a", tmp_path, (*paths, tmp_path / "bad.png"), True)
    (loaded,) = read.ahead([burst], {}, set())
    assert (len(loaded.pictures), len(loaded.known), len(loaded.bad)) == (2, 2, 1)
    known = {file.sha256 for file in loaded.files}
    (again,) = read.ahead([burst], {}, known)
    assert (len(again.pictures), len(again.known)) == (0, 4)


def test_many_bursts_come_in_order(tmp_path: Path) -> None:
    found = []
    for number in range(20):
        path = tmp_path / f"{number}.png"
        Image.fromarray(np.full((4, 4), number, np.uint8)).save(path)
        found.append(Burst(str(number), None, (path,), False))
    loaded = list(read.ahead(found, {}, set()))
    assert [int(one.pictures[0][0, 0]) for one in loaded] == list(range(20))


def test_a_file_that_is_as_it_was_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    Image.fromarray(GREY).save(path)
    burst = Burst("a", tmp_path, (path,), False)
    (first,) = read.ahead([burst], {}, set())
    origin = first.files[0]
    known = {str(path): (origin.bytes, origin.modified, origin.sha256)}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda self: pytest.fail("the file was read again"))
        (again,) = read.ahead([burst], known, {origin.sha256})
    assert (len(again.pictures), len(again.known)) == (0, 1)
    Image.fromarray(255 - GREY).save(path)
    (changed,) = read.ahead([burst], known, {origin.sha256})
    assert len(changed.pictures) == 1


@pytest.mark.parametrize("ending", ["gif", "avif", "jp2", "heic"])
def test_what_telephones_and_the_web_write_is_read(tmp_path: Path, ending: str) -> None:
    if ending == "heic":
        pytest.importorskip("pillow_heif", reason="heic is an extra")
    assert f".{ending}" in readable()
    path = tmp_path / f"a.{ending}"
    Image.fromarray(np.full((32, 48, 3), 200, np.uint8)).save(path)
    picture, origin = read.read(path)
    assert picture is not None
    assert picture.shape == (32, 48, 3)
    assert abs(int(picture.mean()) - 200) < 5
    assert (origin.width, origin.height) == (48, 32)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")
    with pytest.raises(BadPicture, match="not a regular file"):
        read.read(tmp_path / "a.png")
