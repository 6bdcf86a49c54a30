"""Folders, gaps in time and names cut pictures into exposures; what cannot be read is told and passed over."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image
from PIL.ExifTags import IFD, Base

from ilap.core.errors import BadSetting, MissingFile
from ilap.sources import bursts
from ilap.sources.capture import in_order, taken, time_of
from ilap.sources.tree import Found


def picture(path: Path, time: datetime | None = None, changed: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    exif = Image.Exif()
    if time:
        exif.get_ifd(IFD.Exif)[Base.DateTimeOriginal] = time.strftime("%Y:%m:%d %H:%M:%S")
        exif.get_ifd(IFD.Exif)[Base.SubsecTimeOriginal] = f"{time.microsecond:06}"
    Image.new("L", (4, 4)).save(path, exif=exif)
    if changed:
        os.utime(path, (changed, changed))
    return path


@pytest.fixture
def told() -> list[str]:
    return []


def test_every_folder_with_pictures_is_an_exposure(tmp_path: Path, told: list[str]) -> None:
    for name in ("b/2.png", "b/10.jpg", "b/1.png", "a/deep/x.webp", "a/.hidden.png", "c/notes.txt"):
        if name.endswith("txt"):
            (tmp_path / "c").mkdir()
            (tmp_path / name).write_text("none")
        else:
            picture(tmp_path / name)
    found = bursts.by_folder(tmp_path, told.append)
    assert [(burst.name, [path.name for path in burst.paths]) for burst in found] == [
        (str(Path("a/deep")), ["x.webp"]),
        ("b", ["1.png", "2.png", "10.jpg"]),
    ]
    assert not told


def test_pictures_in_no_folder_of_their_own_need_a_word(tmp_path: Path, told: list[str]) -> None:
    picture(tmp_path / "1.png")
    with pytest.raises(BadSetting, match="--by-time"):
        bursts.by_folder(tmp_path, told.append)
    picture(tmp_path / "a" / "1.png")
    assert len(bursts.by_folder(tmp_path, told.append)) == 1
    assert "in no folder of their own" in told[0]
    with pytest.raises(MissingFile):
        bursts.by_folder(tmp_path / "nowhere", told.append)


def test_gaps_in_exif_time_cut_a_flat_folder(tmp_path: Path, told: list[str]) -> None:
    start = datetime(2024, 5, 1, 12)
    for number, seconds in enumerate((0, 30, 200, 100, 230)):
        picture(tmp_path / f"{9 - number}.jpg", start + timedelta(seconds=seconds))
    found = bursts.by_time(tmp_path, timedelta(seconds=60), told.append)
    assert [[path.stem for path in burst.paths] for burst in found] == [["9", "8"], ["6"], ["7", "5"]]
    assert found[0].name == "2024-05-01 12:00:00"


def test_the_file_s_time_stands_in_for_exif(tmp_path: Path, told: list[str]) -> None:
    for number, seconds in enumerate((0, 10, 500)):
        picture(tmp_path / f"{number}.png", changed=1e9 + seconds)
    found = bursts.by_time(tmp_path, timedelta(seconds=60), told.append)
    assert [len(burst.paths) for burst in found] == [2, 1]


def test_names_cut_a_flat_folder(tmp_path: Path, told: list[str]) -> None:
    for name in ("cup-1.png", "cup-2.png", "car-1.png", "odd.png"):
        picture(tmp_path / name)
    found = bursts.by_name(tmp_path, r"^(\w+)-", told.append)
    assert sorted((burst.name, len(burst.paths)) for burst in found) == [("car", 1), ("cup", 2)]
    assert "odd.png" in told[0]
    with pytest.raises(BadSetting, match="regular expression"):
        bursts.by_name(tmp_path, "(", told.append)


def test_capture_order_is_known_from_exif_or_from_numbered_names_alone(tmp_path: Path) -> None:
    times = [datetime(2024, 1, 1, 0, 0, 0, micro) for micro in (300, 100, 200)]
    exif = [picture(tmp_path / f"{name}.jpg", time) for name, time in zip("xyz", times, strict=True)]
    ordered, known = in_order(exif)
    assert ([path.stem for path in ordered], known) == (["y", "z", "x"], True)
    numbered = [picture(tmp_path / f"img_{number}.png") for number in (10, 9)]
    assert in_order(numbered) == (numbered[::-1], True)
    words = [picture(tmp_path / f"{name}.png") for name in ("left", "right")]
    assert in_order(words)[1] is False


def test_a_time_that_makes_no_sense_is_none(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif.get_ifd(IFD.Exif)[Base.DateTimeOriginal] = "0000:00:00 00:00:00"
    assert taken(exif) is None
    broken = tmp_path / "a.jpg"
    broken.write_text("no picture")
    assert time_of(broken)[1] is False


def test_broken_links_and_unreadable_folders_are_told(tmp_path: Path, told: list[str]) -> None:
    picture(tmp_path / "a" / "1.png")
    (tmp_path / "a" / "2.png").symlink_to(tmp_path / "gone.png")
    assert [len(burst.paths) for burst in bursts.by_folder(tmp_path, told.append)] == [1]
    assert "link to nothing" in told[0]


@pytest.mark.parametrize("text", ["", "x", "5 parsecs", "-3s", "1.2.3"])
def test_a_span_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="60s"):
        bursts.seconds(text)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_with_a_picture_s_name_is_told_and_never_opened(tmp_path: Path, told: list[str]) -> None:
    picture(tmp_path / "a" / "1.png")
    os.mkfifo(tmp_path / "a" / "2.png")
    (burst,) = bursts.by_folder(tmp_path, told.append)
    assert [path.name for path in burst.paths] == ["1.png"]
    assert told == [f"{tmp_path / 'a' / '2.png'} is a pipe, socket or device, not a file"]


def test_what_is_not_read_is_counted_by_kind_with_what_to_do(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilap.core.pictures.installed", lambda package: package == "PIL")
    for name in ("a/1.png", "a/2.gif", "a/3.HEIC", "b/4.heic", "b/5.nef", "b/6.mp4", "b/notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    found = Found()
    (burst,) = bursts.by_folder(tmp_path, told.append, found)
    assert [path.name for path in burst.paths] == ["1.png", "2.gif"]
    assert told == [
        "2 HEIC pictures were passed over: pip install 'ilap[heic]' to read them",
        "1 raw picture was passed over: pip install 'ilap[raw]' to read it",
        "1 video was passed over: pip install 'ilap[video]' to read it",
    ]
    assert found.passed == {"HEIC picture": 2, "raw picture": 1, "video": 1, "file of another kind": 1}
