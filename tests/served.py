"""What tests of the server share."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

import httpx

TOKEN = "a token of a test, long enough"
ADDRESS = "http://127.0.0.1:8420"

SERVE = """
import sys
from ilap.checks.digits import Pixels
from ilap.keep.learner import LearnerInFile
from ilap.serve.server import serve

with LearnerInFile(sys.argv[1], backbone=Pixels(), create=False) as learner:
    serve(learner, lambda address: print(address, flush=True), token=sys.argv[2])
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
