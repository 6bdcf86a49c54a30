"""The container starts a server that answers: its command line is run here as it is written, outside of one."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from digit_folders import burst
from ilap.data.contract import Dataset

HERE = Path(__file__).parent.parent.parent
CONTAINER = (HERE / "Containerfile").read_text()
BIN = Path(sys.executable).parent
HADOLINT = shutil.which("hadolint", path=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")


HEALTH, COMMAND = map(json.loads, re.findall(r"^\s*CMD (\[.*\])$", CONTAINER, re.MULTILINE))
(ENTRY,) = map(json.loads, re.findall(r"^ENTRYPOINT (\[.*\])$", CONTAINER, re.MULTILINE))


def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text())
    return found


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([str(HADOLINT), HERE / "Containerfile"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_nobody_is_root_and_the_port_is_of_this_machine_only() -> None:
    user = re.findall(r"^USER (\S+)$", CONTAINER, re.MULTILINE)[-1]
    assert int(user) > 0
    service = compose()["services"]["ilap"]
    assert service["build"]["dockerfile"] == "Containerfile"
    assert service["ports"] == ["127.0.0.1:8420:8420"]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert "./pictures:/pictures:ro" in service["volumes"]
    assert set(compose()["volumes"]) == {"data"}


def answered(command: Sequence[str], folder: Path) -> None:
    """Start the container's command on a free port; it is healthy, takes the token that it made, and ends."""
    (folder / "data").mkdir()
    words = [
        word.replace("/data", f"{folder}/data").replace("/pictures", f"{folder}/pictures") for word in command
    ]
    environment = {**os.environ, "HOME": "/nowhere", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [str(BIN / words[0]), *words[1:], "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().partition("/?")[0]
        port = address.rpartition(":")[2]
        check = [word.replace("8420", port) for word in HEALTH]
        assert subprocess.run([sys.executable, *check[1:]]).returncode == 0
        token = (folder / "data" / "token.txt").read_text().strip()
        headers = {"Authorization": f"Bearer {token}"}
        status = httpx.get(f"{address}/api/v1/status", headers=headers).json()
        assert status["learner"] == f"{folder}/data/animals.ilap"
        learning = httpx.get(f"{address}/api/v1/learn", headers=headers).json()
        assert learning["watching"] == [f"{folder}/pictures"]
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
        assert "0.0.0.0 lets other machines reach this server" in said
        assert subprocess.run([sys.executable, *check[1:]], capture_output=True).returncode != 0
    finally:
        process.kill()
        process.wait()


def test_its_command_serves_and_learns(tmp_path: Path, digits: Dataset) -> None:
    burst(tmp_path / "pictures" / "one", digits, 3, 0, 5)
    answered([*ENTRY, *COMMAND], tmp_path)
    assert compose()["services"]["ilap"]["command"] == COMMAND
