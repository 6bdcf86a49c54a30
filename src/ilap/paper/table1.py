"""``ilap paper table1``: novelty detectors, ours beside the paper's. All of it is derived from the logs.

The runs are in novelty.py, their sizes in scales/novelty.py, and how the log becomes figures in
table1_figures.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ilap.bench import processes, tables
from ilap.bench.data import missing
from ilap.bench.learners.hindsight import best_threshold
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.paper import scales
from ilap.paper import table1_figures as figures
from ilap.paper.novelty import Novelty
from ilap.paper.opened import INSIDE
from ilap.paper.scales.novelty import SCALES, Column, with_grid
from ilap.paper.table1_figures import Logs


@dataclass(frozen=True)
class Result:
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
) -> Result:
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
    return Result(rows, gaps, figures.grid(rows, gaps, closed), figures.scores(logs))


def chosen(scale: str, data: Sequence[str], detectors: Sequence[str]) -> list[Column]:
    """The columns that are wanted."""
    whole = scales.of(SCALES, scale).columns
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


def jobs_of(column: Column, scale: str, seeds: int | None) -> list[Novelty]:
    """The jobs of a column: its models, and seeds as many as the scale has, unless it is said how many."""
    return [
        Novelty(column.data, model, seed, column.plan)
        for model in column.models
        for seed in range(seeds or column.seeds.get(model.name, scales.of(SCALES, scale).seeds))
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
