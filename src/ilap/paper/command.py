"""What ``ilap paper`` prints: tables, figures, and the whole report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ilap.bench import tables
from ilap.bench.command import show
from ilap.core.files import output_folder
from ilap.paper import report, scales, table1_curves, tables_2_and_3
from ilap.paper import table1 as of_detectors
from ilap.paper.contract import ClaimCheck, Made, MadeTable, Request
from ilap.paper.scales import TABLES
from ilap.paper.table1_scales import TABLE1


def figure(what: str, scale: str, seeds: int | None, out: Path, jobs: int | None, as_json: bool) -> None:
    """Make a figure, a table whose rows are fixed, or everything."""
    request = Request(scales.check(scale), output_folder(out), jobs, seeds)
    if what == "all":
        aside = Console(stderr=True, highlight=False)
        everything(report.make(request, lambda words: aside.print(words)), as_json)
    elif what in report.TABLES:
        table(report.table(what, request), request, as_json)
    else:
        drawing(report.figure(what, request), as_json)


def everything(made: report.Report, as_json: bool) -> None:
    """Print what the report found, and where it lies."""
    if as_json:
        print(json.dumps(report.summary(made)))
        return
    for _, finding in made.findings:
        print(sentence(finding))
    for data, file in made.gaps.items():
        print(f"- No {data}: {file} is missing.")
    print(f"{made.page}: open it in a browser; the tables are in {made.page.with_name('tables.md')} too.")


def drawing(made: Made, as_json: bool) -> None:
    """Print what a figure shows."""
    if as_json:
        print(json.dumps(report.plain(made)))
        return
    print(f"{report.label(made.name)}: {made.title}. {made.caption}")
    end(made.findings, report.caveats(made), f"Files: {', '.join(map(str, made.files))}")


def table(made: MadeTable, request: Request, as_json: bool) -> None:
    """Write a table, and print it with its findings, what differs and what is missing."""
    files = tables.write(made.grid, request.out, f"{made.name}-{request.scale}")
    if as_json:
        print(json.dumps(report.plain_table(made)))
        return
    print(made.title)
    show(made.grid)
    end(made.findings, report.caveats(made), f"Tables: {', '.join(map(str, files))}")


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
    result = tables_2_and_3.table(name, scale, data, learners, seeds, out, jobs)
    differs = scales.of(TABLES, scale).differs
    files = tables.write(result.grid, out, f"{name}-{scale}")
    if as_json:
        gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
        print(
            json.dumps({"table": name, "scale": scale, "rows": result.rows, "gaps": gaps, "differs": differs})
        )
        return
    print(f"{name}: {tables_2_and_3.VIEWS[name].about}, ours (the paper's in brackets)")
    show(result.grid)
    missing = [f"No {data}: {why}" for data, why in result.gaps.items()]
    end((), [*missing, *differs], f"Tables: {', '.join(map(str, files))}")


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
    result = of_detectors.table(scale, data, detectors, seeds, out, jobs, closed, odin_grid)
    name = f"table1-{scale}" + ("-closed" if closed else "")
    files = [*tables.write(result.grid, out, name), *table1_curves.write(result.scores, out / name)]
    differs = scales.of(TABLE1, scale).differs
    if as_json:
        gaps = [{"data": data, "missing": why} for data, why in result.gaps.items()]
        made = {"table": "table1", "scale": scale, "closed_loop": closed, "rows": result.rows}
        print(json.dumps({**made, "gaps": gaps, "differs": differs, "files": [str(file) for file in files]}))
        return
    loop = "after its own decisions" if closed else "on the same model, taught the true labels"
    print(f"table1: novelty of exposures, every detector {loop}; ours (the paper's in brackets)")
    show(result.grid, [column for column in result.grid.header if column != "pooled"])
    cost = ["Cost is in forward passes of the exposure; + those that training a model of its own takes."]
    missing = [f"No {data}: {why}" for data, why in result.gaps.items()]
    end((), [*missing, *differs, *([] if closed else cost)], f"Files: {', '.join(map(str, files))}")


def end(findings: Sequence[ClaimCheck], caveats: Sequence[str], files: str = "") -> None:
    """Print what stands under a table or figure; its files on stderr."""
    for finding in findings:
        print(sentence(finding))
    for words in caveats:
        print(f"- {words}")
    if files:
        Console(stderr=True).print(files, soft_wrap=True)


def sentence(finding: ClaimCheck) -> str:
    """A finding in one line."""
    return f"- {finding.claim}: {finding.verdict}. {finding.sentence}"
