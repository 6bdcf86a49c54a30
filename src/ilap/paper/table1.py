"""``ilap paper table1``: novelty detectors, ours beside the paper's. All of it is derived from the logs.

The runs are in novelty.py, their sizes in table1_scales.py; table1_figures.py makes figures of the logs, and
table1_curves.py draws them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ilap.bench import jobs as logged
from ilap.bench import processes, tables
from ilap.bench.data import missing
from ilap.bench.learners.hindsight import best_threshold
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.paper import published, scales, style
from ilap.paper import table1_figures as figures
from ilap.paper.contract import ClaimCheck, MadeTable, Request, gaps_of, larger
from ilap.paper.novelty import Novelty
from ilap.paper.opened import INSIDE
from ilap.paper.table1_figures import Logs
from ilap.paper.table1_scales import TABLE1, Table1Column, with_grid

TITLE = "Table 1: novelty detection (FPR95, AUROC, AUPR)"
DETECTOR = "confusion"


@dataclass(frozen=True)
class Table1:
    """Rows of figures, gaps with the reason of each, the grid to print, and the scores behind the rows."""

    rows: list[dict[str, Any]]
    gaps: dict[str, str]
    grid: tables.Grid
    scores: dict[str, dict[str, dict[str, figures.Scored]]]


def table(
    scale: str,
    data: Sequence[str],
    detectors: Sequence[str],
    seeds: int | None,
    out: Path,
    jobs: int | None,
    closed: bool = False,
    grid_search: bool = False,
) -> Table1:
    """Run or resume what the table needs; data sets and seeds are the scale's unless named."""
    if closed and grid_search:
        raise BadSetting("The grid is searched on one model for all: leave out --closed-loop or --odin-grid.")
    columns = chosen(scale, data, detectors)
    columns = [with_grid(column) if grid_search else column for column in columns]
    gaps = {column.data: str(why) for column in columns if (why := missing(column.data))}
    logs = carry_out(
        [work for column in columns if column.data not in gaps for work in jobs_of(column, scale, seeds)],
        out,
        jobs,
    )
    if closed:
        logs = carry_out(closed_cells(logs), out, jobs)
    rows = figures.rows(logs, closed)
    return Table1(rows, gaps, figures.grid(rows, gaps, closed), figures.scores(logs))


def chosen(scale: str, data: Sequence[str], detectors: Sequence[str]) -> list[Table1Column]:
    """The columns that are wanted."""
    whole = scales.of(TABLE1, scale).columns
    for name in data:
        if name not in [column.data for column in whole]:
            raise BadSetting(f"Scale {scale} has the data sets {', '.join(c.data for c in whole)}, not {name}.")
    known = sorted({row for column in whole for model in column.models for row in model.rows})
    for name in detectors:
        if name not in known:
            raise BadSetting(f"Scale {scale} has the detectors {', '.join(known)}, not {name}.")
    columns = []
    for column in whole:
        models = tuple(
            replace(
                model, rows={row: own for row, own in model.rows.items() if not detectors or row in detectors}
            )
            for model in column.models
        )
        if not data or column.data in data:
            columns.append(replace(column, models=tuple(model for model in models if model.rows)))
    return columns


def jobs_of(column: Table1Column, scale: str, seeds: int | None) -> list[Novelty]:
    """The jobs of a column: its models, and seeds as many as the scale has, unless it is said how many."""
    return [
        Novelty(column.data, model, seed, column.plan)
        for model in column.models
        for seed in range(seeds or column.seeds.get(model.name, scales.of(TABLE1, scale).seeds))
    ]


def carry_out(work: Sequence[Novelty], out: Path, at_once: int | None) -> Logs:
    """The logs of jobs, made where they are not there."""
    return list(zip(work, processes.run(work, out, at_once), strict=True))


def closed_cells(logs: Logs) -> list[Novelty]:
    """Every row on its own, with the threshold that was best for the stream in hindsight, as the paper grants
    it to IOLfCV; what has no threshold on a score, such as confusion, is granted nothing. A learner cannot look
    inside a frozen backbone, so such rows are left out."""
    found = []
    for job, lines in logs:
        for row in job.model.rows:
            settings = job.model.settings(row)
            if settings.is_frozen and registry.find("detector", settings.detector.name).needs & INSIDE:
                continue
            scores, novel = figures.scored(lines, row)
            granted = hasattr(settings.detector.parameters, "threshold")
            mark = best_threshold(scores, novel) if granted else None
            found.append(replace(job, row=row, threshold=mark))
    return found


