"""``ilap paper table2``, ``table3`` and ``decisions``: the paper's rows and columns, ours beside theirs.

They are views of the same runs, so the second costs nothing. A column whose data are not there is a gap that
says which file is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ilap.bench import bench, tables
from ilap.bench.data import missing
from ilap.bench.learners.load import check
from ilap.core.errors import BadSetting
from ilap.paper import published, scales, style
from ilap.paper.scales.learners import TABLES as SCALES
from ilap.paper.scales.learners import cells_of


@dataclass(frozen=True)
class View:
    """A figure of the runs, of which there may be one at the end of the stream too, and the paper's."""

    title: str
    figure: str
    digits: int
    theirs: published.Figures = field(default_factory=dict)
    at_end: str = ""


VIEWS = {
    "table2": View("accuracy on test pictures", "accuracy", 3, published.with_variants(published.ACCURACY)),
    "table3": View(
        "true classes found", "unique_classes", 1, published.with_variants(published.UNIQUE_CLASSES)
    ),
    "decisions": View("decisions right, at once / at the end", "decisions_right", 3, at_end="right_at_end"),
}
COUNTS = ("decisions_right", "right_at_end")  # figures that are shown as shares of the exposures


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
    chosen = scales.of(SCALES, scale)
    for learner in learners:
        check(learner)
    columns = [column for column in chosen.columns if not data or column.data in data]
    if len(columns) < len(data):
        raise BadSetting(f"Scale {scale} has the data sets {', '.join(c.data for c in chosen.columns)}.")
    gaps = {column.data: str(why) for column in columns if (why := missing(column.data))}
    wanted = list(learners or chosen.learners)
    there = [column for column in columns if column.data not in gaps]
    cells = [cell for column in there for cell in cells_of(chosen, column, wanted, seeds)]
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in bench.run(cells, out, jobs):
        runs.setdefault((row["data"], row["learner"]), []).append(row)
    view = VIEWS[name]
    rows = [
        row_of(view, column.data, learner, runs.get((column.data, learner), []))
        for column in columns
        for learner in wanted
    ]
    return Result(rows, gaps, grid(view, rows, [column.data for column in columns], wanted, gaps))


def row_of(view: View, data: str, learner: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A data set and a learner: mean and spread over seeds, and the paper's."""
    ours = tables.average([figure_of(run, view.figure) for run in runs])
    end = tables.average([figure_of(run, view.at_end) for run in runs]) if view.at_end else None
    paper = view.theirs.get(data, {}).get(learner)
    return {
        "data": data,
        "learner": learner,
        "mean": ours.mean if ours else None,
        "std": ours.std if ours and ours.seeds > 1 else None,
        "seeds": ours.seeds if ours else 0,
        "paper_mean": paper[0] if paper else None,
        "paper_std": paper[1] if paper else None,
        **({"at_end": end.mean if end else None} if view.at_end else {}),
    }


def figure_of(run: Mapping[str, Any], name: str) -> float | None:
    """A figure of a run; a count of decisions as a share."""
    value: float | None = run[name]
    return value if value is None or name not in COUNTS else float(value) / run["exposures"]


def grid(
    view: View,
    rows: Sequence[Mapping[str, Any]],
    data: Sequence[str],
    learners: Sequence[str],
    gaps: Mapping[str, str],
) -> tables.Grid:
    """Learners down, data sets across; the paper's figure in brackets. A gap without a reason was not run."""
    by_place = {(row["data"], row["learner"]): row for row in rows}

    def text(name: str, learner: str) -> str:
        row = by_place[name, learner]
        ours = ("no data" if gaps[name] else "not run") if name in gaps else ""
        if row["mean"] is not None:
            ours = tables.Average(row["mean"], row["std"] or 0.0, row["seeds"]).text(view.digits)
            ours += f" / {tables.short(row['at_end'], view.digits)}" if view.at_end else ""
        paper = row["paper_mean"]
        if paper is None:
            return ours
        return f"{ours} ({tables.Average(paper, row['paper_std'], 2).text(view.digits)})"

    body = [(titled(learner), *(text(name, learner) for name in data)) for learner in learners]
    return tables.Grid((f"{view.title}, ours (the paper)", *data), tuple(body))


def titled(learner: str) -> str:
    """A row by its name and what it is.

    >>> titled("bic"), titled("fast")
    ('bic: BiC (labels)', 'fast (closed form)')
    """
    label = style.look(learner).label
    return label if label.startswith(learner) else f"{learner}: {label}"
