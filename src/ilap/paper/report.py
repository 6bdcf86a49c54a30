"""``ilap paper all``: every table and figure, run or resumed, as one self-contained page and as Markdown."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from ilap.core import files
from ilap.paper import made_tables, style
from ilap.paper.contract import Finding, Made, MadeTable, Order
from ilap.paper.make import figure, figures

FINDINGS = (
    "figure2",
    "table1",
    "table2",
    "table3",
    "early",
    "figure3",
    "figure4",
    "figure10",
    "figure12",
    "ablation",
)
"""Whose findings stand at the top: what the paper says of imbalance, order, similar classes, small exposures,
and learning without pre-training; then what it leaves open."""


@dataclass(frozen=True)
class Report:
    """All that was made."""

    order: Order
    tables: tuple[MadeTable, ...]
    figures: tuple[Made, ...]

    @property
    def parts(self) -> list[MadeTable | Made]:
        """Tables and figures."""
        return [*self.tables, *self.figures]

    @property
    def page(self) -> Path:
        """The page."""
        return self.order.out / "report.html"

    @property
    def findings(self) -> list[tuple[str, Finding]]:
        """Those at the top, each with the part that it is of."""
        parts = {part.name: part for part in self.parts}
        return [(name, finding) for name in FINDINGS if name in parts for finding in parts[name].findings]

    @property
    def gaps(self) -> dict[str, str]:
        """Everything that is missing, each data set once."""
        gaps = [gap for part in self.parts for gap in part.gaps.items()]
        return {style.named(data).split(",")[0]: file for data, file in gaps}


def make(order: Order, tell: Callable[[str], None] = lambda words: None) -> Report:
    """Make or resume everything, then write the page and the tables as Markdown."""
    names = [*made_tables.at(order.scale), *figures()]
    tables, drawn = [], []
    for number, name in enumerate(names, 1):
        tell(f"{number} of {len(names)}: {name}")
        if name in made_tables.TITLES:
            tables.append(made_tables.make(name, order))
        else:
            drawn.append(figure(name, order))
    report = Report(order, tuple(tables), tuple(drawn))
    files.write(report.page, render(report))
    files.write(order.out / "tables.md", markdown(report))
    return report


def render(report: Report) -> str:
    """The page."""
    environment = Environment(
        loader=PackageLoader("ilap.paper"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(duration=duration, picture=picture, csv=csv_of, label=label)
    return environment.get_template("report.html").render(
        scale=report.order.scale,
        tables=report.tables,
        figures=report.figures,
        findings=report.findings,
        gaps=report.gaps,
        command=report.order.command("all"),
    )


def picture(made: Made) -> str:
    """A figure's drawing as a data URI, so that the page needs no other file."""
    drawing = next(file for file in made.files if file.suffix == ".svg")
    return "data:image/svg+xml;base64," + base64.b64encode(drawing.read_bytes()).decode()


def csv_of(made: Made) -> str:
    """The file of a figure's numbers."""
    return next(file.name for file in made.files if file.suffix == ".csv")


def label(name: str) -> str:
    """A name as it is read.

    >>> label("figure12"), label("early"), label("ablation")
    ('Figure 12', 'Early repeats', 'Ablation')
    """
    for kind in ("figure", "table"):
        if name.startswith(kind):
            return f"{kind.capitalize()} {name.removeprefix(kind)}"
    return "Early repeats" if name == "early" else name.capitalize()


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(12.3), duration(300), duration(9000)
    ('12 s', '5 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def markdown(report: Report) -> str:
    """The tables and findings, for the docs."""
    lines = [f"# Tables and findings, scale {report.order.scale}\n", f"    {report.order.command('all')}\n"]
    lines += ["Ours first, the paper's figures in round brackets; mean ± standard deviation over seeds.\n"]
    for table in report.tables:
        lines += [f"## {table.title}\n", f"    {table.command}\n", table.grid.markdown()]
        time = f"Time of the learners, added up by the clock: {duration(table.seconds)}."
        lines += [f"Seeds: {table.seeds}. {time}\n"]
        lines += bullets(
            [*(f"No {data}: {file} is missing." for data, file in table.gaps.items()), *table.differs]
        )
    lines += ["## What of the paper this confirms\n"]
    lines += bullets(
        [f"**{f.claim}: {f.verdict}.** {f.sentence} ({label(name)})" for name, f in report.findings]
    )
    return "\n".join(lines)


def bullets(sentences: Sequence[str]) -> list[str]:
    """A list, and a line after it."""
    return [*(f"- {sentence}" for sentence in sentences), ""]


def summary(report: Report) -> dict[str, Any]:
    """The report as plain data, for --json."""
    return {
        "report": str(report.page),
        "scale": report.order.scale,
        "figures": {made.name: plain(made) for made in report.figures},
        "tables": {table.name: {"seconds": table.seconds, "seeds": table.seeds} for table in report.tables},
        "findings": [
            {"of": name, "claim": f.claim, "confirmed": dict(f.confirmed), "sentence": f.sentence}
            for name, f in report.findings
        ],
        "gaps": report.gaps,
    }


def plain_table(made: MadeTable) -> dict[str, Any]:
    """A table as plain data."""
    return {
        "table": made.name,
        "title": made.title,
        "rows": [dict(zip(made.grid.header, row, strict=True)) for row in made.grid.rows],
        "command": made.command,
        "seeds": made.seeds,
        "seconds": round(made.seconds, 1),
        "differs": list(made.differs),
        "gaps": dict(made.gaps),
        "findings": [
            {"claim": f.claim, "confirmed": dict(f.confirmed), "sentence": f.sentence} for f in made.findings
        ],
    }


def plain(made: Made) -> dict[str, Any]:
    """A figure as plain data."""
    return {
        "figure": made.name,
        "title": made.title,
        "files": [str(file) for file in made.files],
        "command": made.command,
        "seeds": made.seeds,
        "seconds": round(made.seconds, 1),
        "differs": list(made.differs),
        "gaps": dict(made.gaps),
        "findings": [
            {"claim": f.claim, "confirmed": dict(f.confirmed), "sentence": f.sentence} for f in made.findings
        ],
        "facts": made.facts,
    }
