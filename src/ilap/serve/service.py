"""A learner that many ask at once: one thread has it, and whoever asks waits for its turn.

What is only read of the file's rows (pictures, the log) is read by other threads beside it, each with a
connection of its own, so that pictures appear while an answer is worked out.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events
from ilap.serve.problems import Problem

T = TypeVar("T")
READERS = 2


class Service:
    """``read_only`` refuses whatever would change the learner. ``stopping`` is set when the server ends, for
    answers that go on for as long as it runs."""

    def __init__(self, learner: LearnerInFile, read_only: bool = False) -> None:
        self.learner, self.read_only, self.stopping = learner, read_only, False
        self.decoding = asyncio.Semaphore(READERS)  # pictures that are decoded at once
        self._turn = ThreadPoolExecutor(1, "ilap-learner")
        self._readers = ThreadPoolExecutor(READERS, "ilap-reader")

    async def read(self, ask: Callable[[LearnerInFile], T]) -> T:
        """What the learner knows, all of one moment."""

        def asked() -> T:
            with self.learner.snapshot():
                return ask(self.learner)

        return await asyncio.get_running_loop().run_in_executor(self._turn, asked)

    async def write(self, do: Callable[[LearnerInFile], T]) -> T:
        """What a person says, as one transaction. It is carried out also if whoever said it does not wait."""
        if self.read_only:
            raise Problem(403, "This server only reads (--read-only): start ilap serve without it to answer.")
        done = asyncio.get_running_loop().run_in_executor(self._turn, lambda: do(self.learner))
        return await asyncio.shield(done)

    async def look(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Rows of the file, beside the learner."""

        def asked() -> T:
            with self.learner.file.snapshot() as connection:
                return ask(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, asked)

    async def last_event(self) -> int:
        """The number of the last event of the log."""
        return await self.look(events.last)

    def close(self) -> None:
        """Let what has begun end, and nothing else begin. The learner is still open."""
        self.stopping = True
        for pool in (self._turn, self._readers):
            pool.shutdown(wait=True, cancel_futures=True)
