"""What an export is: a file here whose ``write`` takes an order and says what it wrote.

A writer reads the learner and never writes to it, nor to a picture. What it makes appears whole or not at all
(safely.py). ``KINDS`` names the files; nothing of them is imported before it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

KINDS = {
    "csv": "table",
    "parquet": "parquet",
    "links": "links",
    "coco": "coco",
    "label-studio": "label_studio",
    "camtrap-dp": "camtrap_dp",
    "onnx": "graph",
}
"""What can be asked for, and the file that makes it."""


@dataclass(frozen=True)
class Order:
    """What somebody asks for: of which learner, and where to. ``copy`` is for links, ``url`` (what comes before
    a picture's path where pictures are served) for label-studio and camtrap-dp; ``force`` lets a file that ilap
    has not made be replaced."""

    learner: Path
    out: Path
    copy: bool = False
    force: bool = False
    url: str = ""


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
