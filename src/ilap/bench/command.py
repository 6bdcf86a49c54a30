"""What ``ilap bench`` does with what it was told: cells, a run, tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.table import Table

from ilap.bench import paper as of_paper
from ilap.bench import tables
from ilap.bench.bench import run
from ilap.bench.cell import Cell
from ilap.bench.stream import Draw, Order, Plan
from ilap.errors import BadStream

SHOWN = ("data", "learner", "seeds", "decisions right", "accuracy", "unique classes", "auroc", "ari", "seconds")


def bench(
    data: Sequence[str],
    learners: Sequence[str],
    plan: Mapping[str, Any],
    repeats: str,
    seeds: Sequence[int],
    own_seeds: Mapping[str, int | None],
    changes: Mapping[str, Any],
    out: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Run all cells, write the tables, and print them."""
    wanted = make_plan(plan, repeats)
    cells = [
        Cell(name, learner, seed, wanted, changes, **own_seeds)
        for name in data
        for learner in learners
        for seed in seeds
    ]
    rows = run(cells, out, jobs)
    grid = tables.of_bench(rows)
    files = tables.write(grid, out, "table")
    if as_json:
        print(json.dumps({"rows": rows, "tables": [str(file) for file in files]}))
    else:
        show(tables.of_bench(rows, timed=True), SHOWN)
        Console(stderr=True).print(f"Tables: {', '.join(map(str, files))}", soft_wrap=True)


def paper(
    name: str,
    scale: str,
    data: Sequence[str],
    learners: Sequence[str],
    seeds: int | None,
    out: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Run or resume a table of the paper, write it, and print it with what differs and what is missing."""
    result = of_paper.table(name, scale, data, learners, seeds, out, jobs)
    differs = of_paper.SCALES[scale].differs
    files = tables.write(result.grid, out, f"{name}-{scale}")
    if as_json:
        gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
        print(
            json.dumps({"table": name, "scale": scale, "rows": result.rows, "gaps": gaps, "differs": differs})
        )
        return
    print(f"{name}: {of_paper.TABLES[name][1]}, ours (the paper's in brackets)")
    show(result.grid)
    for sentence in [*(f"No {data}: {why}" for data, why in result.gaps.items()), *differs]:
        print(f"- {sentence}")
    Console(stderr=True).print(f"Tables: {', '.join(map(str, files))}", soft_wrap=True)


def table1(
    scale: str,
    data: Sequence[str],
    detectors: Sequence[str],
    seeds: int | None,
    out: Path,
    jobs: int | None,
    closed: bool,
    odin_grid: bool,
    as_json: bool,
) -> None:
    """Run or resume the table of detectors, write it with its figures, and print it."""
    from ilap.bench import curves
    from ilap.bench import table1 as of_novelty
    from ilap.bench.scales import SCALES

    result = of_novelty.table(scale, data, detectors, seeds, out, jobs, closed, odin_grid)
    name = f"table1-{scale}" + ("-closed" if closed else "")
    files = [*tables.write(result.grid, out, name), *curves.write(result.scores, out / name)]
    gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
    differs = SCALES[scale].differs
    if as_json:
        written = [str(file) for file in files]
        report = {"table": "table1", "scale": scale, "closed_loop": closed, "rows": result.rows}
        print(json.dumps({**report, "gaps": gaps, "differs": differs, "files": written}))
        return
    loop = "after its own decisions" if closed else "on the same model, taught the true labels"
    print(f"table1: novelty of exposures, every detector {loop}; ours (the paper's in brackets)")
    show(result.grid, [column for column in result.grid.header if column != "pooled"])
    cost = ["Cost is in forward passes of the exposure; + those that training a model of its own takes."]
    missing = [f"No {gap['data']}: {gap['missing']}" for gap in gaps]
    for sentence in [*missing, *differs, *([] if closed else cost)]:
        print(f"- {sentence}")
    Console(stderr=True).print(f"Files: {', '.join(map(str, files))}", soft_wrap=True)


def make_plan(plan: Mapping[str, Any], repeats: str) -> Plan:
    """A plan from words; 2-8 repeats are drawn for every class."""
    for name, words in (("draw", get_args(Draw)), ("order", get_args(Order))):
        if plan.get(name, words[0]) not in words:
            raise BadStream(f"{plan[name]!r} is no {name}: take one of {', '.join(words)}.")
    try:
        numbers = tuple(int(part) for part in repeats.split("-"))
    except ValueError:
        numbers = ()
    if len(numbers) not in (1, 2):
        raise BadStream(f"{repeats!r} is no number of repeats: write 5, or 2-8 to draw one for every class.")
    return Plan(repeats=numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1]), **plan)


def show(grid: tables.Grid, columns: Sequence[str] | None = None) -> None:
    """A table on stdout, or some of its columns."""
    places = [grid.header.index(column) for column in columns or grid.header]
    table = Table(*(grid.header[place] for place in places))
    for row in grid.rows:
        table.add_row(*(row[place] for place in places))
    Console().print(table)
