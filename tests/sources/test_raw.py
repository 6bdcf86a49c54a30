"""A raw file is read by the preview that the camera has put into it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from ilap.core import pictures
from ilap.core.errors import BadPicture
from ilap.sources import read
from ilap.sources.decode import LARGEST
from raw_files import GREY, dng, jpeg


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
