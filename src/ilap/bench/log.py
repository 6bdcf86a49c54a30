"""The log of a run: JSON lines, one an exposure. All tables and figures are derived from it.

A line holds the whole record and which pictures the exposure showed, so the stream is stored with the run. A
line that was cut off by a crash is left out, and the run goes on from the one before it.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ilap.bench.run import Record
from ilap.decision import Decision


@dataclass(frozen=True)
class Entry:
    """One line."""

    data: str
    learner: str
    seed: int
    record: Record
    pictures: tuple[int, ...]
    facts: dict[str, float] = field(default_factory=dict)


def add(file: BinaryIO, entry: Entry) -> None:
    """Write a line, and wait until it is on the disk."""
    file.write(to_line(entry))
    file.flush()
    os.fsync(file.fileno())


def read(path: Path) -> tuple[list[Entry], int]:
    """The whole lines of a log, and how many bytes they are; none where there is no log."""
    entries, size = [], 0
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
        try:
            entry = from_line(line)
        except (ValueError, KeyError, TypeError):
            break
        if not line.endswith(b"\n"):
            break
        entries.append(entry)
        size += len(line)
    return entries, size


def to_line(entry: Entry) -> bytes:
    """An entry as JSON."""
    fields = asdict(entry)
    plain(fields["record"]["decision"])
    return json.dumps(fields).encode() + b"\n"


def plain(decision: dict[str, Any]) -> None:
    """Make a decision's fields fit for JSON: a score that there is not is null, drops are kept to four
    places."""
    decision["drops"] = {k: round(drop, 4) for k, drop in decision["drops"].items()}
    decision["score"] = None if math.isnan(decision["score"]) else decision["score"]
    for settled in decision["settled"]:
        plain(settled)


def from_line(line: bytes) -> Entry:
    """The entry of a line."""
    fields: dict[str, Any] = json.loads(line)
    record = fields["record"]
    record["decision"] = restored(record["decision"])
    fields.update(record=Record(**record), pictures=tuple(fields["pictures"]))
    return Entry(**fields)


def restored(fields: dict[str, Any]) -> Decision:
    """A decision from its fields in JSON, where keys are words and tuples are lists."""
    known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    known["score"] = float("nan") if fields["score"] is None else fields["score"]
    for name in ("drops", "p_known"):
        known[name] = {int(k): share for k, share in fields[name].items()}
    known["settled"] = tuple(restored(settled) for settled in fields["settled"])
    return Decision(**known)
