"""A cell of table 1: one data set, one model, one seed; and its log, JSON lines, one an exposure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ilap.bench.cell import dataset
from ilap.bench.stream import Plan, Stream, plan
from ilap.settings import Settings, resolve

KNOWN = 2  # classes that have to be known before an exposure is scored

Line = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """A classifier and the detectors that look at it: each a row of the table, with the settings in which it
    differs. A row's detector is that of its name, unless the settings name another."""

    name: str
    preset: str
    changes: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]]

    def settings(self, row: str = "") -> Settings:
        """Those of the model, or of one of its rows."""
        own = {"detector": row, **self.rows[row]} if row else {}
        return resolve(self.preset, {**self.changes, **own})


@dataclass(frozen=True)
class NoveltyCell:
    """One data set, one model, one seed. In the closed loop ``row`` is whose decisions are followed."""

    data: str
    model: Model
    seed: int
    plan: Plan
    row: str = ""
    threshold: float | None = None

    @property
    def name(self) -> str:
        """Readable and its own: another name for every other setting."""
        sign = hashlib.sha256(json.dumps(asdict(self), sort_keys=True, default=str).encode()).hexdigest()[:8]
        loop = f" {self.row} closed" if self.row else ""
        return re.sub("[^A-Za-z0-9.]+", "-", f"{self.data} {self.model.name}{loop} {self.seed}") + f"-{sign}"

    def stream(self) -> Stream:
        """The stream that the seed gives, the same for all models."""
        return plan(dataset(self.data), self.plan, self.seed, self.seed)

    def path(self, folder: Path) -> Path:
        """Where its log lies."""
        return folder / f"{self.name}.jsonl"


def read(path: Path) -> list[Line]:
    """The whole lines of a log; none where there is none."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
