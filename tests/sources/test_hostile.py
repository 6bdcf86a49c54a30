"""Pictures that somebody made to do harm are read or reported; memory is bounded, and the process lives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hostile import hostile

LOOK = """
import json, resource, sys
from pathlib import Path
from ilap.sources import bursts, read
from ilap.sources.tree import Found

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

read.read(Path(sys.argv[2]))  # libraries that are imported when they are needed
before, told, found = peak(), [], Found()
good = bad = 0
for loaded in read.ahead(bursts.by_folder(Path(sys.argv[1]), told.append, found), {}, set()):
    files = loaded.burst.video is not None
    good += bool(loaded.pictures or loaded.known) if files else len(loaded.pictures) + len(loaded.known)
    bad += (not (loaded.pictures or loaded.known)) if files else len(loaded.bad)
    assert all(max(picture.shape[:2]) <= 512 for picture in loaded.pictures)
    told += loaded.bad
print(json.dumps({"read": good, "bad": bad, "passed": found.passed, "told": len(told), "MB": peak() - before}))
"""
"""What ``ilap learn`` does with files before it looks at pictures, in a process of its own."""
PEAK_MB = 2000  # a picture of 178 million pixels with alpha, twice, and what else is under way


def looked_at(root: Path, count: int, seed: int, large: bool) -> dict[str, Any]:
    """Write the files, and what a process makes of them."""
    for number, (ending, data) in enumerate(hostile(count, seed, large)):
        folder = root / "tree" / f"{number // 50:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:04}.{ending}").write_bytes(data)
    harmless = root / "harmless.jpg"
    harmless.write_bytes((root / "tree" / "00" / "0019.jpg").read_bytes())
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOOK, str(root / "tree"), str(harmless)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def accounted(found: dict[str, Any], count: int) -> None:
    assert found["read"] + found["bad"] + sum(found["passed"].values()) == count, found
    assert found["read"] > count / 20, "some are harmless after all"
    assert found["bad"] > count / 10
    assert found["MB"] < PEAK_MB, found


@pytest.mark.skipif(sys.platform == "win32", reason="there is no resource module")
def test_sixty_hostile_pictures_are_read_or_reported(tmp_path: Path) -> None:
    accounted(looked_at(tmp_path, 60, 0, large=False), 60)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no resource module")
def test_a_thousand_hostile_pictures_are_read_or_reported(tmp_path: Path) -> None:
    accounted(looked_at(tmp_path, 1000, 1, large=True), 1000)
