"""A learner of real picture files, served in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilap.checks.digits import Pixels
from ilap.core.extras import installed
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from pictures_in_file import Kept, learned

if TYPE_CHECKING:  # of the extra serve, without which these tests are skipped
    from starlette.testclient import TestClient

    from ilap.serve.access import Keys
    from served import Running

collect_ignore_glob = [] if installed("fastapi") and installed("httpx") else ["test_*.py"]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Kept:
    return learned(tmp_path_factory.mktemp("served"), digits)


@pytest.fixture
def kept(made: Kept, tmp_path: Path) -> Kept:
    return made.copied(tmp_path / "kept")


@pytest.fixture
def learner(kept: Kept) -> Iterator[LearnerInFile]:
    with LearnerInFile(kept.file, backbone=Pixels(), create=False) as opened:
        yield opened


@pytest.fixture
def keys() -> Keys:
    from ilap.serve.access import Keys
    from served import TOKEN

    return Keys(TOKEN)


@pytest.fixture(scope="session")
def opened(made: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LearnerInFile]:
    """For tests that change nothing."""
    kept = made.copied(tmp_path_factory.mktemp("read"))
    with LearnerInFile(kept.file, backbone=Pixels(), create=False) as opened:
        yield opened


@pytest.fixture
def stranger(opened: LearnerInFile, keys: Keys) -> Iterator[TestClient]:
    """Somebody without a token, who changes nothing."""
    from starlette.testclient import TestClient

    from ilap.serve.app import guarded
    from ilap.serve.service import Service
    from served import ADDRESS

    app = guarded(Service(opened), keys)
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A script with the token."""
    from served import TOKEN

    stranger.headers["Authorization"] = f"Bearer {TOKEN}"
    return stranger


@pytest.fixture
def person(learner: LearnerInFile) -> Iterator[TestClient]:
    """A script with the token, and a learner of its own that it may change."""
    from starlette.testclient import TestClient

    from ilap.serve.access import Keys
    from ilap.serve.app import guarded
    from ilap.serve.service import Service
    from served import ADDRESS, TOKEN

    headers = {"Authorization": f"Bearer {TOKEN}"}
    app = guarded(Service(learner), Keys(TOKEN))
    with TestClient(app, base_url=ADDRESS, headers=headers, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def start() -> Iterator[Callable[[Path], Running]]:
    """Start servers, on free ports."""
    from served import SERVE, TOKEN, Running

    running: list[subprocess.Popen[str]] = []

    def started(file: Path) -> Running:
        command = [sys.executable, "-c", SERVE, str(file), TOKEN]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        running.append(process)
        assert process.stdout is not None
        until = time.monotonic() + 60
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert time.monotonic() < until
        return Running(process, address)

    yield started
    for process in running:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
