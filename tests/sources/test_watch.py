"""A watched folder: bursts are taken when they have stopped changing, and each once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from ilap.sources.bursts import Burst, Cutting, cut
from ilap.sources.watch import Watched


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def picture(path: Path, grey: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (8, 8), grey).save(path)


def taken(watched: Watched) -> list[str]:
    """What is ready now, and is then done."""
    if not watched.look():
        return []
    found: list[Burst] = watched.ready(cut(watched.root, Cutting(), lambda sentence: None))
    watched.done()
    return [burst.name for burst in found]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watched(tmp_path: Path, clock: Clock) -> Watched:
    return Watched(tmp_path, 5, clock)


def test_a_burst_is_taken_once_when_its_files_have_stopped_changing(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "a" / "1.png")
    assert taken(watched) == []
    clock.now = 4
    picture(watched.root / "a" / "2.png")
    assert taken(watched) == []
    clock.now = 6
    assert taken(watched) == []
    clock.now = 9
    assert taken(watched) == ["a"]
    clock.now = 20
    assert taken(watched) == []


def test_a_file_that_grows_waits_and_what_is_whole_does_not(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "whole" / "1.png")
    growing = watched.root / "growing" / "1.png"
    picture(growing)
    for second in range(0, 12, 2):
        clock.now = second
        with growing.open("ab") as file:
            file.write(b"more")
        assert taken(watched) == (["whole"] if second == 6 else [])
    clock.now = 15
    assert taken(watched) == ["growing"]


def test_a_burst_to_which_a_picture_is_added_is_taken_again(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "a" / "1.png")
    assert taken(watched) == []
    clock.now = 5
    assert taken(watched) == ["a"]
    picture(watched.root / "a" / "2.png")
    assert taken(watched) == []
    clock.now = 10
    assert taken(watched) == ["a"]


def test_what_is_never_part_of_a_burst_is_looked_at_once(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "loose.png")
    picture(watched.root / "a" / "1.png")
    assert not watched.look()
    clock.now = 5
    assert taken(watched) == ["a"]
    assert not watched.look()


def test_what_failed_is_ready_again(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "a" / "1.png")
    watched.look()
    clock.now = 5
    assert watched.look()
    clock.now = 35
    assert taken(watched) == ["a"]


def test_a_folder_that_goes_and_comes_is_no_error(watched: Watched, clock: Clock) -> None:
    picture(watched.root / "a" / "1.png")
    watched.look()
    os.rename(watched.root / "a", watched.root / ".hidden")
    clock.now = 5
    assert taken(watched) == []
    os.rename(watched.root / ".hidden", watched.root / "b")
    assert taken(watched) == []
    clock.now = 10
    assert taken(watched) == ["b"]
