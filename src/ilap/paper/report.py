"""Every table and figure by its name, run or resumed; ``ilap paper all`` has them in one self-contained page,
and as Markdown."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from ilap.core import files, registry
from ilap.core.errors import BadSetting
from ilap.paper import ablation, figures_5_to_12, scales, style, table1, tables_2_and_3
from ilap.paper.contract import ClaimCheck, Made, MadeTable, Maker, Request

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


TABLES = ("table1", *tables_2_and_3.VIEWS, "ablation")


def figures() -> list[str]:
    """The figures that there are, in the paper's order: files in figures/, and views of the runs of learners.

    >>> figures()[:2], figures()[-1]
    (['figure1', 'figure2'], 'early')
    """
    names = [*registry.names("figure"), *figures_5_to_12.VIEWS]
    return sorted(
        names, key=lambda name: int(number[0]) if (number := re.findall(r"\d+", name)) else len(names)
    )


def figure(name: str, request: Request) -> Made:
    """Make a figure, with all that it needs."""
    scales.check(request.scale)
    if name not in figures():
        raise BadSetting(
            f"There is no {name!r}: take one of all, table1, table2, table3, {', '.join(figures())}."
        )
    if name in figures_5_to_12.VIEWS:
        return figures_5_to_12.make(name, request)
    maker: Maker = registry.find("figure", name)
    return maker(request)


def table(name: str, request: Request) -> MadeTable:
    """Run or resume a table."""
    if name in tables_2_and_3.VIEWS:
        return tables_2_and_3.make(name, request)
    return ablation.make(request) if name == "ablation" else table1.make(request)


@dataclass(frozen=True)
class Report:
    """All that was made."""

    request: Request
    tables: tuple[MadeTable, ...]
    figures: tuple[Made, ...]

    @property
    def parts(self) -> list[MadeTable | Made]:
        """Tables and figures."""
        return [*self.tables, *self.figures]

    @property
    def page(self) -> Path:
        """The page."""
        return self.request.out / "report.html"

    @property
    def findings(self) -> list[tuple[str, ClaimCheck]]:
        """Those at the top, each with the part that it is of."""
        parts = {part.name: part for part in self.parts}
        return [(name, finding) for name in FINDINGS if name in parts for finding in parts[name].findings]

    @property
    def gaps(self) -> dict[str, str]:
        """Everything that is missing, each data set once."""
        gaps = [gap for part in self.parts for gap in part.gaps.items()]
        return {style.named(data).split(",")[0]: file for data, file in gaps}


def make(request: Request, tell: Callable[[str], None] = lambda words: None) -> Report:
    """Make or resume everything, then write the page and the tables as Markdown."""
    at_scale = [name for name in TABLES if name != "ablation" or request.scale in ablation.SCALES]
    names = [*at_scale, *figures()]
    tables, drawn = [], []
    for number, name in enumerate(names, 1):
        tell(f"{number} of {len(names)}: {name}")
        if name in TABLES:
            tables.append(table(name, request))
        else:
            drawn.append(figure(name, request))
    report = Report(request, tuple(tables), tuple(drawn))
    files.write(report.page, render(report))
    files.write(request.out / "tables.md", markdown(report))
    return report


def render(report: Report) -> str:
    """The page."""
    environment = Environment(
        loader=PackageLoader("ilap.paper"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(duration=duration, picture=picture, csv=csv_of, label=label)
    return environment.get_template("report.html").render(
        scale=report.request.scale,
        tables=report.tables,
        figures=report.figures,
        findings=report.findings,
        gaps=report.gaps,
        command=report.request.command("all"),
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
    lines = [f"# Tables and findings, scale {report.request.scale}\n", f"    {report.request.command('all')}\n"]
    lines += ["Ours first, the paper's figures in round brackets; mean ± standard deviation over seeds.\n"]
    for table in report.tables:
        lines += [f"## {table.title}\n", f"    {table.command}\n", table.grid.markdown()]
        time = f"Time of the learners, added up by the clock: {duration(table.seconds)}."
        lines += [f"Seeds: {table.seeds}. {time}\n"]
        lines += bullets(caveats(table))
    lines += ["## What of the paper this confirms\n"]
    lines += bullets(
        [f"**{f.claim}: {f.verdict}.** {f.sentence} ({label(name)})" for name, f in report.findings]
    )
    return "\n".join(lines)


def caveats(made: Made | MadeTable) -> list[str]:
    """What is missing, and what differs from the paper."""
    return [*(f"No {data}: {file} is missing." for data, file in made.gaps.items()), *made.differs]


def bullets(sentences: Sequence[str]) -> list[str]:
    """A list, and a line after it."""
    return [*(f"- {sentence}" for sentence in sentences), ""]


def summary(report: Report) -> dict[str, Any]:
    """The report as plain data, for --json."""
    return {
        "report": str(report.page),
        "scale": report.request.scale,
        "figures": {made.name: plain(made) for made in report.figures},
        "tables": {table.name: {"seconds": table.seconds, "seeds": table.seeds} for table in report.tables},
        "findings": [{"of": name, **plain_finding(finding)} for name, finding in report.findings],
        "gaps": report.gaps,
    }


def plain_table(made: MadeTable) -> dict[str, Any]:
    """A table as plain data."""
    rows = [dict(zip(made.grid.header, row, strict=True)) for row in made.grid.rows]
    return {"table": made.name, "title": made.title, "rows": rows, **rests_on(made)}


def plain(made: Made) -> dict[str, Any]:
    """A figure as plain data."""
    files = [str(file) for file in made.files]
    return {"figure": made.name, "title": made.title, "files": files, **rests_on(made), "facts": made.facts}


def rests_on(made: Made | MadeTable) -> dict[str, Any]:
    """How a part of the report was made, what is missing, and what it says of the paper."""
    return {
        "command": made.command,
        "seeds": made.seeds,
        "seconds": round(made.seconds, 1),
        "differs": list(made.differs),
        "gaps": dict(made.gaps),
        "findings": [plain_finding(finding) for finding in made.findings],
    }


def plain_finding(finding: ClaimCheck) -> dict[str, Any]:
    """A claim as plain data."""
    return {
        "claim": finding.claim,
        "confirmed": dict(finding.confirmed),
        "sentence": finding.sentence,
    }
