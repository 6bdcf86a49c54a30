"""Figure 4: two known classes and a new one that resembles one of them, before and after detection training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilap.bench import style
from ilap.bench.cell import dataset
from ilap.figures import study
from ilap.figures.contract import Finding, Made, Order
from ilap.figures.gaps import gaps_of, told
from ilap.figures.similar import Similar
from ilap.learners.hindsight import best_threshold
from ilap.metrics import auroc
from ilap.settings import PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADER = ("data", "method", "seed", "k1", "k2", "k3", "shown", "score", "threshold", "x", "y")
METHODS = ("distance", "confusion")
KINDS = {"novel": style.NOVEL, "repeated": style.REPEATED}


@dataclass(frozen=True)
class Scale:
    """What is measured, and how that differs from the paper."""

    data: str
    exposure_size: int
    pairs: int
    changes: Mapping[str, Any]
    seeds: int
    differs: tuple[str, ...]


SCALES = {
    "quick": Scale(
        "digits",
        40,
        4,
        {"backbone": "small", "resolution": 16},
        2,
        ("Embedded digits instead of CIFAR-100's lamp, boy and girl; a small network at 16 px.",),
    ),
    "cpu": Scale(
        "cifar100",
        75,
        20,
        {"backbone": "lite0", "resolution": 64, "trainable": "stage6"},
        1,
        (
            "Exposures of 75. EfficientNet-Lite0 with ImageNet's weights at 64 px is trained from its last "
            "stage on; the paper trains all of ResNet-18, and shows one triple (lamp, boy, girl).",
        ),
    ),
    "full": Scale("cifar100", 200, 20, {}, 5, ("The triples are chosen by similarity.",)),
}


def make(name: str, order: Order) -> Made:
    """Measure and draw."""
    scale = SCALES[order.scale]
    gaps = gaps_of([scale.data])
    seeds = 0 if gaps else order.seeds or scale.seeds
    work = [
        Similar(scale.data, "paper", seed, scale.exposure_size, scale.pairs, scale.changes)
        for seed in range(seeds)
    ]
    logs = study.run(work, order.out, order.jobs)
    figure = style.figure(style.COLUMN, 5.0)
    grid = figure.subplots(2, 2, height_ratios=(1.25, 1))
    marks = {"distance": best(logs, "distance") if logs else 0.0, "confusion": -PAPER.theta}
    if gaps:
        for axes in grid.reshape(-1):
            style.gap(style.plain(axes), told(scale.data, gaps[scale.data]))
    else:
        names = dataset(scale.data).names
        for axes, when in zip(grid[0], ("before", "after"), strict=True):
            mapped(axes, logs[0][0], when, names)
        for axes, method in zip(grid[1], METHODS, strict=True):
            strip(axes, logs, method, marks[method])
        grid[0][0].legend(loc="best", fontsize=style.FONT - 1, framealpha=0.8, handletextpad=0.2)
        grid[1][0].legend(loc="best", fontsize=style.FONT - 1, framealpha=0.8, handletextpad=0.2)
    files = style.save(figure, HEADER, rows_of(scale.data, logs, marks), order.folder / f"{name}-{order.scale}")
    facts = facts_of(logs, marks, dataset(scale.data).names) if logs else {}
    return Made(
        name,
        "Similar classes before and after detection training",
        "Top: t-SNE of test pictures of two known classes and of a new one that resembles the first, in the "
        "features of the model that knows two (left) and of its copy after detection training (right). The "
        "triple is the data set's own: the two classes whose means are most alike, and the one least like "
        "them. The mean silhouette says how far the two similar classes lie apart: 1 is far, 0 is one in the "
        "other. Bottom: the scores of the new class and of the first one again, for all triples; the line is "
        "the best threshold for distance, and theta.",
        tuple(files),
        order.command(name),
        f"{seeds} from 0",
        study.seconds(logs),
        scale.differs,
        gaps,
        (finding(facts),),
        facts,
    )


def best(logs: Sequence[Sequence[study.Line]], method: str) -> float:
    """The threshold with the highest F-score over all triples."""
    values = [line[kind][method] for lines in logs for line in lines for kind in KINDS]
    return best_threshold(values, [kind == "novel" for lines in logs for _ in lines for kind in KINDS])


def mapped(axes: Axes, line: study.Line, when: str, names: Sequence[str]) -> None:
    """The three classes on the plane."""
    share = line["map"][f"apart {when}"]
    style.plain(axes, title=f"{when} detection training (silhouette {share:.2f})")
    places, labels = np.array(line["map"][when]), np.array(line["map"]["labels"])
    known = {
        "k1": (style.BLUE, "o", "known"),
        "k2": (style.GREY, "s", "known"),
        "k3": (style.VERMILION, "^", "new"),
    }
    for key, (colour, marker, what) in known.items():
        own = places[labels == line[key]]
        axes.scatter(
            own[:, 0],
            own[:, 1],
            s=13,
            c=colour,
            marker=marker,
            linewidths=0,
            alpha=0.8,
            label=f"{names[line[key]]} ({what})",
        )
    axes.set(xticks=[], yticks=[])
    axes.spines[["top", "right"]].set_visible(True)


def strip(axes: Axes, logs: Sequence[Sequence[study.Line]], method: str, mark: float) -> None:
    """Of every triple the score of the new class and of the first one again, by its place."""
    sign = 1 if method == "distance" else -1
    words = {
        "distance": ("distance in the model's features", "distance"),
        "confusion": ("confusion", "largest drop"),
    }
    style.plain(axes, "triples, the most similar first", words[method][1], words[method][0])
    for kind, colour in KINDS.items():
        label = {"novel": "new class", "repeated": "first class again"}[kind]
        for number, lines in enumerate(logs):
            values = [sign * line[kind][method] for line in lines]
            marker = "^" if kind == "novel" else "o"
            axes.plot(
                range(1, len(values) + 1),
                values,
                marker,
                color=colour,
                markersize=4.5,
                label=label if not number else None,
            )
    axes.axhline(sign * mark, color="black", linewidth=1, linestyle="--")
    axes.set_ylim(bottom=-0.03)
    axes.locator_params(axis="x", integer=True)


def rows_of(
    data: str, logs: Sequence[Sequence[study.Line]], marks: Mapping[str, float]
) -> list[tuple[Any, ...]]:
    """Every score, then the points of both maps; of data that are not there a row a method, which is empty."""
    rows: list[tuple[Any, ...]] = [] if logs else [(data, method, *[""] * 9) for method in METHODS]
    for seed, lines in enumerate(logs):
        for line in lines:
            triple = (line["k1"], line["k2"], line["k3"])
            for method in METHODS:
                for kind in KINDS:
                    scored = (line[kind][method], round(marks[method], 5))
                    rows.append((data, method, seed, *triple, kind, *scored, "", ""))
    for when in ("before", "after") if logs else ():
        line = logs[0][0]
        triple = (line["k1"], line["k2"], line["k3"])
        for label, place in zip(line["map"]["labels"], line["map"][when], strict=True):
            rows.append((data, f"map {when}", 0, *triple, label, "", "", *place))
    return rows


def facts_of(
    logs: Sequence[Sequence[study.Line]], marks: Mapping[str, float], names: Sequence[str]
) -> dict[str, Any]:
    """The triple shown, how well its pair is told apart, and how each method does on all triples."""
    first = logs[0][0]
    found: dict[str, Any] = {
        "triple": [names[first[key]] for key in ("k1", "k2", "k3")],
        "apart before": first["map"]["apart before"],
        "apart after": first["map"]["apart after"],
        "triples": sum(map(len, logs)),
    }
    for method in METHODS:
        novel = [line["novel"][method] for lines in logs for line in lines]
        again = [line["repeated"][method] for lines in logs for line in lines]
        found[method] = {
            "auroc": auroc(novel + again, [True] * len(novel) + [False] * len(again)),
            "new found": float(np.mean([value > marks[method] for value in novel])),
            "repeats known": float(np.mean([value <= marks[method] for value in again])),
        }
    return found


def finding(facts: Mapping[str, Any]) -> Finding:
    """Are similar classes told apart by confusion where distance takes them for one?"""
    claim = "Similar classes are told apart by confusion where distance confuses them (section 5.3)"
    if not facts:
        return Finding(claim, {}, "There were no data to measure it on.")
    k1, k2, k3 = facts["triple"]
    distance, confusion = facts["distance"], facts["confusion"]
    same = distance["auroc"] == confusion["auroc"] == 1.0
    parts = [
        f"{name} finds {own['new found']:.0%} of the new classes and knows {own['repeats known']:.0%} of the "
        f"repeats (AUROC {own['auroc']:.2f})"
        for name, own in (
            ("confusion, with theta = .6,", confusion),
            ("distance, with its best threshold,", distance),
        )
    ]
    return Finding(
        claim,
        {} if same else {"confusion": confusion["auroc"] > distance["auroc"]},
        f"Of {facts['triples']} triples {'; '.join(parts)}. In the triple shown ({k1} and {k2} known, {k3} "
        f"new) the mean silhouette of the similar pair goes from {facts['apart before']:.2f} to "
        f"{facts['apart after']:.2f} by detection training."
        + (" Both find all, so there is nothing to choose between them." if same else ""),
    )
