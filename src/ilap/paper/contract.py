"""What a figure of the report is: a file in figures/ that offers ``make``, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Order:
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


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, for which learners or detectors our runs confirm it, and the sentence that says so
    with its numbers."""

    claim: str
    confirmed: Mapping[str, bool]
    sentence: str

    @property
    def verdict(self) -> str:
        """In a few words.

        >>> Finding("", {"paper": False, "fast": True}, "").verdict
        'confirmed for fast, not for paper'
        >>> Finding("", {"paper": True}, "").verdict, Finding("", {}, "").verdict
        ('confirmed for paper', 'cannot be told')
        """
        yes = " and ".join(name for name, holds in self.confirmed.items() if holds)
        no = " and ".join(name for name, holds in self.confirmed.items() if not holds)
        if not yes:
            return f"not confirmed for {no}" if no else "cannot be told"
        return f"confirmed for {yes}" + (f", not for {no}" if no else "")


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
    findings: tuple[Finding, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


class Maker(Protocol):
    """Makes a figure, from runs that it carries out or that are there."""

    def __call__(self, order: Order) -> Made:
        """The figure."""
