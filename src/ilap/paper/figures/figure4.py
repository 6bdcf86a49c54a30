"""Figure 4: two known classes and a new one that resembles one of them, before and after detection training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilap.bench import jobs, processes
from ilap.bench.data import dataset
from ilap.bench.jobs import Line
from ilap.bench.learners.hindsight import best_threshold
from ilap.core.metrics import auroc
from ilap.paper import scales, style
from ilap.paper.contract import ClaimCheck, Made, Request, gap_words, gaps_of, larger
from ilap.paper.published import THETA
from ilap.paper.similar import Similar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "figure4"
HEADER = ("data", "method", "seed", "k1", "k2", "k3", "shown", "score", "threshold", "x", "y")
METHODS = ("distance", "confusion")
KINDS = {"novel": style.NOVEL, "repeated": style.REPEATED}


Logs = Sequence[Sequence[Line]]


@dataclass(frozen=True)
class Figure4Panel:
    """A panel of figure 4: a data set, the model, and how many of the most similar pairs are asked about."""

    data: str
    exposure_size: int
    pairs: int
    changes: Mapping[str, Any]
    seeds: int


SCALES = {
    "quick": (Figure4Panel("digits", 40, 4, {"backbone": "small", "resolution": 16}, 2),),
    "cpu": (
        Figure4Panel("mnist", 100, 5, {"backbone": "small"}, 3),
        Figure4Panel("cifar100", 75, 20, {"backbone": "lite0", "resolution": 64, "trainable": "stage6"}, 1),
    ),
    "full": (Figure4Panel("cifar100", 200, 20, {}, 5),),
}
"""The first data set of a scale is the one on the map."""
DIFFERS = {
    "quick": ("Embedded digits instead of CIFAR-100's lamp, boy and girl; a small network at 16 px.",),
    "cpu": (
        "MNIST with a small network from random weights, exposures of 100; CIFAR-100 with EfficientNet-Lite0 "
        "at 64 px, ImageNet's weights, trained from its last stage on, exposures of 75. The paper trains all "
        "of ResNet-18 at 224 px, and shows one triple of CIFAR-100 (lamp, boy, girl).",
    ),
    "full": ("The triples are chosen by similarity.",),
}


def make(request: Request) -> Made:
    """Measure and draw."""
    asked = scales.of(SCALES, request.scale)
    gaps = gaps_of(each.data for each in asked)
    work = [
        [
            Similar(each.data, "paper", seed, each.exposure_size, each.pairs, each.changes)
            for seed in range(0 if each.data in gaps else request.seeds or each.seeds)
        ]
        for each in asked
    ]
    lines = iter(processes.run([one for own in work for one in own], request.out, request.jobs))
    logs = {each.data: [next(lines) for _ in own] for each, own in zip(asked, work, strict=True)}
    marks = {data: marks_of(own) for data, own in logs.items()}
    figure = style.figure(style.COLUMN, 2.8 + 2.1 * len(asked))
    grid = figure.subplots(1 + len(asked), 2, height_ratios=(1.3, *[1] * len(asked)))
    for axes, when in zip(grid[0], ("before", "after"), strict=True):
        mapped(style.plain(axes), asked[0].data, logs[asked[0].data], when, gaps)
    for pair, (data, own) in zip(grid[1:], logs.items(), strict=True):
        for axes, method in zip(pair, METHODS, strict=True):
            strip(axes, data, own, method, marks[data][method], gaps)
    for axes in (grid[0][0], grid[1][0]):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best", fontsize=style.FONT - 1, framealpha=0.8, handletextpad=0.2)
    rows = [row for data, own in logs.items() for row in rows_of(data, own, marks[data])]
    files = style.save(figure, HEADER, rows, request.folder / f"{NAME}-{request.scale}")
    facts = {data: facts_of(own, marks[data], dataset(data).names) for data, own in logs.items() if own}
    return Made(
        NAME,
        "Similar classes before and after detection training",
        "Top: t-SNE of test pictures of two known classes and of a new one that resembles the first, in the "
        "features of the model that knows two (left) and of its copy after detection training (right). The "
        "triple is the data set's own: the two classes whose means are most alike, and the one least like "
        "them. The mean silhouette says how far the two similar classes lie apart: 1 is far, 0 is one in the "
        "other. Below: the scores of the new class and of the first one again, for all triples; the line is "
        "the best threshold for distance, and theta.",
        tuple(files),
        request.command(NAME),
        f"{' or '.join(str(request.seeds or n) for n in sorted({each.seeds for each in asked}))}, from 0",
        jobs.seconds([log for own in logs.values() for log in own]),
        scales.of(DIFFERS, request.scale),
        gaps,
        (finding(facts),),
        facts,
    )


def marks_of(logs: Logs) -> dict[str, float]:
    """The thresholds: the best one for distance, the paper's theta for confusion."""
    return {"distance": best(logs, "distance") if logs else 0.0, "confusion": -THETA}