def make(request: Request) -> MadeTable:
    """The table as a part of the report."""
    result = table(request.scale, [], [], request.seeds, request.out, request.jobs)
    seeds = sorted({row["seeds"] for row in result.rows})
    return MadeTable(
        "table1",
        TITLE,
        with_paper(result.grid, {row["data"] for row in result.rows}, result.gaps),
        request.command("table1"),
        f"{' or '.join(map(str, seeds))}, from 0",
        seconds_of(request),
        scales.of(TABLE1, request.scale).differs,
        gaps_of(result.gaps),
        (by_auroc(result.rows), leads(result.rows)),
    )


def with_paper(grid: tables.Grid, there: set[str], gaps: Mapping[str, str]) -> tables.Grid:
    """The table with the paper's figures alone for the data sets that were not run, in place of one empty
    row."""
    rows = [row for row in grid.rows if row[1] != "no data"]
    for data, detectors in published.NOVELTY.items():
        for detector, measures in detectors.items() if data not in there else ():
            theirs = [f"({tables.short(measures[name][0], 2)})" for name in ("fpr95", "auroc", "aupr")]
            rows.append(
                (
                    data,
                    detector,
                    "no data" if data in gaps else "not run",
                    *theirs,
                    *[""] * (len(grid.header) - 6),
                )
            )
    return tables.Grid(grid.header, tuple(rows))


def seconds_of(request: Request) -> float:
    """What the models of table 1 took, for updates and detectors."""
    return float(
        sum(
            line["update"] + sum(found["seconds"] for found in line["found"].values())
            for column in chosen(request.scale, [], [])
            for work in jobs_of(column, request.scale, request.seeds)
            for line in (logged.read(work, request.out).lines if not missing(column.data) else [])
        )
    )


def by_auroc(rows: Sequence[Mapping[str, Any]]) -> ClaimCheck:
    """Confusion with and without imbalance, on models that are trained: on the closed form both rest on the
    same distance, and rank alike."""
    parts, helps = [], {}
    by_place = {(row["data"], row["model"], row["detector"]): row for row in rows if row["model"] != "exact"}
    for (data, model, detector), row in by_place.items():
        without = by_place.get((data, model, "confusion-noci"))
        if detector != DETECTOR or without is None or not scored(row) or not scored(without):
            continue
        beside = ""
        if row["auroc_paper"] is not None and without["auroc_paper"] is not None:
            beside = f" (the paper: {row['auroc_paper']:.2f} and {without['auroc_paper']:.2f})"
        name = f"{style.named(data)}, {model}"
        parts.append(f"{name}: {row['auroc']:.2f} with and {without['auroc']:.2f} without{beside}")
        helps[name] = larger(scored(row), scored(without))
    sentence = f"AUROC {'; '.join(parts)}." if parts else "No model that is trained was run."
    return ClaimCheck("Class imbalance helps to find what is new (table 1)", helps, sentence)


def leads(rows: Sequence[Mapping[str, Any]]) -> ClaimCheck:
    """Confusion with imbalance against the best of the detectors that the paper compares it with."""
    parts, held = [], {}
    for data in dict.fromkeys(row["data"] for row in rows):
        own = {row["detector"]: row for row in rows if row["data"] == data and row["model"] != "exact"}
        rivals = [row for name, row in own.items() if name in published.DETECTORS and name != DETECTOR]
        rivals = [row for row in rivals if scored(row)]
        if DETECTOR not in own or not rivals:
            continue
        best = max(rivals, key=lambda row: float(row["auroc"]))
        ours = own[DETECTOR]
        label = style.look(best["detector"]).label
        parts.append(f"{style.named(data)}: {ours['auroc']:.2f}, the best rival {best['auroc']:.2f} ({label})")
        held[style.named(data)] = larger(scored(ours), scored(best))
    sentence = f"AUROC {'; '.join(parts)}." if parts else "No model that is trained was run."
    return ClaimCheck(
        "Confusion with imbalance finds what is new better than any rival (table 1)", held, sentence
    )


def scored(row: Mapping[str, Any]) -> list[float]:
    """The AUROC of every seed that has one."""
    return [value for value in row["auroc_of_seeds"] if value is not None]
