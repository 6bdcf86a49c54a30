"""What ``ilap bench`` does with what it was told: cells, a run, tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from rich.console import Console

from ilap.bench import tables
from ilap.bench.bench import run
from ilap.bench.cell import Cell
from ilap.bench.person import Asking
from ilap.bench.stream import Draw, Order, Plan
from ilap.core.errors import BadStream
from ilap.core.terminal import print_table, printable

SIZE, REPEATS = "200", "5"
"""The pictures of an exposure and the exposures of a class, where nothing is said and clips do not say it."""
SHOWN = (
    "data",
    "learner",
    "seeds",
    "decisions right",
    "sure at end",
    "wrong of sure",
    "accuracy",
    "unique classes",
    "auroc",
    "ari",
    "seconds",
)
"""The columns on the terminal."""


def bench(
    data: Sequence[str],
    learners: Sequence[str],
    plan: Mapping[str, Any],
    exposure_size: str | None,
    repeats: str | None,
    seeds: Sequence[int],
    own_seeds: Mapping[str, Any],
    changes: Mapping[str, Any],
    out: Path,
    jobs: int | None,
    as_json: bool,
    beside: tables.Beside,
    person: Mapping[str, Any],
) -> None:
    """Run all cells, write the tables, and print them; ``beside`` are published figures. When a
    stream has ended a ``person`` answers so many questions."""
    if person["questions"] not in get_args(Asking) or person["answers"] < 0:
        raise BadStream("Questions are ask, bulk, random or match, and answers 0 or more.")
    wanted = make_plan(plan, exposure_size, repeats)
    cells = [
        Cell(name, learner, seed, wanted, changes, **own_seeds, **person)
        for name in data
        for learner in learners
        for seed in seeds
    ]
    rows = run(cells, out, jobs)
    grid = tables.of_bench(rows, beside)
    files = tables.write(grid, out, "table")
    if as_json:
        print(json.dumps({"rows": rows, "tables": [str(file) for file in files]}))
    else:
        show(tables.of_bench(rows, beside, timed=True), SHOWN)
        Console(stderr=True).print(f"Tables: {', '.join(map(printable, files))}", soft_wrap=True)


def make_plan(plan: Mapping[str, Any], exposure_size: str | None, repeats: str | None) -> Plan:
    """A plan from words; 2-8 repeats are drawn for every class, sizes of 1-50 for every exposure. Clips need
    neither."""
    for name, words in (("draw", get_args(Draw)), ("order", get_args(Order))):
        if plan.get(name, words[0]) not in words:
            raise BadStream(f"{plan[name]!r} is no {name}: take one of {', '.join(words)}.")
    if plan.get("draw") != "clips":
        exposure_size, repeats = exposure_size or SIZE, repeats or REPEATS
    size = numbers(exposure_size, "size: write 20, or 1-50 to draw one for every exposure")
    times = numbers(repeats, "number of repeats: write 5, or 2-8 to draw one for every class")
    return Plan(size, times, **plan)


def numbers(words: str | None, what: str) -> int | tuple[int, int] | None:
    """One number, or the lowest and the highest, or nothing.

    >>> numbers("5", "number"), numbers("2-8", "number")
    (5, (2, 8))
    """
    if words is None:
        return None
    try:
        found = tuple(int(part) for part in words.split("-"))
    except ValueError:
        found = ()
    if len(found) not in (1, 2):
        raise BadStream(f"{words!r} is no {what}.")
    return found[0] if len(found) == 1 else (found[0], found[1])


def show(grid: tables.Grid, columns: Sequence[str] | None = None) -> None:
    """A table on stdout, or some of its columns."""
    places = [grid.header.index(column) for column in columns or grid.header]
    print_table(
        [grid.header[place] for place in places], ([row[place] for place in places] for row in grid.rows)
    )
