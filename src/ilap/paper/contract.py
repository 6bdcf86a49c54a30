"""What tables and figures of the report are made of, when a claim is confirmed, and which data are missing."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ilap.bench import tables
from ilap.bench.data import missing


@dataclass(frozen=True)
class Request:
    """What to make: at which scale, where, by how many processes. ``seeds`` replaces the scale's number."""

    scale: str
    out: Path
    jobs: int | None = None
    seeds: int | None = None

    @property
    def folder(self) -> Path:
        """Where figures are written."""
        return self.out / "figures"

    def command(self, what: str) -> str:
        """What makes it again."""
        seeds = f" --seeds {self.seeds}" if self.seeds else ""
        return f"ilap paper {what} --scale {self.scale}{seeds}"


LEAST_SEEDS = 3


def larger(ours: Sequence[float], theirs: Sequence[float], by: float = 0.0) -> bool:
    """Whether our figures exceed theirs beyond chance: with d the difference of each seed, mean(d) - ``by`` is
    larger than the standard deviation of d, over three seeds or more. The seeds of both are in the same order.

    >>> larger([0.9, 0.8, 0.9], [0.7, 0.7, 0.8]), larger([0.9, 0.7, 0.9], [0.8, 0.8, 0.8])
    (True, False)
    >>> larger([0.9, 0.9], [0.1, 0.1])
    False
    """
    each = [one - other for one, other in zip(ours, theirs, strict=False)]
    return len(each) >= LEAST_SEEDS and statistics.fmean(each) - by > statistics.stdev(each)


@dataclass(frozen=True)
class ClaimCheck:
    """A claim, for which learners, detectors or data sets our runs confirm it (``larger``), and the sentence
    that says so with its numbers."""

    claim: str
    confirmed: Mapping[str, bool]
    sentence: str

    @property
    def verdict(self) -> str:
        """In a few words.

        >>> ClaimCheck("", {"paper": False, "fast": True}, "").verdict
        'confirmed for fast, not shown for paper'
        >>> ClaimCheck("", {"paper": True}, "").verdict, ClaimCheck("", {}, "").verdict
        ('confirmed for paper', 'cannot be told')
        """
        yes = " and ".join(name for name, holds in self.confirmed.items() if holds)
        no = " and ".join(name for name, holds in self.confirmed.items() if not holds)
        if not yes:
            return f"not shown for {no}" if no else "cannot be told"
        return f"confirmed for {yes}" + (f", not shown for {no}" if no else "")


@dataclass(frozen=True)
class Made:
    """A figure that was made: its files (PNG, SVG, CSV), what it shows, and what it rests on. ``seconds`` is
    what the learners of all runs behind it took, added up by the clock; ``facts`` are its numbers in short."""

    name: str
    title: str
    caption: str
    files: tuple[Path, ...]
    command: str
    seeds: str
    seconds: float
    differs: tuple[str, ...] = ()
    gaps: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[ClaimCheck, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class MadeTable:
    """A table with what it rests on."""

    name: str
    title: str
    grid: tables.Grid
    command: str
    seeds: str
    seconds: float
    differs: tuple[str, ...] = ()
    gaps: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[ClaimCheck, ...] = ()


class Maker(Protocol):
    """Makes a figure, from runs that it carries out or that are there."""

    def __call__(self, request: Request) -> Made:
        """The figure."""


def gaps_of(data: Iterable[str]) -> dict[str, str]:
    """Of some data sets those that cannot be had, and the file that each lacks."""
    return {name: error.file for name in dict.fromkeys(data) if (error := missing(name))}


def gap_words(name: str, file: str) -> str:
    """The words in an empty panel."""
    return f"{name}: no data. Missing: {file}"
