"""The tables as parts of the report: their figures, what they rest on, and what they say of the paper."""

from __future__ import annotations

from collections.abc import Mapping

from ilap.bench import jobs, tables
from ilap.bench.data import missing
from ilap.paper import ablation, published, runs, scales, style, table1
from ilap.paper import table_findings as findings
from ilap.paper import tables_2_and_3 as paper
from ilap.paper.contract import MadeTable, Order
from ilap.paper.gaps import gaps_of
from ilap.paper.scales.ablation import SCALES as ABLATED
from ilap.paper.scales.learners import TABLES, Scale
from ilap.paper.scales.novelty import SCALES as NOVELTY

TITLES = {
    "table1": "Table 1: novelty detection (FPR95, AUROC, AUPR)",
    "table2": "Table 2: accuracy on test pictures",
    "table3": "Table 3: true classes found",
    "decisions": "Decisions right, at once / at the end (not in the paper)",
    "ablation": ablation.TITLE,
}


def at(scale: str) -> list[str]:
    """The tables that there are at a scale."""
    return [name for name in TITLES if name != "ablation" or scale in ABLATED]


def make(name: str, order: Order) -> MadeTable:
    """Run or resume a table."""
    if name == "ablation":
        return ablation.make(order)
    return novelty(order) if name == "table1" else learners(name, order)


def novelty(order: Order) -> MadeTable:
    """Table 1."""
    result = table1.table(order.scale, [], [], order.seeds, order.out, order.jobs)
    seeds = sorted({row["seeds"] for row in result.rows})
    return MadeTable(
        "table1",
        TITLES["table1"],
        with_paper(result.grid, {row["data"] for row in result.rows}, result.gaps),
        order.command("table1"),
        f"{' or '.join(map(str, seeds))}, from 0",
        seconds_of(order),
        scales.of(NOVELTY, order.scale).differs,
        gaps_of(result.gaps),
        (findings.by_auroc(result.rows), findings.leads(result.rows)),
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


def beside_paper(name: str, result: paper.Result, scale: Scale) -> tables.Grid:
    """The table with a column more for every data set of the paper that the scale does not run."""
    view = paper.VIEWS[name]
    own = [column.data for column in scale.columns]
    others = [data for data in view.theirs if data not in own]
    more = [paper.row_of(view, data, learner, []) for data in others for learner in scale.learners]
    gaps = {**result.gaps, **dict.fromkeys(others, "")}
    return paper.grid(view, [*result.rows, *more], [*own, *others], scale.learners, gaps)


def seconds_of(order: Order) -> float:
    """What the models of table 1 took, for updates and detectors."""
    return float(
        sum(
            line["update"] + sum(found["seconds"] for found in line["found"].values())
            for column in table1.chosen(order.scale, [], [])
            for work in table1.jobs_of(column, order.scale, order.seeds)
            for line in (jobs.read(work, order.out).lines if not missing(column.data) else [])
        )
    )


def learners(name: str, order: Order) -> MadeTable:
    """Table 2 or 3, or the decisions of the same runs."""
    result = paper.table(name, order.scale, [], [], order.seeds, order.out, order.jobs)
    scale = scales.of(TABLES, order.scale)
    found = runs.panels(scale, order, {style.named(column.data): column for column in scale.columns})
    said = () if name == "decisions" else (findings.in_runs(found, name), findings.order_of_rows(found, name))
    return MadeTable(
        name,
        TITLES[name],
        beside_paper(name, result, scale),
        order.command(name),
        runs.seeds(found),
        runs.seconds(found),
        scale.differs,
        gaps_of(result.gaps),
        said,
    )
