"""A learner that many ask at once: one thread has it, and whoever asks waits for its turn.

What is only read of the file's rows (pictures, the log) is read by other threads beside it, each with a
connection of its own, so that pictures appear while an answer is worked out.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ilap.keep.learn import folders
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events
from ilap.serve.learning import Learning, Order, Progress
from ilap.serve.problems import Problem
from ilap.sources.bursts import Cutting
from ilap.sources.roots import is_below, topmost

T = TypeVar("T")
READERS = 2


class Service:
    """``read_only`` refuses whatever would change the learner. Requests may have it learn from folders below
    ``roots``; where there are none, from those that the learner's file knows. ``stopping`` is set when the
    server ends, for answers that go on for as long as it runs."""

    def __init__(self, learner: LearnerInFile, read_only: bool = False, roots: Sequence[Path] = ()) -> None:
        self.learner, self.read_only, self.stopping = learner, read_only, False
        self.decoding = asyncio.Semaphore(READERS)  # pictures that are decoded at once
        self._turn = ThreadPoolExecutor(1, "ilap-learner")
        self._readers = ThreadPoolExecutor(READERS, "ilap-reader")
        self._roots, self._watched = tuple(roots), list[Path]()
        self.learning = Learning(self.turn)

    async def read(self, ask: Callable[[LearnerInFile], T]) -> T:
        """What the learner knows, all of one moment."""

        def asked() -> T:
            with self.learner.snapshot():
                return ask(self.learner)

        return await asyncio.get_running_loop().run_in_executor(self._turn, asked)

    async def write(self, do: Callable[[LearnerInFile], T]) -> T:
        """What a person says, as one transaction. It is carried out also if whoever said it does not wait."""
        self.must_write()
        done = asyncio.get_running_loop().run_in_executor(self._turn, lambda: do(self.learner))
        return await asyncio.shield(done)

    def must_write(self) -> None:
        """Refuse what changes something where nothing may be changed."""
        if self.read_only:
            raise Problem(403, "This server only reads (--read-only): start ilap serve without it to answer.")

    def turn(self, do: Callable[[LearnerInFile], T]) -> T:
        """The same for a thread that waits for it."""
        return self._turn.submit(lambda: do(self.learner)).result()

    async def roots(self) -> tuple[Path, ...]:
        """The folders below which a request may have it learn."""
        known: Sequence[Path] = self._roots or await self.look(folders)
        return tuple(topmost([*known, *self._watched]))

    def watch(self, folder: Path, how: Cutting) -> None:
        """Take in new bursts of a folder for as long as the server runs."""
        self._watched.append(folder)
        self.learning.begin(Order(folder, how, True, (folder,)))

    async def learn(self, folder: str, how: Cutting, watch: bool) -> Progress:
        """Take in new bursts of a folder that a request names, once or for as long as the server runs."""
        self.must_write()
        roots, given = await self.roots(), Path(os.path.abspath(folder))
        if not os.path.isabs(folder) or not is_below(given, roots):
            raise Problem(403, not_allowed(roots))
        if not given.is_dir():
            raise Problem(404, f"There is no folder {given}: give the folder that holds your pictures.")
        return self.learning.begin(Order(given, how, watch, roots))

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
        self.learning.close()
        for pool in (self._turn, self._readers):
            pool.shutdown(wait=True, cancel_futures=True)


def not_allowed(roots: Sequence[Path]) -> str:
    """What to do where a folder is not below a root."""
    if not roots:
        return "This server knows no folder to learn from: start ilap serve with --root FOLDER."
    some = ", ".join([*map(str, roots[:3]), *(["..."] if len(roots) > 3 else [])])
    return (
        f"This server learns only from folders in {some}: give the whole path of one, or start ilap serve with "
        f"--root FOLDER."
    )
