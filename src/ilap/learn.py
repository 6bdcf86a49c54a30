"""``ilap learn``: a folder of bursts through a learner that lives in a file.

What was learned before is known by its content and passed over, so the same command goes on after it was
stopped, and next month with the pictures that are new.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ilap.decision import Decision
from ilap.exposure import Exposure
from ilap.kept import KeptLearner
from ilap.sources.bursts import Burst
from ilap.sources.read import ahead
from ilap.store.relocate import relocate


@dataclass(frozen=True)
class Outcome:
    """What came of a burst: a decision, or none where nothing in it was new or could be read."""

    burst: Burst
    decision: Decision | None
    pictures: int
    known: int
    bad: tuple[str, ...]


def learn(learner: KeptLearner, bursts: Sequence[Burst]) -> Iterator[Outcome]:
    """Show a learner the bursts that it has not seen, one by one."""
    connection = learner.file.connection
    files = {
        path: (size, modified, digest)
        for path, size, modified, digest in connection.execute(
            "SELECT path, bytes, modified, sha256 FROM pictures WHERE path IS NOT NULL"
        )
    }
    contents = {digest for (digest,) in connection.execute("SELECT sha256 FROM pictures")}

    def as_it_was(path: Path, stat: os.stat_result) -> str | None:
        size, modified, digest = files.get(str(path), (None, None, None))
        return digest if (size, modified) == (stat.st_size, stat.st_mtime_ns) else None

    for loaded in ahead(bursts, as_it_was, contents):
        burst, decision = loaded.burst, None
        if loaded.pictures:
            folder = str(burst.folder) if burst.folder else None
            exposure = Exposure(loaded.pictures, burst.ordered, burst.name, loaded.files, folder)
            decision = learner.observe(exposure)
            contents.update(file.sha256 for file in loaded.files)
        if moved := [file for file in loaded.known if file.path not in files]:
            relocate(learner.file, moved, burst.folder)
        yield Outcome(burst, decision, len(loaded.pictures), len(loaded.known), tuple(loaded.bad))
