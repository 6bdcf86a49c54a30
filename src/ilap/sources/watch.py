"""A folder that is watched: which bursts in it are new, and have stopped changing.

Files are looked at again and again, since not every file system tells what happens in it. A file that is being
copied changes its size or its time from one look to the next.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ilap.core.frames import file_of
from ilap.sources.bursts import Burst
from ilap.sources.tree import Found, walk

QUIET = 5.0  # seconds without a change after which a file is taken to be whole

State = tuple[int, int]
"""Of a file: its size and its time of change in nanoseconds."""


class Watched:
    """What was seen of a folder so far. ``quiet`` are the seconds without a change that a file needs."""

    def __init__(self, root: Path, quiet: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.root, self.quiet, self._clock = root, quiet, clock
        self._seen: dict[str, tuple[State, float]] = {}  # with the moment at which a file was first seen so
        self._whole: dict[str, State] = {}  # files that have stopped changing
        self._waiting: set[str] = set()  # those of them whose burst has not
        self._done: dict[str, State] = {}

    def look(self) -> bool:
        """Look at all files; says whether one of them is new and has stopped changing."""
        now, found, seen = self._clock(), Found(), {}
        folders = list(walk(self.root, lambda sentence: None, found))
        for path in (*(str(path) for _, own in folders for path in own), *map(str, found.videos)):
            try:
                stat = os.stat(path)
            except OSError:  # it has gone since
                continue
            state = (stat.st_size, stat.st_mtime_ns)
            before, since = self._seen.get(path, (None, now))
            seen[path] = (state, since if before == state else now)
        self._seen = seen
        self._whole = {path: state for path, (state, since) in seen.items() if now - since >= self.quiet}
        return any(map(self._is_new, self._whole))

    def _is_new(self, path: str) -> bool:
        return self._done.get(path) != self._whole.get(path)

    def ready(self, bursts: Iterable[Burst]) -> list[Burst]:
        """The bursts in which something is new, and all of which had stopped changing at the last look."""
        found, self._waiting = [], set()
        for burst in bursts:
            files = files_of(burst)
            if not files <= self._whole.keys():
                self._waiting |= files
            elif any(map(self._is_new, files)):
                found.append(burst)
        return found

    def done(self) -> None:
        """What was ready was taken; files that are in no burst need not be looked at again either."""
        self._done |= {path: state for path, state in self._whole.items() if path not in self._waiting}


def files_of(burst: Burst) -> set[str]:
    """The files of a burst."""
    return {str(burst.video)} if burst.video else {file_of(str(path)) for path in burst.paths}
