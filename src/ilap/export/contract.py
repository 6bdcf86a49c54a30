"""What an export is: a file here whose ``write`` takes an order and says what it wrote.

A writer reads the learner and never writes to it, nor to a picture. What it makes appears whole or not at all
(safely.py). Its file's name is the kind that is asked for. What it can be told beside a place to write to are
the fields of its ``Parameters`` (core/parameters.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ilap.core.parameters import NoParameters


@dataclass(frozen=True)
class Order:
    """What somebody asks for: of which learner, where to, and what else this kind can be told; ``force`` lets a
    file that ilap has not made be replaced."""

    learner: Path
    out: Path
    force: bool = False
    parameters: Any = field(default_factory=NoParameters)


@dataclass(frozen=True)
class Written:
    """What was written. ``left_out`` are pictures that this kind has no place for; ``advice`` is what a person
    has to know or do."""

    kind: str
    path: str
    pictures: int
    classes: int
    left_out: int = 0
    advice: str = ""


class Writer(Protocol):
    """The ``write`` of a file."""

    def __call__(self, order: Order) -> Written:
        """Write what was ordered."""
