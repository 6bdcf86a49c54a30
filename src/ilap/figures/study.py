"""Studies: what a figure measures beyond the runs of the tables, as a log of JSON lines that can go on.

A study knows how many steps it has and can begin at any of them. Its file's name holds a hash of all that it
was told, so that another setting is another study.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol

from filelock import FileLock

from ilap.bench.novelty_cell import read
from ilap.bench.processes import Job, bars, carry_out_all
from ilap.errors import BadOutput

Line = dict[str, Any]


class Study(Protocol):
    """A frozen dataclass of plain data that says what to measure."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def title(self) -> str:
        """For the bars."""

    @property
    def steps(self) -> int:
        """How many lines its log has in the end."""

    def lines(self, begin: int) -> Iterator[Line]:
        """The lines from a step on."""


def path_of(study: Study, folder: Path) -> Path:
    """Where its log lies."""
    kind = type(study).__name__.lower()
    spec = json.dumps([kind, asdict(study)], sort_keys=True, default=str)
    readable = re.sub("[^A-Za-z0-9.]+", "-", f"{kind} {study.title}")
    return folder / f"{readable}-{hashlib.sha256(spec.encode()).hexdigest()[:8]}.jsonl"


def carry_out(study: Study, folder: Path) -> None:
    """Do what is left of a study, a line at a time. A line that was cut off is begun anew."""
    path = path_of(study, folder)
    with FileLock(path.with_suffix(".lock")):
        done = len(read(path))
        whole = path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0
        with path.open("ab") as file:
            file.truncate(whole)
            for line in study.lines(done) if done < study.steps else ():
                file.write(json.dumps(line).encode() + b"\n")
                file.flush()


def run(studies: Sequence[Study], out: Path, jobs: int | None) -> list[list[Line]]:
    """The lines of all studies, measured where they are not there."""
    folder = out / "studies"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOutput(f"{out} cannot be written to ({error.strerror}): name another with --out.") from None
    work = [Job(s.title, path_of(s, folder), s.steps, partial(carry_out, s, folder)) for s in studies]
    with bars() as progress:
        carry_out_all(work, jobs, progress)
    return [read(job.log) for job in work]


def seconds(logs: Sequence[Sequence[Line]]) -> float:
    """What all lines took."""
    return float(sum(line.get("seconds", 0.0) for lines in logs for line in lines))
