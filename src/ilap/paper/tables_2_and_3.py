"""``ilap paper table2``, ``table3`` and ``decisions``: the paper's rows and columns, ours beside theirs.

They are views of the same runs, so the second costs nothing. A column whose data are not there is a gap that
says which file is missing.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from ilap.bench import bench, tables
from ilap.bench.data import missing
from ilap.bench.learners.load import check
from ilap.core.errors import BadSetting
from ilap.paper import published, runs, scales, style
from ilap.paper.contract import ClaimCheck, MadeTable, Request, gaps_of, larger
from ilap.paper.scales import TABLES, Scale, cells_of


@dataclass(frozen=True)
class TableView:
    """A table of the runs: its title in the report, what it is about in words and as a figure of a run, of
    which there may be one at the end of the stream too."""

    title: str
    about: str
    figure: str
    digits: int
    at_end: str = ""

    @property
    def theirs(self) -> published.Figures:
        """What the paper has of it."""
        return published.OF_LEARNERS.get(self.figure, {})


VIEWS = {
    "table2": TableView("Table 2: accuracy on test pictures", "accuracy on test pictures", "accuracy", 3),
    "table3": TableView("Table 3: true classes found", "true classes found", "unique_classes", 1),
    "decisions": TableView(
        "Decisions right, at once / at the end (not in the paper)",
        "decisions right, at once / at the end",
        "decisions_right",
        3,
        "right_at_end",
    ),
}
COUNTS = ("decisions_right", "right_at_end")  # figures that are shown as shares of the exposures
PAIRS = (("paper-cpu", "paper-cpu-noci"), ("paper", "paper-noci"))  # with and without imbalance
HINDSIGHT = (
    "frozen features do not drift while classes come, so that a threshold granted in hindsight holds all along"
)
REASONS = {("iolfcv", "paper-cpu-noci"): HINDSIGHT}
"""Why the first of two rows stands above the second here and below it in the paper."""


@dataclass(frozen=True)
class LearnersTable:
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
) -> LearnersTable:
    """Run or resume what the table needs; data sets, learners and seeds are the scale's unless named."""
    chosen = scales.of(TABLES, scale)
    for learner in learners:
        check(learner)
    columns = [column for column in chosen.columns if not data or column.data in data]
    if len(columns) < len(data):
        raise BadSetting(f"Scale {scale} has the data sets {', '.join(c.data for c in chosen.columns)}.")
    gaps = {column.data: str(why) for column in columns if (why := missing(column.data))}
    wanted = list(learners or chosen.learners)
    there = [column for column in columns if column.data not in gaps]
    cells = [cell for column in there for cell in cells_of(chosen, column, wanted, seeds)]
    by_place: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in bench.run(cells, out, jobs):
        by_place.setdefault((row["data"], row["learner"]), []).append(row)
    view = VIEWS[name]
    rows = [
        row_of(view, column.data, learner, by_place.get((column.data, learner), []))
        for column in columns
        for learner in wanted
    ]
    return LearnersTable(rows, gaps, grid(view, rows, [column.data for column in columns], wanted, gaps))


def row_of(view: TableView, data: str, learner: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
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
    view: TableView,
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
    return tables.Grid((f"{view.about}, ours (the paper)", *data), tuple(body))


def titled(learner: str) -> str:
    """A row by its name and what it is.

    >>> titled("bic"), titled("fast")
    ('bic: BiC (labels)', 'fast (closed form)')
    """
    label = style.look(learner).label
    return label if label.startswith(learner) else f"{learner}: {label}"


def make(name: str, request: Request) -> MadeTable:
    """Table 2 or 3, or the decisions of the same runs."""
    result = table(name, request.scale, [], [], request.seeds, request.out, request.jobs)
    scale = scales.of(TABLES, request.scale)
    found = runs.panels(scale, request, {style.named(column.data): column for column in scale.columns})
    said = () if name == "decisions" else (in_runs(found, name), order_of_rows(found, name))
    return MadeTable(
        name,
        VIEWS[name].title,
        beside_paper(name, result, scale),
        request.command(name),
        runs.seeds(found),
        runs.seconds(found),
        scale.differs,
        gaps_of(result.gaps),
        said,
    )


def beside_paper(name: str, result: LearnersTable, scale: Scale) -> tables.Grid:
    """The table with a column more for every data set of the paper that the scale does not run."""
    view = VIEWS[name]
    own = [column.data for column in scale.columns]
    others = [data for data in view.theirs if data not in own]
    more = [row_of(view, data, learner, []) for data in others for learner in scale.learners]
    gaps = {**result.gaps, **dict.fromkeys(others, "")}
    return grid(view, [*result.rows, *more], [*own, *others], scale.learners, gaps)


def in_runs(found: Sequence[runs.Panel], name: str) -> ClaimCheck:
    """The paper's learner with and without imbalance, by what the table is about and by its decisions."""
    view = VIEWS[name]
    parts, helps = [], {}
    for panel in found:
        for pair in PAIRS:
            if not {*pair} <= panel.logs.keys():
                continue
            both = [panel.logs[learner] for learner in pair]
            ends = [runs.ends(logs, view.figure) for logs in both]
            shares = [runs.right(logs) for logs in both]
            digits = 2 if name == "table2" else 1
            parts.append(
                f"{panel.name}: {statistics.fmean(ends[0]):.{digits}f} with and "
                f"{statistics.fmean(ends[1]):.{digits}f} without, and {shares[0]:.0%} and {shares[1]:.0%} of "
                f"the decisions right"
            )
            helps[panel.name] = larger(ends[0], ends[1])
    sentence = f"{view.about.capitalize()}, {'; '.join(parts)}." if parts else "The learners were not run."
    return ClaimCheck(f"Class imbalance helps the learner ({name[:-1]} {name[-1]})", helps, sentence)


def order_of_rows(found: Sequence[runs.Panel], name: str) -> ClaimCheck:
    """Whether every two of the paper's rows that it tells apart stand in its order here; where they stand the
    other way round, why."""
    view = VIEWS[name]
    held, parts = {}, []
    for panel in found:
        theirs = view.theirs.get(panel.column.data, {})
        there = [learner for learner in panel.logs if learner in theirs]
        ordered, turned = [], []
        for pair in combinations(there, 2):
            above, below = sorted(pair, key=lambda learner: -theirs[learner][0])
            if theirs[above][0] - theirs[below][0] <= max(theirs[above][1], theirs[below][1]):
                continue
            ends = {learner: runs.ends(panel.logs[learner], view.figure) for learner in pair}
            ordered.append(larger(ends[above], ends[below]))
            if larger(ends[below], ends[above]):
                reason = REASONS.get((below, above), "the reason is not known")
                turned.append(f"{below} stands above {above} ({reason})")
        if ordered:
            held[panel.name] = all(ordered)
            shown = f"{sum(ordered)} of {len(ordered)} pairs of rows in the paper's order"
            parts.append(f"{panel.name}: {'; '.join([shown, *turned])}")
    sentence = f"{'. '.join(parts)}." if parts else "The paper's rows were not run."
    return ClaimCheck(f"The rows stand in the paper's order ({name[:-1]} {name[-1]})", held, sentence)
