"""Records of a run as lines of a log: all tables and figures are derived from them.

A line holds the whole record and which pictures the exposure showed, so the stream is stored with the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ilap.bench.jobs import Line
from ilap.core.decision import Decision


@dataclass(frozen=True)
class Answered:
    """A question by its id, what a person said, and the ARI of the places afterwards."""

    question: str
    key: str
    ari: float


@dataclass(frozen=True)
class Record:
    """What the learner said of an exposure, what was true, and how it did afterwards. ``accuracy`` is over
    the test pictures of all classes of the stream, ``accuracy_seen`` over the classes shown so far; None where
    there is nothing to test with. ``strangers`` are the exposure's pictures of other classes, and how many of
    them the learner left out. The last record of a run has the ``places`` of all exposures at the end, by their
    numbers; one that is in no class has none; and the ``answers`` that a person gave then."""

    decision: Decision
    truth: int
    novel: bool
    right: bool
    accuracy: float | None
    accuracy_seen: float | None
    unique_classes: int
    learned_classes: int
    strangers: int = 0
    strangers_found: int = 0
    places: Mapping[int, int] | None = None
    answers: tuple[Answered, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One line."""

    data: str
    learner: str
    seed: int
    record: Record
    pictures: tuple[int, ...]
    facts: dict[str, float] = field(default_factory=dict)


def to_line(entry: Entry) -> Line:
    """An entry as JSON takes it."""
    fields = asdict(entry)
    plain(fields["record"]["decision"])
    return fields


def plain(decision: dict[str, Any]) -> None:
    """Make a decision's fields fit for JSON: a score that there is not is null, drops are kept to four
    places."""
    decision["drops"] = {k: round(drop, 4) for k, drop in decision["drops"].items()}
    decision["score"] = None if math.isnan(decision["score"]) else decision["score"]
    for settled in decision["settled"]:
        plain(settled)


def from_line(line: Line) -> Entry:
    """The entry of a line."""
    record = dict(line["record"])
    record["decision"] = restored(record["decision"])
    if record.get("places") is not None:
        record["places"] = {int(exposure): place for exposure, place in record["places"].items()}
    record["answers"] = tuple(Answered(**one) for one in record.get("answers", ()))
    return Entry(**{**line, "record": Record(**record), "pictures": tuple(line["pictures"])})


def restored(fields: dict[str, Any]) -> Decision:
    """A decision from its fields in JSON, where keys are words and tuples are lists."""
    known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    known["score"] = float("nan") if fields["score"] is None else fields["score"]
    for name in ("drops", "p_known"):
        known[name] = {int(k): share for k, share in fields[name].items()}
    known["settled"] = tuple(restored(settled) for settled in fields["settled"])
    return Decision(**known)