def best(logs: Logs, method: str) -> float:
    """The threshold with the highest F-score over all triples."""
    values = [line[kind][method] for lines in logs for line in lines for kind in KINDS]
    return best_threshold(values, [kind == "novel" for lines in logs for _ in lines for kind in KINDS])


def mapped(axes: Axes, data: str, logs: Logs, when: str, gaps: Mapping[str, str]) -> None:
    """The three classes on the plane."""
    axes.set(xticks=[], yticks=[])
    axes.spines[["top", "right"]].set_visible(True)
    if data in gaps:
        style.gap(axes, gap_words(style.named(data), gaps[data]))
        return
    line, names = logs[0][0], dataset(data).names
    axes.set_title(
        f"{style.named(data)}, {when} detection training (silhouette {line['map'][f'apart {when}']:.2f})",
        loc="left",
    )
    places, labels = np.array(line["map"][when]), np.array(line["map"]["labels"])
    kinds = {
        "k1": (style.BLUE, "o", "known"),
        "k2": (style.GREY, "s", "known"),
        "k3": (style.VERMILION, "^", "new"),
    }
    for key, (colour, marker, what) in kinds.items():
        own = places[labels == line[key]]
        label = f"{names[line[key]]} ({what})"
        axes.scatter(own[:, 0], own[:, 1], s=13, c=colour, marker=marker, linewidths=0, alpha=0.8, label=label)


def strip(axes: Axes, data: str, logs: Logs, method: str, mark: float, gaps: Mapping[str, str]) -> None:
    """Of every triple the score of the new class and of the first one again, by its place."""
    title = {
        "distance": f"{style.named(data)}: distance in the model's features",
        "confusion": f"{style.named(data)}: confusion",
    }[method]
    style.plain(
        axes, "triples, the most similar first", {"distance": "distance"}.get(method, "largest drop"), title
    )
    if data in gaps:
        style.gap(axes, gap_words(style.named(data), gaps[data]))
        return
    sign = 1 if method == "distance" else -1
    for kind, colour in KINDS.items():
        label = {"novel": "new class", "repeated": "first class again"}[kind]
        marker = "^" if kind == "novel" else "o"
        values = [[sign * line[kind][method] for line in lines] for lines in logs]
        across = [place for lines in values for place in range(1, len(lines) + 1)]
        every = [value for lines in values for value in lines]
        axes.plot(across, every, marker, color=colour, markersize=4.5, alpha=0.85, label=label)
    axes.axhline(sign * mark, color="black", linewidth=1, linestyle="--")
    axes.set_ylim(bottom=-0.03)
    axes.locator_params(axis="x", integer=True)


def rows_of(data: str, logs: Logs, marks: Mapping[str, float]) -> list[tuple[Any, ...]]:
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


def facts_of(logs: Logs, marks: Mapping[str, float], names: Sequence[str]) -> dict[str, Any]:
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
            "auroc of seeds": [auroc_of(lines, method) for lines in logs],
            "new found": float(np.mean([value > marks[method] for value in novel])),
            "repeats known": float(np.mean([value <= marks[method] for value in again])),
        }
    return found


def auroc_of(lines: Sequence[Line], method: str) -> float:
    """Of one seed."""
    scores = [line[kind][method] for kind in KINDS for line in lines]
    return auroc(scores, [kind == "novel" for kind in KINDS for _ in lines]) or 0.0


def finding(facts: Mapping[str, Mapping[str, Any]]) -> ClaimCheck:
    """Are similar classes told apart more reliably by confusion than by distance: with a higher AUROC? Their
    scores lie on different scales, so margins between new and repeated are not compared."""
    claim = "Similar classes are told apart more reliably by confusion than by distance (section 5.3)"
    if not facts:
        return ClaimCheck(claim, {}, "There were no data to measure it on.")
    held = {
        style.named(data): larger(own["confusion"]["auroc of seeds"], own["distance"]["auroc of seeds"])
        for data, own in facts.items()
    }
    return ClaimCheck(claim, held, " ".join(sentence(data, own) for data, own in facts.items()))


def sentence(data: str, own: Mapping[str, Any]) -> str:
    """What was found on a data set."""
    k1, k2, k3 = own["triple"]
    methods = {"confusion, with theta = .6,": "confusion", "distance, with its best threshold,": "distance"}
    parts = [
        f"{words} finds {own[name]['new found']:.0%} of the new classes and knows "
        f"{own[name]['repeats known']:.0%} of the repeats (AUROC {own[name]['auroc']:.2f})"
        for words, name in methods.items()
    ]
    return (
        f"{style.named(data)}, {own['triples']} triples: {'; '.join(parts)}; in the first triple ({k1} and "
        f"{k2} known, {k3} new) the mean silhouette of the similar pair goes from {own['apart before']:.2f} to "
        f"{own['apart after']:.2f} by detection training."
    )
