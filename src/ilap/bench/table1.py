"""``ilap paper table1``: novelty detectors, ours beside the paper's. All of it is derived from the logs.

The runs are in novelty.py, their sizes in scales.py, and how the log becomes figures in figures.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ilap import registry
from ilap.bench import figures, novelty, tables
from ilap.bench.figures import Logs
from ilap.bench.novelty_cell import NoveltyCell, read
from ilap.bench.paper import missing
from ilap.bench.processes import Job, bars, carry_out_all
from ilap.bench.scales import SCALES, Column, with_grid
from ilap.errors import BadOutput, BadSetting
from ilap.learners.hindsight import best_threshold


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
    gaps = {column.data: why for column in columns if (why := missing(column.data))}
    cells = [
        NoveltyCell(column.data, model, seed, column.plan)
        for column in columns
        if column.data not in gaps
        for model in column.models
        for seed in range(seeds or column.seeds.get(model.name, SCALES[scale].seeds))
    ]
    logs = carry_out(cells, out, jobs)
    if closed:
        logs = carry_out(closed_cells(logs), out, jobs)
    rows = figures.rows(logs, closed)
    return Result(rows, gaps, figures.grid(rows, gaps, closed), figures.scores(logs))


def chosen(scale: str, data: Sequence[str], detectors: Sequence[str]) -> list[Column]:
    """The columns that are wanted, with as many exemplars a class as an exposure has pictures (paper 4.1)."""
    if scale not in SCALES:
        raise BadSetting(f"There is no scale {scale!r}: take one of {', '.join(SCALES)}.")
    whole = SCALES[scale].columns
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
                model,
                changes={**model.changes, "exemplars": column.plan.exposure_size},
                rows={row: own for row, own in model.rows.items() if not detectors or row in detectors},
            )
            for model in column.models
        )
        if not data or column.data in data:
            columns.append(replace(column, models=tuple(model for model in models if model.rows)))
    return columns


def carry_out(cells: Sequence[NoveltyCell], out: Path, jobs: int | None) -> Logs:
    """The logs of cells, made where they are not there."""
    folder = out / "novelty"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOutput(f"{out} cannot be written to ({error.strerror}): name another with --out.") from None
    work = [
        Job(
            f"{cell.data} {cell.model.name} {cell.row}".rstrip() + f" seed {cell.seed}",
            cell.path(folder),
            len(cell.stream()),
            partial(novelty.carry_out, cell, folder),
        )
        for cell in cells
    ]
    with bars() as progress:
        carry_out_all(work, jobs, progress)
    return [(cell, read(cell.path(folder))) for cell in cells]


def closed_cells(logs: Logs) -> list[NoveltyCell]:
    """Every row on its own, with the threshold that was best for the stream in hindsight, as the paper grants
    it to IOLfCV; what has no threshold on a score, such as confusion, is granted nothing."""
    cells = []
    for cell, lines in logs:
        for row in cell.model.rows:
            scores, novel = figures.scored(lines, row)
            settings = cell.model.settings(row)
            granted = hasattr(registry.find("detector", settings.detector)(settings), "threshold")
            mark = best_threshold(scores, novel) if granted else None
            cells.append(replace(cell, row=row, threshold=mark))
    return cells
