"""``ilap paper table2`` and ``table3``: the paper's rows and columns, ours beside theirs.

Both tables are two views of the same runs, so the second costs nothing. A column whose data are not there is a
gap that says which file is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ilap.bench import bench, published, tables
from ilap.bench.cell import Cell, dataset
from ilap.bench.stream import Plan
from ilap.errors import BadSetting, MissingFile
from ilap.learners.load import check

TABLES = {
    "table2": ("accuracy", "accuracy on test pictures", published.ACCURACY, 3),
    "table3": ("unique_classes", "true classes found", published.UNIQUE_CLASSES, 1),
}


@dataclass(frozen=True)
class Column:
    """A data set of the paper, or one that stands beside them, and how its stream is made."""

    data: str
    plan: Plan
    seeds: Mapping[str, int] = field(default_factory=dict)  # by learner, where fewer than the scale's


@dataclass(frozen=True)
class Scale:
    """How much is run, with what, and how that differs from the paper."""

    columns: tuple[Column, ...]
    learners: tuple[str, ...]
    seeds: Mapping[str, int]
    changes: Mapping[str, Any]
    differs: tuple[str, ...]
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # further settings of some learners


NETWORKS = ("bic", "iolfcv", "paper-noci", "paper")
EXACT = ("cosine", "fast", "oracle", "joint")
FIVE = dict.fromkeys(NETWORKS + EXACT, 5)
THREE = {**FIVE, **dict.fromkeys(NETWORKS, 3)}
ONE = dict.fromkeys(NETWORKS, 1)
HELD_BACK = {name: {"head_rate": 0.01, "weight_decay": 1.0} for name in ("paper", "paper-noci")}

SCALES = {
    "quick": Scale(
        (Column("digits", Plan(40, 3)),),
        NETWORKS + EXACT,
        dict.fromkeys(NETWORKS + EXACT, 2),
        {"backbone": "lite0", "trainable": "head", "batch": 64},
        ("Embedded digits only, exposures of 40, 3 of every class: to see that everything works.",),
        HELD_BACK,
    ),
    "cpu": Scale(
        (
            Column("mnist", Plan(200, 5)),
            Column("svhn", Plan(200, 5)),
            Column("cifar10", Plan(200, 5)),
            Column("cifar100", Plan(50, 3), ONE),
            Column("crib", Plan(100, 5, draw="contiguous", classes=50)),
            Column("coil20", Plan(9, 6)),
        ),
        NETWORKS + EXACT,
        THREE,
        {"backbone": "lite0", "trainable": "head", "batch": 128},
        (
            "Features are frozen, EfficientNet-Lite0 at 128 px; the paper trains all of ResNet-18 at 224 px.",
            "So bic, iolfcv, paper-noci and paper train the head alone, in batches of 128 instead of 16.",
            "Exposures of 200 come 5 times a class; CIFAR-100's are of 50 and come 3 times. The paper does not "
            "say how often.",
            "coil20 stands beside CRIB, not in its place: 20 objects, exposures of 9 shuffled views, 6 each.",
            "bic, iolfcv, paper-noci and paper have 3 seeds, 1 for CIFAR-100; the others have 5.",
            "A head on frozen features tells two exposures of one class apart by heart, and nothing breaks; so "
            "paper and paper-noci train theirs with a weight decay of 1, at a rate of .01.",
        ),
        HELD_BACK,
    ),
    "full": Scale(
        (
            Column("mnist", Plan(200, 10)),
            Column("svhn", Plan(200, 10)),
            Column("cifar10", Plan(200, 10)),
            Column("cifar100", Plan(200, 2)),
            Column("crib", Plan(100, 10, draw="contiguous", classes=50)),
        ),
        (*NETWORKS, "fast", "oracle"),
        FIVE,
        {},
        (
            "The paper does not say how often a class comes: 10 times here, as in its authors' code, and twice "
            "for CIFAR-100, which has no more pictures.",
            "What else the paper leaves open is settled in docs/design.md.",
        ),
        {name: {"backbone": "resnet18", "trainable": "all", "batch": 16} for name in ("bic", "iolfcv")},
    ),
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
    if scale not in SCALES:
        raise BadSetting(f"There is no scale {scale!r}: take one of {', '.join(SCALES)}.")
    chosen = SCALES[scale]
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


def cells_of(scale: Scale, column: Column, learners: Sequence[str], seeds: int | None) -> list[Cell]:
    """The runs of a column: learners, and seeds as many as the scale has of each, unless it is said how
    many."""
    return [
        Cell(column.data, learner, seed, column.plan, changes_for(scale, column, learner))
        for learner in learners
        for seed in range(seeds or column.seeds.get(learner, scale.seeds.get(learner, 5)))
    ]


def changes_for(scale: Scale, column: Column, learner: str) -> dict[str, Any]:
    """The scale's settings; as many exemplars a class as an exposure has pictures (paper 4.1)."""
    exemplars = max(2, column.plan.exposure_size)
    return {**scale.changes, "exemplars": exemplars, **scale.own.get(learner, {})}


def missing(name: str) -> str:
    """Why a data set cannot be had, or nothing."""
    try:
        dataset(name)
    except MissingFile as error:
        return str(error)
    return ""


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
