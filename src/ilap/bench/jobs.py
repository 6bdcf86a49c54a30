"""Jobs: pieces of work that measure something, each with a log of JSON lines that can go on.

A job is a frozen dataclass of plain data. ``told`` is everything that its result depends on, with all settings
resolved; the log's name holds a hash of it and of the rule's version, and the log's first line says it in full.
So another setting, another default or another rule is another log, and nothing is taken for what it is not. A
line that was cut off by a crash is left out, and the job goes on from the one before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock

from ilap.core.errors import BadData
from ilap.core.files import output_folder
from ilap.core.rule import RULE
from ilap.core.version import __version__

Line = dict[str, Any]

LOGS = "logs"
OLDER = ("cells", "novelty", "studies")  # where logs lay before they had a first line


class Job(Protocol):
    """A frozen dataclass of plain data, so that it can be sent to another process."""

    @property
    def title(self) -> str:
        """In a few words, for the bars and for the log's name."""

    @property
    def inputs(self) -> Mapping[str, Any]:
        """Everything that its lines depend on, as JSON takes it."""

    @property
    def steps(self) -> int:
        """How many lines there are in the end."""

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """The lines after those that are done."""


@dataclass(frozen=True)
class Log:
    """The log of a job: where it lies, and the whole lines that are in it."""

    path: Path
    lines: list[Line]
    size: int  # bytes of the whole lines, the first one among them


def spec_of(job: Job) -> Line:
    """The first line of a job's log."""
    kind = type(job).__name__.lower()
    spec = {"kind": kind, "rule": RULE.name, "inputs": dict(job.inputs), "steps": job.steps}
    plain: Line = json.loads(json.dumps(spec, sort_keys=True))
    return plain


def path_of(job: Job, out: Path) -> Path:
    """Where its log lies: a name that is readable, and its own."""
    spec = spec_of(job)
    digest = hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:12]
    readable = re.sub("[^A-Za-z0-9.]+", "-", f"{spec['kind']} {job.title}").strip("-")
    return out / LOGS / f"{readable}-{digest}.jsonl"


def read(job: Job, out: Path) -> Log:
    """What there is of a job's log."""
    path = path_of(job, out)
    raw = path.read_bytes() if path.exists() else b""
    found, size = [], 0
    for line in raw.splitlines(keepends=True):
        try:
            content = json.loads(line)
        except ValueError:
            break
        if not line.endswith(b"\n"):
            break
        found.append(content)
        size += len(line)
    if found and found[0].get("log") != spec_of(job):
        raise BadData(f"{path} does not begin with what its job was told: it is another's, so remove it.")
    return Log(path, found[1:], size)


def written(path: Path) -> int:
    """How many lines a log has so far, without the first."""
    return max(path.read_bytes().count(b"\n") - 1, 0) if path.exists() else 0


def carry_out(job: Job, out: Path) -> None:
    """Do what is left of a job, a line at a time."""
    path = path_of(job, out)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        log = read(job, out)
        if len(log.lines) >= job.steps:
            return
        with path.open("ab") as file:
            file.truncate(log.size)
            if not log.size:
                add(file, {"log": spec_of(job), "ilap": __version__})
            for line in job.lines(log.lines):
                add(file, line)


def add(file: Any, line: Line) -> None:
    """Write a line, and wait until it is on the disk."""
    file.write(json.dumps(line).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def folder_for(out: Path) -> Path:
    """The folder of the logs, made if it is not there. Logs of an older version are left alone, and said to
    be."""
    if any((out / name).is_dir() for name in OLDER):
        warnings.warn(
            f"{out} holds logs of an older version of ilap, which do not say what they were told: they are not "
            f"used. Remove {', '.join(f'{name}/' for name in OLDER if (out / name).is_dir())}.",
            stacklevel=2,
        )
    return output_folder(out / LOGS)


def seconds(logs: Sequence[Sequence[Line]]) -> float:
    """What all lines took."""
    return float(sum(line.get("seconds", 0.0) for lines in logs for line in lines))
