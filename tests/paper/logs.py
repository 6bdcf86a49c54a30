"""Logs of runs that never were, for figures worked by hand."""

from __future__ import annotations

from collections.abc import Sequence

from ilap.bench.records import Entry, Record
from ilap.core.decision import Decision


def log(right: Sequence[bool], accuracy: Sequence[float], seed: int = 0, **facts: float) -> list[Entry]:
    """One run: which decisions were right, and the accuracy after each; two classes, the second comes
    second."""
    entries = []
    for number, (was_right, share) in enumerate(zip(right, accuracy, strict=True)):
        decision = Decision("new", number, 0.0, {}, "", number, 0.5)
        found = min(number + 1, 2)
        record = Record(decision, number % 2, number < 2, was_right, share, share, found, found + 1)
        entries.append(Entry("toys", "toy", seed, record, (number,), facts))
    return entries
