"""The streams by which the promise is measured, in families: benchmarks/streams.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.bench.cell import Cell
from ilap.bench.stream import Plan
from ilap.core.errors import BadSetting


@dataclass(frozen=True)
class Family:
    """Streams of related data: what is fitted on others says something about them."""

    name: str
    streams: tuple[tuple[str, Plan], ...]  # data set and plan

    def cells(
        self, learner: str, seeds: Sequence[int], changes: Mapping[str, Any], answers: int = 0
    ) -> list[Cell]:
        """A run of every stream with every seed, after which a person gives so many answers. No test pictures
        are named."""
        return [
            Cell(data, learner, seed, plan, changes, tested=False, answers=answers)
            for data, plan in self.streams
            for seed in seeds
        ]


def read(path: Path) -> tuple[list[Family], list[int]]:
    """The families of a list, and the seeds that it names."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    families = [
        Family(one["name"], tuple((line["data"], plan) for line in one["streams"] for plan in plans(line)))
        for one in listed["family"]
    ]
    return families, listed["seeds"]


def plans(line: Mapping[str, Any]) -> list[Plan]:
    """The streams of a line, one for each number of classes.

    >>> [plan.classes for plan in plans({"classes": [5, "all"], "size": [1, 50], "repeats": 8})]
    [5, None]
    """
    size = line.get("size")
    return [
        Plan(
            tuple(size) if isinstance(size, list) else size,
            line.get("repeats"),
            line.get("draw", "disjoint"),
            classes=None if count == "all" else count,
        )
        for count in line["classes"]
    ]


def chosen(families: Sequence[Family], names: Sequence[str]) -> list[Family]:
    """Those of these names; all, if none is named."""
    known = {family.name: family for family in families}
    if odd := [name for name in names if name not in known]:
        raise BadSetting(f"There is no family {odd[0]!r}: take one of {', '.join(known)}.")
    return [known[name] for name in names or known]
