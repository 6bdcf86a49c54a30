from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData
from ilap.data.pictures import Lazy, decode


def test_a_picture_is_decoded_only_when_it_is_asked_for(tmp_path: Path) -> None:
    Image.new("L", (3, 2), 7).save(tmp_path / "a.png")
    pictures = Lazy(decode, [tmp_path / "missing.png", tmp_path / "a.png"])
    assert len(pictures) == 2
    assert pictures[np.int64(1)].tolist() == [[7, 7, 7], [7, 7, 7]]
    assert len(pictures[1:]) == 1
    with pytest.raises(BadData, match=r"missing.png"):
        pictures[0]


def test_the_sequence_ends_and_can_be_sent_to_another_process(tmp_path: Path) -> None:
    Image.new("L", (3, 2), 7).save(tmp_path / "a.png")
    pictures = Lazy(decode, [tmp_path / "a.png"] * 2)
    assert len(list(pictures)) == 2
    assert len(list(pickle.loads(pickle.dumps(pictures)))) == 2


@pytest.mark.parametrize(
    ("mode", "colour", "pixel"),
    [
        ("1", 1, 255),
        ("L", 90, 90),
        ("LA", (90, 255), [90, 90, 90]),
        ("LA", (90, 0), [255, 255, 255]),
        ("RGB", (1, 2, 3), [1, 2, 3]),
        ("RGBA", (1, 2, 3, 255), [1, 2, 3]),
        ("RGBA", (1, 2, 3, 0), [255, 255, 255]),
        ("I;16", 65535, 255),
        ("I;16", 257 * 100, 100),
    ],
)
def test_every_mode_becomes_grey_or_rgb_bytes(tmp_path: Path, mode: str, colour: object, pixel: object) -> None:
    Image.new(mode, (3, 2), colour).save(tmp_path / "a.png")  # type: ignore[arg-type]
    picture = decode(tmp_path / "a.png")
    assert picture.dtype == np.uint8
    assert picture.shape[:2] == (2, 3)
    assert picture[0, 0].tolist() == pixel
    assert picture.flags.writeable


def test_a_palette_becomes_rgb(tmp_path: Path) -> None:
    Image.new("RGB", (3, 2), (9, 8, 7)).convert("P", palette=Image.Palette.ADAPTIVE).save(tmp_path / "a.png")
    assert decode(tmp_path / "a.png")[1, 2].tolist() == [9, 8, 7]


def test_a_pgm_of_sixteen_bits_is_scaled(tmp_path: Path) -> None:
    (tmp_path / "a.pgm").write_bytes(b"P5 2 1 65535\n" + bytes([0xFF, 0xFF, 0x80, 0x80]))
    assert decode(tmp_path / "a.pgm").tolist() == [[255, 128]]


def test_a_photograph_is_turned_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: turn by a quarter to the right
    Image.new("RGB", (30, 20)).save(tmp_path / "a.jpg", exif=exif)
    assert decode(tmp_path / "a.jpg").shape == (30, 20, 3)


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "tiff", "bmp"])
def test_a_truncated_picture_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    Image.effect_noise((64, 64), 80).convert("RGB").save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(BadData, match=rf"a.{ending} cannot be read as a picture .*replace or remove it"):
        decode(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(30)])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(BadData, match=r"a.png cannot be read as a picture"):
        decode(tmp_path / "a.png")


def test_numbers_without_a_known_white_are_refused(tmp_path: Path) -> None:
    Image.new("F", (2, 2), 0.5).save(tmp_path / "f.tiff")
    Image.new("I", (2, 2), 1 << 20).save(tmp_path / "i.tiff")
    with pytest.raises(BadData, match="floating-point"):
        decode(tmp_path / "f.tiff")
    with pytest.raises(BadData, match="more than 16 bits"):
        decode(tmp_path / "i.tiff")
