"""Folders that somebody else names: below a root, wherever links lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilap.sources.bursts import Burst
from ilap.sources.roots import is_below, only_below


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a folder, a link to it, and a link that leads out of it."""
    inside, outside = tmp_path / "root" / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir(parents=True)
        (folder / "1.png").touch()
    (tmp_path / "root" / "there").symlink_to(inside)
    (tmp_path / "root" / "away").symlink_to(outside)
    return tmp_path / "root"


@pytest.mark.parametrize(
    ("folder", "below"),
    [
        ("", True),
        ("inside", True),
        ("there", True),
        ("inside/../inside", True),
        ("not/there/yet", True),
        ("away", False),
        ("../outside", False),
        ("inside/../../outside", False),
        ("../root2", False),
        ("/", False),
        ("/etc", False),
        ("inside\0", False),
        ("\ud800", False),
    ],
)
def test_a_folder_is_below_by_where_it_really_is(root: Path, folder: str, below: bool) -> None:
    assert is_below(root / folder, [root]) is below


def test_pictures_that_are_links_to_elsewhere_are_left_out_and_told(root: Path) -> None:
    (root / "inside" / "2.png").symlink_to(root.parent / "outside" / "1.png")
    (root / "inside" / "3.png").symlink_to(root / "inside" / "1.png")
    paths = tuple(root / "inside" / f"{number}.png" for number in (1, 2, 3))
    outside = Burst("away", root / "away", (root / "away" / "1.png",), True)
    said: list[str] = []
    (kept,) = only_below([Burst("inside", root / "inside", paths, True), outside], [root], said.append)
    assert kept.paths == (paths[0], paths[2])
    assert said == ["2 links to elsewhere were passed over: allow its folder by --root"]
