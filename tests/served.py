"""What tests of the server share."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

TOKEN = "a token of a test, long enough"
ADDRESS = "http://127.0.0.1:8420"

SERVE = """
import sys
from pathlib import Path
from ilap.checks.digits import Pixels
from ilap.keep.learner import LearnerInFile
from ilap.serve import learning
from ilap.serve.server import serve

learning.QUIET, watch = 0.5, list(map(Path, sys.argv[4:]))
backbone = Pixels() if sys.argv[3] == "pixels" else None
with LearnerInFile(sys.argv[1], backbone=backbone, create=bool(watch)) as learner:
    serve(learner, lambda address: print(address, flush=True), token=sys.argv[2], watch=watch)
"""


def is_problem(answer: httpx.Response, status: int) -> bool:
    """Whether an answer says what is wrong, as problem+json, in a sentence."""
    said = answer.json()
    return (
        answer.status_code == said["status"] == status
        and answer.headers["Content-Type"] == "application/problem+json"
        and str(said["detail"]).endswith(".")
    )


@dataclass(frozen=True)
class Running:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str

    @property
    def root(self) -> str:
        return self.address.partition("/?")[0]


@contextmanager
def starting() -> Iterator[Callable[..., Running]]:
    """Starts servers, on free ports, and ends them."""
    running: list[subprocess.Popen[str]] = []

    def started(file: Path, backbone: str = "pixels", watch: Sequence[Path] = ()) -> Running:
        command = [sys.executable, "-c", SERVE, str(file), TOKEN, backbone, *map(str, watch)]
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
