"""A video is a burst of frames; a frame is a picture like any other, and leads back to its video."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import ilap
from films import film
from ilap.core.errors import BadPicture
from ilap.core.frames import frame_path
from ilap.data.contract import Dataset
from ilap.sources import bursts, read, video
from ilap.sources.tree import Found

pytest.importorskip("av", reason="video is an extra")

GREYS = [np.full((48, 64), level, np.uint8) for level in (20, 90, 160, 230)]


def test_a_video_is_a_burst_of_frames_at_their_seconds(tmp_path: Path) -> None:
    clip = film(tmp_path / "clip.mp4", GREYS, created="2024-05-01T10:00:00Z")
    (burst,) = bursts.by_folder(tmp_path, pytest.fail)
    assert (burst.name, burst.ordered, burst.video) == ("clip.mp4", True, clip)
    assert [path.name for path in burst.paths] == [f"clip.mp4#t={second}.0" for second in range(4)]
    (loaded,) = read.ahead([burst], {}, set())
    assert not loaded.bad
    for picture, grey in zip(loaded.pictures, GREYS, strict=True):
        assert abs(int(picture.mean()) - int(grey[0, 0])) < 6
    first, second = loaded.files[:2]
    assert first.sha256 != second.sha256
    assert (first.width, first.height, first.bytes) == (64, 48, clip.stat().st_size)
    assert second.taken == "2024-05-01T10:00:01+00:00"


@pytest.mark.parametrize(("fps", "count"), [(2.0, 8), (0.5, 2), (0.01, 1)])
def test_frames_a_second_are_as_many_as_are_asked_for(tmp_path: Path, fps: float, count: int) -> None:
    film(tmp_path / "clip.mkv", GREYS)
    (burst,) = bursts.by_name(tmp_path, "x", pytest.fail, Found(), fps)
    assert len(burst.paths) == count
    for path in burst.paths:
        read.read(path)


def test_a_video_that_is_too_long_or_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film(tmp_path / "long.mp4", GREYS)
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "list.avi").write_text("#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n")
    monkeypatch.setattr(video, "MOST_FRAMES", 3)
    told: list[str] = []
    found = Found()
    assert bursts.by_folder(tmp_path, told.append, found) == []
    assert found.passed == {"file that cannot be read": 3}
    assert [sentence for sentence in told if "--fps" in sentence]
    with pytest.raises(BadPicture, match="ends before"):
        read.read(frame_path(tmp_path / "long.mp4", 60))


def said(*words: object) -> Any:
    done = ilap(*map(str, words), "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_videos_are_learned_once_named_reported_and_exported(tmp_path: Path, digits: Dataset) -> None:
    source = tmp_path / "films"
    source.mkdir()
    for number, label in enumerate((3, 1)):
        rows = np.flatnonzero(digits.train.labels == label)[:8]
        pictures = [np.kron(digits.train.pictures[int(row)], np.ones((2, 2), np.uint8)) for row in rows]
        film(source / f"{number}{os.fsdecode(bytes([255]))}.mp4", pictures)
    learner = tmp_path / "a.ilap"
    (report,) = said("learn", learner, source)
    assert (report["pictures"], report["files"]["read"]) == (16, 2)
    (again,) = said("learn", learner, source)
    assert (again["pictures"], again["known"], again["files"]["known"]) == (0, 16, 2)
    (source / "0\udcff.mp4").rename(source / "moved.mp4")
    (moved,) = said("learn", learner, source)
    assert (moved["pictures"], moved["known"]) == (0, 16)
    named = said("identify", learner, source)
    assert len(named) == 16
    assert named[0]["picture"] == named[0]["nearest"][0]
    said("report", learner, "--out", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("data:image/webp") >= 4
    (made,) = said("export", learner, "--to", "links", "--out", tmp_path / "links")
    links = {path.name for path in (tmp_path / "links").rglob("*.mp4") if path.is_symlink()}
    assert (made["pictures"], made["left_out"], len(links)) == (16, 0, 2)
    said("export", learner, "--to", "camtrap-dp", "--out", tmp_path / "dp")
    media = (tmp_path / "dp" / "media.csv").read_text(encoding="utf-8")
    assert "moved.mp4#t=3.0" in media
    assert "video/mp4" in media
