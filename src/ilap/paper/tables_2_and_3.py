"""``ilap paper table2`` and ``table3``: the paper's rows and columns, ours beside theirs.

Both tables are two views of the same runs, so the second costs nothing. A column whose data are not there is a
gap that says which file is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.bench import bench, tables
from ilap.bench.data import missing
from ilap.bench.learners.load import check
from ilap.core.errors import BadSetting
from ilap.paper import published, scales
from ilap.paper.scales.learners import TABLES as SCALES
from ilap.paper.scales.learners import cells_of

TABLES = {
    "table2": ("accuracy", "accuracy on test pictures", published.ACCURACY, 3),
    "table3": ("unique_classes", "true classes found", published.UNIQUE_CLASSES, 1),
}


@dataclass(frozen=True)
class Result:
    """A table: rows of figures, gaps with the reason of each, and the grid to print."""

    rows: list[dict[str, Any]]
    gaps: dict[str, str]
    grid: tables.Grid


def table(
    name: str,
    scale: str,
    data: Sequence[str],
    learners: Sequence[str],
    seeds: int | None,
    out: Path,
    jobs: int | None,
) -> Result:
    """Run or resume what the table needs; data sets, learners and seeds are the scale's unless named."""
    if name not in TABLES:
        raise BadSetting(f"There is no {name!r}: take one of {', '.join(TABLES)}.")
    chosen = SCALES[scales.check(scale)]
    for learner in learners:
        check(learner)
    columns = [column for column in chosen.columns if not data or column.data in data]
    if len(columns) < len(data):
        raise BadSetting(f"Scale {scale} has the data sets {', '.join(c.data for c in chosen.columns)}.")
    gaps = {column.data: why for column in columns if (why := missing(column.data))}
    wanted = list(learners or chosen.learners)
    there = [column for column in columns if column.data not in gaps]
    cells = [cell for column in there for cell in cells_of(chosen, column, wanted, seeds)]
    figures = tables.averages(bench.run(cells, out, jobs))
    key, _, theirs, digits = TABLES[name]
    rows = []
    for column in columns:
        for learner in wanted:
            ours = figures.get((column.data, learner), {}).get(key)
            paper = theirs.get(column.data, {}).get(learner)
            rows.append(
                {
                    "data": column.data,
                    "learner": learner,
                    "mean": ours.mean if ours else None,
                    "std": ours.std if ours and ours.seeds > 1 else None,
                    "seeds": ours.seeds if ours else 0,
                    "paper_mean": paper[0] if paper else None,
                    "paper_std": paper[1] if paper else None,
                }
            )
    return Result(rows, gaps, grid(rows, [column.data for column in columns], wanted, gaps, digits))


def grid(
    rows: Sequence[Mapping[str, Any]],
    data: Sequence[str],
    learners: Sequence[str],
    gaps: Mapping[str, str],
    digits: int,
) -> tables.Grid:
    """Learners down, data sets across; the paper's figure in brackets. A gap without a reason was not run."""
    by_place = {(row["data"], row["learner"]): row for row in rows}

    def text(name: str, learner: str) -> str:
        row = by_place[name, learner]
        ours = ("no data" if gaps[name] else "not run") if name in gaps else ""
        if row["mean"] is not None:
            ours = tables.Average(row["mean"], row["std"] or 0.0, row["seeds"]).text(digits)
        paper = row["paper_mean"]
        return ours if paper is None else f"{ours} ({tables.Average(paper, row['paper_std'], 2).text(digits)})"

    names = {learner: published.LEARNERS.get(learner, "") for learner in learners}
    body = [
        (f"{learner}: {names[learner]}" if names[learner] else learner, *(text(name, learner) for name in data))
        for learner in learners
    ]
    return tables.Grid(("ours (the paper)", *data), tuple(body))
