"""What ``ilap paper`` prints: tables, figures, and the whole report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ilap.bench import tables
from ilap.bench.command import show
from ilap.core.files import output_folder
from ilap.paper import curves, made_tables, make, report, scales
from ilap.paper import table1 as of_novelty
from ilap.paper import tables_2_and_3 as of_learners
from ilap.paper.contract import Finding, MadeTable, Order
from ilap.paper.scales.learners import TABLES
from ilap.paper.scales.novelty import SCALES as NOVELTY


def figure(what: str, scale: str, seeds: int | None, out: Path, jobs: int | None, as_json: bool) -> None:
    """Make a figure, a table whose rows are fixed, or everything."""
    order = Order(scales.check(scale), output_folder(out), jobs, seeds)
    aside = Console(stderr=True, highlight=False)
    if what == "all":
        made = report.make(order, lambda words: aside.print(words))
        if as_json:
            print(json.dumps(report.summary(made)))
            return
        for _, finding in made.findings:
            print(sentence(finding))
        for data, file in made.gaps.items():
            print(f"- No {data}: {file} is missing.")
        print(f"{made.page}: open it in a browser; the tables are in {made.page.with_name('tables.md')} too.")
        return
    if what in made_tables.TITLES:
        table(made_tables.make(what, order), order, as_json)
        return
    one = make.figure(what, order)
    if as_json:
        print(json.dumps(report.plain(one)))
        return
    print(f"{report.label(one.name)}: {one.title}. {one.caption}")
    for finding in one.findings:
        print(sentence(finding))
    for words in (*(f"No {data}: {file} is missing." for data, file in one.gaps.items()), *one.differs):
        print(f"- {words}")
    aside.print(f"Files: {', '.join(map(str, one.files))}", soft_wrap=True)


def table(made: MadeTable, order: Order, as_json: bool) -> None:
    """Write a table, and print it with its findings, what differs and what is missing."""
    files = tables.write(made.grid, order.out, f"{made.name}-{order.scale}")
    if as_json:
        print(json.dumps(report.plain_table(made)))
        return
    print(made.title)
    show(made.grid)
    for finding in made.findings:
        print(sentence(finding))
    for words in (*(f"No {data}: {file} is missing." for data, file in made.gaps.items()), *made.differs):
        print(f"- {words}")
    Console(stderr=True).print(f"Tables: {', '.join(map(str, files))}", soft_wrap=True)


def sentence(finding: Finding) -> str:
    """A finding in one line."""
    return f"- {finding.claim}: {finding.verdict}. {finding.sentence}"


def learners_table(
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
    result = of_learners.table(name, scale, data, learners, seeds, out, jobs)
    differs = scales.of(TABLES, scale).differs
    files = tables.write(result.grid, out, f"{name}-{scale}")
    if as_json:
        gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
        print(
            json.dumps({"table": name, "scale": scale, "rows": result.rows, "gaps": gaps, "differs": differs})
        )
        return
    print(f"{name}: {of_learners.VIEWS[name].title}, ours (the paper's in brackets)")
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
    result = of_novelty.table(scale, data, detectors, seeds, out, jobs, closed, odin_grid)
    name = f"table1-{scale}" + ("-closed" if closed else "")
    files = [*tables.write(result.grid, out, name), *curves.write(result.scores, out / name)]
    gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
    differs = scales.of(NOVELTY, scale).differs
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
