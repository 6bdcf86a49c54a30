"""A raw file is read by the preview that the camera has put into it."""

from __future__ import annotations

import io
import struct
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from PIL.ExifTags import Base

from ilap.core import pictures
from ilap.core.errors import BadPicture
from ilap.sources import read
from ilap.sources.decode import LARGEST

GREY = np.repeat(np.linspace(0, 255, 60).astype(np.uint8)[None], 40, 0)


def jpeg(turned: int | None = None) -> bytes:
    exif = Image.Exif()
    if turned:
        exif[Base.Orientation] = turned
    buffer = io.BytesIO()
    Image.fromarray(GREY).convert("RGB").save(buffer, "JPEG", quality=95, exif=exif)
    return buffer.getvalue()


def fake(monkeypatch: pytest.MonkeyPatch, data: object, kind: str, flip: int = 0) -> None:
    """A rawpy that finds this preview in any file."""
    module = ModuleType("rawpy")

    class Raw:
        sizes = SimpleNamespace(flip=flip)

        def __enter__(self) -> Raw:
            return self

        def __exit__(self, *error: object) -> None:
            return None

        def extract_thumb(self) -> SimpleNamespace:
            if data is None:
                raise RuntimeError("Request for nonexisting thumbnail")
            return SimpleNamespace(data=data, format=kind)

    vars(module).update(ThumbFormat=SimpleNamespace(BITMAP="bitmap", JPEG="jpeg"), imread=lambda file: Raw())
    monkeypatch.setitem(sys.modules, "rawpy", module)
    monkeypatch.setattr(pictures, "installed", lambda package: package in ("PIL", "rawpy"))


@pytest.mark.parametrize(
    ("data", "kind", "flip", "shape"),
    [
        (jpeg(), "jpeg", 0, (40, 60)),
        (jpeg(), "jpeg", 6, (60, 40)),
        (jpeg(6), "jpeg", 6, (60, 40)),  # the preview says so itself: it is not turned twice
        (np.dstack([GREY] * 3), "bitmap", 0, (40, 60)),
        (np.dstack([GREY] * 3), "bitmap", 5, (60, 40)),
    ],
)
def test_the_preview_is_read_upright(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: object, kind: str, flip: int, shape: tuple[int, int]
) -> None:
    fake(monkeypatch, data, kind, flip)
    path = tmp_path / "IMG_1.CR2"
    path.write_bytes(b"raw")
    picture, origin = read.read(path)
    assert picture is not None
    assert picture.shape[:2] == shape == (origin.height, origin.width)
    assert abs(int(picture.mean()) - int(GREY.mean())) < 3


def test_a_raw_file_without_a_preview_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, None, "")
    (tmp_path / "a.nef").write_bytes(b"raw")
    with pytest.raises(BadPicture, match="nonexisting thumbnail"):
        read.read(tmp_path / "a.nef")


def test_without_the_extra_the_sentence_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "installed", lambda package: package == "PIL")
    for name, extra in (("a.arw", "raw"), ("a.heic", "heic"), ("a.mp4#t=1.0", "video")):
        with pytest.raises(BadPicture, match=rf"pip install 'ilap\[{extra}\]'"):
            read.read(tmp_path / name)


def dng(preview: bytes) -> bytes:
    """A DNG of 64 x 64 raw pixels with this JPEG in it."""
    width = height = 64
    raw = np.arange(width * height, dtype="<u2").tobytes()

    def directory(entries: list[tuple[int, int, int, bytes]], at: int) -> bytes:
        """An IFD, and behind it the values that are too long for it."""
        behind, values, rows = at + 2 + 12 * len(entries) + 4, b"", b""
        for tag, kind, count, value in sorted(entries):
            if len(value) > 4:
                rows += struct.pack("<HHII", tag, kind, count, behind + len(values))
                values += value + b"\0" * (len(value) % 2)
            else:
                rows += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        return struct.pack("<H", len(entries)) + rows + struct.pack("<I", 0) + values

    def short(*numbers: int) -> bytes:
        return struct.pack(f"<{len(numbers)}H", *numbers)

    def long(*numbers: int) -> bytes:
        return struct.pack(f"<{len(numbers)}I", *numbers)

    def made(sub: int, jpeg_at: int, raw_at: int) -> tuple[bytes, bytes]:
        matrix = struct.pack("<18i", *[v for i in range(9) for v in (int(i % 4 == 0), 1)])
        first = [
            (254, 4, 1, long(1)), (256, 4, 1, long(60)), (257, 4, 1, long(40)), (258, 3, 3, short(8, 8, 8)),
            (259, 3, 1, short(7)), (262, 3, 1, short(6)), (271, 2, 5, b"None\0"), (272, 2, 5, b"None\0"),
            (273, 4, 1, long(jpeg_at)), (277, 3, 1, short(3)), (278, 4, 1, long(40)),
            (279, 4, 1, long(len(preview))), (330, 4, 1, long(sub)), (50706, 1, 4, bytes([1, 4, 0, 0])),
            (50708, 2, 5, b"None\0"), (50721, 10, 9, matrix), (50728, 5, 3, struct.pack("<6I", *[1] * 6)),
            (50778, 3, 1, short(21)),
        ]  # fmt: skip
        second = [
            (254, 4, 1, long(0)), (256, 4, 1, long(width)), (257, 4, 1, long(height)), (258, 3, 1, short(16)),
            (259, 3, 1, short(1)), (262, 3, 1, short(32803)), (273, 4, 1, long(raw_at)), (277, 3, 1, short(1)),
            (278, 4, 1, long(height)), (279, 4, 1, long(len(raw))), (33421, 3, 2, short(2, 2)),
            (33422, 1, 4, bytes([0, 1, 1, 2])),
        ]  # fmt: skip
        return directory(first, 8), directory(second, sub)

    first, second = made(0, 0, 0)
    sub = 8 + len(first)
    jpeg_at = sub + len(second)
    first, second = made(sub, jpeg_at, jpeg_at + len(preview))
    return b"II*\0" + struct.pack("<I", 8) + first + second + preview + raw


def test_a_real_raw_file_is_read(tmp_path: Path) -> None:
    pytest.importorskip("rawpy", reason="raw is an extra")
    path = tmp_path / "a.dng"
    path.write_bytes(dng(jpeg()))
    picture, origin = read.read(path)
    assert picture is not None
    assert picture.shape[:2] == (40, 60) == (origin.height, origin.width)
    assert max(picture.shape) <= LARGEST
    assert abs(int(picture.mean()) - int(GREY.mean())) < 3
    path.write_bytes(dng(jpeg())[:300])
    with pytest.raises(BadPicture):
        read.read(path)
