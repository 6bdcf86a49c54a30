"""Tables of a benchmark: mean and standard deviation over seeds, as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.core import files

COLUMNS = (
    "decisions_right",
    "unsure",
    "sure",
    "sure_at_end",
    "wrong_of_sure",
    "asked",
    "accuracy",
    "unique_classes",
    "learned_classes",
    "auroc",
    "fpr95",
    "aupr",
    "ari",
    "log_loss",
    "ece",
)
"""The figures of a cell that are averaged. Decisions right, unsure and asked are shares in a table."""
NOTHING = "-"
"""What stands in place of a figure that there is not."""
DIGITS = {"unique_classes": 1, "learned_classes": 1, "seconds": 1}


Figures = Mapping[str, Mapping[str, tuple[float, float]]]
"""Mean and standard deviation, by data set and learner."""
Beside = Mapping[str, tuple[Figures, int]]
"""Published figures that stand beside ours: by column, with the digits that are shown."""


@dataclass(frozen=True)
class Average:
    """Mean and standard deviation of so many seeds."""

    mean: float
    std: float
    seeds: int

    def text(self, digits: int = 3) -> str:
        """As in a paper; one seed has no spread.

        >>> Average(0.8624, 0.0049, 5).text(), Average(10.0, 0.0, 1).text(1)
        ('.862 ± .005', '10.0')
        """
        parts = [self.mean] if self.seeds < 2 else [self.mean, self.std]
        return " ± ".join(short(part, digits) for part in parts)


def short(value: float, digits: int) -> str:
    """A share without its leading nought."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("0") if digits > 1 and text.startswith("0.") else text


def average(values: Sequence[float | None]) -> Average | None:
    """Over what there is; None where there is nothing."""
    there = [float(value) for value in values if value is not None and not math.isnan(value)]
    if not there:
        return None
    return Average(statistics.fmean(there), statistics.stdev(there) if len(there) > 1 else 0.0, len(there))


def averages(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], dict[str, Average | None]]:
    """By data set and learner."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["data"], row["learner"]), []).append(row)
    return {
        key: {
            column: average([figure(row, column) for row in group])
            for column in (*COLUMNS, "seconds", "threshold")
        }
        for key, group in groups.items()
    }


def figure(row: Mapping[str, Any], column: str) -> float | None:
    """A figure of a cell."""
    if column in ("decisions_right", "unsure", "asked"):
        return float(row[column] / row["exposures"])
    return row.get(column)


@dataclass(frozen=True)
class Grid:
    """A table as text: the first column names the rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """For a README."""
        lines = [self.header, ("---",) * len(self.header), *self.rows]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

    def csv(self) -> str:
        """For a spreadsheet."""
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([self.header, *self.rows])
        return buffer.getvalue()

    def latex(self) -> str:
        """For a paper, with the booktabs package."""
        body = [" & ".join(map(escaped, cells)) + r" \\" for cells in (self.header, *self.rows)]
        body.insert(1, r"\midrule")
        columns = "l" + "c" * (len(self.header) - 1)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}"]
        return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text for LaTeX.

    >>> escaped("fpr95_a ± 5 %")
    'fpr95\\\\_a $\\\\pm$ 5 \\\\%'
    """
    for mark in "&%_#":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("±", r"$\pm$")


def of_bench(rows: Sequence[Mapping[str, Any]], beside: Beside, timed: bool = False) -> Grid:
    """One row a data set and learner, our figures beside published ones where there are any. Without times the
    same runs give the same table."""
    columns = (*COLUMNS, "seconds") if timed else COLUMNS
    body = []
    for (data, learner), means in averages(rows).items():
        body.append(
            (
                data,
                learner,
                str(means["decisions_right"].seeds if means["decisions_right"] else 0),
                *(cell(means[column], DIGITS.get(column, 3)) or NOTHING for column in columns),
                cell(means["threshold"]),
                *(published(figures, data, learner, digits) for figures, digits in beside.values()),
            )
        )
    header = ("data", "learner", "seeds", *(column.replace("_", " ") for column in columns))
    return Grid((*header, "threshold", *beside), tuple(body))


def cell(value: Average | None, digits: int = 3) -> str:
    """A figure, or nothing."""
    return value.text(digits) if value else ""


def published(table: Figures, data: str, learner: str, digits: int) -> str:
    """A published figure, or nothing."""
    found = table.get(data, {}).get(learner)
    return Average(*found, 2).text(digits) if found else ""


def write(grid: Grid, out: Path, name: str) -> list[Path]:
    """The three files of a table."""
    texts = {"md": grid.markdown(), "csv": grid.csv(), "tex": grid.latex()}
    for end, text in texts.items():
        files.write(out / f"{name}.{end}", text)
    return [out / f"{name}.{end}" for end in texts]
