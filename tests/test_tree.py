"""Whatever lies in somebody's folder, all at once: learned to the end, and every file accounted for."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import ilap
from films import film
from ilap.core.extras import installed
from ilap.data.contract import Dataset
from raw_files import dng, jpeg

BAD = os.fsdecode(b"\xff")
BURST, WRONG, BURSTS = 8, 10, 10

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are text here, or there are no pipes")


def build(root: Path, digits: Dataset) -> None:
    """A flat folder of numbered pictures in bursts of 8, with everything else among them."""
    flat = root / f"camera {BAD}"
    flat.mkdir(parents=True)
    rng = np.random.default_rng(0)
    rows = {label: list(rng.permutation(np.flatnonzero(digits.train.labels == label))) for label in range(10)}
    pictures = [digits.train.pictures[int(rows[n].pop())] for n in range(BURSTS) for _ in range(BURST)]
    for number, picture in enumerate(pictures):
        Image.fromarray(picture).save(flat / f"{number:03}{BAD}.png")
    whole = (flat / f"000{BAD}.png").read_bytes()
    (flat / "900.jpg").write_bytes(whole[: len(whole) // 2])
    (flat / "901.jpg").write_text("no picture")
    (flat / "no number.png").write_bytes(whole)
    os.mkfifo(flat / "902.jpg")
    (flat / "903.jpg").symlink_to(root / "gone.jpg")
    with socket.socket(socket.AF_UNIX) as open_socket:
        os.chdir(flat)  # a socket's path is short
        open_socket.bind("904.jpg")
    Image.fromarray(np.dstack([255 - pictures[0]] * 3)).save(flat / "910.gif")
    if installed("pillow_heif"):
        from pillow_heif import register_heif_opener

        register_heif_opener()
        large = np.kron(pictures[1], np.ones((8, 8), np.uint8))
        Image.fromarray(np.dstack([large] * 3)).save(flat / "911.heic")
    else:
        (flat / "911.heic").write_bytes(b"a telephone's")
    (flat / "912.dng").write_bytes(dng(jpeg()))
    if installed("av"):
        film(flat / f"clip {BAD}.mp4", [np.kron(one, np.ones((4, 4), np.uint8)) for one in pictures[:5]])
    else:
        (flat / f"clip {BAD}.mp4").write_bytes(b"a camera's")
    (flat / "cut.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    (flat / "notes.txt").write_text("a note")
    (flat / ".hidden.png").write_bytes(whole)
    (root / ".thumbnails").mkdir()
    (root / ".thumbnails" / "1.png").write_bytes(whole)
    (root / "empty" / "empty").mkdir(parents=True)


@pytest.fixture
def tree(tmp_path: Path, digits: Dataset, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "tree", digits)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tree"


def test_a_tree_with_everything_in_it_is_learned_and_every_file_is_accounted_for(
    tree: Path, tmp_path: Path
) -> None:
    learner = tmp_path / "a.ilap"
    words = ("learn", str(learner), str(tree), "--by-name", r"^(\d\d)\d", "--json")
    done = ilap(*words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    files, passed = report["files"], report["files"]["not_read"]
    everything = sum(len(names) for _, _, names in os.walk(tree))
    assert files["found"] == everything == files["read"] + files["known"] + sum(passed.values())
    extras = {"HEIC picture": "pillow_heif", "raw picture": "rawpy"}
    read = [kind for kind, package in extras.items() if installed(package)]
    assert passed == {
        "file of another kind": 1,
        "hidden file": 2,
        "link to nothing": 1,
        "pipe, socket or device": 2,
        "picture whose name does not match": 1,
        "file that cannot be read": 3 if installed("av") else 2,
        **{kind: 1 for kind in extras if kind not in read},
        **({} if installed("av") else {"video": 2}),
    }
    assert (files["known"], files["read"]) == (0, BURST * BURSTS + 1 + len(read) + installed("av"))
    assert set(files["advice"]) == set(passed) & {*extras, "video"}
    assert len(report["cut"]["mixed"]) >= 2
    assert len(report["cut"]["alike"]) >= 3
    assert ilap("check", str(learner)).returncode == 0
    again = json.loads(ilap(*words).stdout)
    assert (again["files"]["known"], again["files"]["found"]) == (files["read"], everything)
    assert again["decisions"] == []


def test_the_summary_says_it_in_one_line(tree: Path, tmp_path: Path) -> None:
    words = ("learn", str(tmp_path / "a.ilap"), str(tree), "--by-name", r"^(\d\d)\d")
    done = ilap(*words)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("files")]
    assert "2 pipes, sockets or devices" in line
    assert "2 hidden files" in line
    assert "Traceback" not in done.stderr


def test_a_tree_of_which_nothing_is_read_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "bad" / "a").mkdir(parents=True)
    (tmp_path / "bad" / "a" / "1.png").write_text("no picture")
    assert ilap("learn", str(tmp_path / "b.ilap"), str(tmp_path / "bad")).returncode == 1
    (tmp_path / "tree" / "a").mkdir(parents=True)
    os.mkfifo(tmp_path / "tree" / "a" / "1.png")
    (tmp_path / "tree" / "a" / "notes.txt").write_text("a note")
    done = ilap("learn", str(tmp_path / "a.ilap"), str(tmp_path / "tree"))
    assert done.returncode == 1
    assert not (tmp_path / "a.ilap").exists()
