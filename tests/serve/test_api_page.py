"""The lines of docs/api.md do what they say."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from pictures_in_file import Kept
from served import TOKEN, Running

PAGE = Path(__file__).parent.parent.parent / "docs" / "api.md"
LINES = [line for line in PAGE.read_text().splitlines() if line.startswith("curl ")]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_line_is_answered(kept: Kept, start: Callable[[Path], Running], tmp_path: Path) -> None:
    running = start(kept.file)
    assert len(LINES) > 10
    for line in LINES:
        words = shlex.split(line.replace("$TOKEN", TOKEN).replace("http://127.0.0.1:8420", running.root))
        words = [word.replace("/home/me/pictures", str(kept.source / "cam0")) for word in words]
        done = subprocess.run(
            ["curl", "--fail-with-body", *words[1:]], cwd=tmp_path, capture_output=True, text=True
        )
        if "/events" in line:
            assert done.returncode == 28, done.stdout  # it listens until the time is up
            assert "id: 1\n" in done.stdout
            continue
        assert done.returncode == 0, (line, done.stdout)
        if "-o" not in words:
            assert json.loads(done.stdout), line
    assert (tmp_path / "picture.jpg").stat().st_size > 100


def test_every_path_is_written_down(start: Callable[[Path], Running], kept: Kept) -> None:
    root = start(kept.file).root
    described = httpx.get(f"{root}/api/v1/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"}).json()
    said = PAGE.read_text()
    for path in described["paths"]:
        word = re.sub(r"\{\w+\}", "{", path).partition("{")[0].rstrip("/")
        assert word in said, path
