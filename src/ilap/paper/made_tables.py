"""Tables 1 to 3 as parts of the report: their figures, what they rest on, and what they say of the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ilap.bench import jobs, tables
from ilap.bench.data import missing
from ilap.paper import published, runs, style, table1
from ilap.paper import tables_2_and_3 as paper
from ilap.paper.contract import Finding, Order
from ilap.paper.gaps import file_of
from ilap.paper.scales.learners import TABLES, Scale
from ilap.paper.scales.novelty import SCALES as NOVELTY

TITLES = {
    "table1": "Table 1: novelty detection (FPR95, AUROC, AUPR)",
    "table2": "Table 2: accuracy on test pictures",
    "table3": "Table 3: true classes found",
}
HELPS = "Class imbalance helps"


@dataclass(frozen=True)
class MadeTable:
    """A table with what it rests on."""

    name: str
    title: str
    grid: tables.Grid
    command: str
    seeds: str
    seconds: float
    differs: tuple[str, ...]
    gaps: Mapping[str, str]
    findings: tuple[Finding, ...]


def make(name: str, order: Order) -> MadeTable:
    """Run or resume a table."""
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
        NOVELTY[order.scale].differs,
        {data: file_of(why) for data, why in result.gaps.items()},
        (by_auroc(result.rows),),
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
    _, _, theirs, digits = paper.TABLES[name]
    own = [column.data for column in scale.columns]
    others = [data for data in theirs if data not in own]
    empty = {"mean": None, "std": None, "seeds": 0}
    more = [
        {"data": data, "learner": learner, **empty, "paper_mean": mean, "paper_std": std}
        for data in others
        for learner in scale.learners
        for mean, std in [theirs[data].get(learner, (None, None))]
    ]
    gaps = {**result.gaps, **dict.fromkeys(others, "")}
    return paper.grid([*result.rows, *more], [*own, *others], scale.learners, gaps, digits)


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
    """Table 2 or 3."""
    result = paper.table(name, order.scale, [], [], order.seeds, order.out, order.jobs)
    scale = TABLES[order.scale]
    found = runs.panels(scale, order, {style.named(column.data): column for column in scale.columns})
    return MadeTable(
        name,
        TITLES[name],
        beside_paper(name, result, scale),
        order.command(name),
        runs.seeds(found),
        runs.seconds(found),
        scale.differs,
        {data: file_of(why) for data, why in result.gaps.items()},
        (in_runs(found, name),),
    )


def by_auroc(rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Confusion with and without imbalance, on models that are trained: on the closed form both rest on the
    same distance, and rank alike."""
    parts, helps = [], {}
    by_place = {(row["data"], row["model"], row["detector"]): row for row in rows}
    for (data, model, detector), row in by_place.items():
        without = by_place.get((data, model, "confusion-noci"))
        if detector != "confusion" or model == "exact" or without is None:
            continue
        ours = [value if value is not None else math.nan for value in (row["auroc"], without["auroc"])]
        theirs = [value for value in (row["auroc_paper"], without["auroc_paper"]) if value is not None]
        beside = f" (the paper: {theirs[0]:.2f} and {theirs[1]:.2f})" if len(theirs) == 2 else ""
        parts.append(f"{style.named(data)}, {model}: {ours[0]:.2f} with and {ours[1]:.2f} without{beside}")
        helps[f"{style.named(data)}, {model}"] = ours[0] > ours[1]
    sentence = f"AUROC {'; '.join(parts)}." if parts else "No model that is trained was run."
    return Finding(f"{HELPS} to find what is new (table 1)", helps, sentence)


def in_runs(found: Sequence[runs.Panel], name: str) -> Finding:
    """The paper's learner with and without imbalance, by what the table is about and by its decisions."""
    key = paper.TABLES[name][0]
    parts, helps = [], {}
    for panel in found:
        if not {"paper", "paper-noci"} <= panel.logs.keys():
            continue
        both = [panel.logs["paper"], panel.logs["paper-noci"]]
        ends = [runs.last(logs, key) for logs in both]
        shares = [runs.right(logs) for logs in both]
        digits = 2 if key == "accuracy" else 1
        parts.append(
            f"{panel.name}: {ends[0]:.{digits}f} with and {ends[1]:.{digits}f} without, and {shares[0]:.0%} "
            f"and {shares[1]:.0%} of the decisions right"
        )
        helps[panel.name] = ends[0] > ends[1]
    what = paper.TABLES[name][1]
    sentence = f"{what[0].upper()}{what[1:]}, {'; '.join(parts)}." if parts else "The learners were not run."
    return Finding(f"{HELPS} the learner ({name[:-1]} {name[-1]})", helps, sentence)
