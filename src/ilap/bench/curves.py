"""Figures of table 1: ROC and precision-recall curves and histograms of scores, with their numbers as CSV.

One figure a data set and kind, as PNG and SVG. Colours are Okabe and Ito's, which colour-blind people can tell
apart; detectors that share a colour differ in their line. The exposures of all seeds are pooled.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_curve

from ilap.bench.figures import Scored
from ilap.metrics import aupr, auroc, both

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#999999")
LINES = ("-", "--", ":")
NOVEL, REPEATED = "#D55E00", "#0072B2"
BINS = 16

Points = list[tuple[str, float, float]]


def write(scores: Mapping[str, Mapping[str, Scored]], folder: Path) -> list[Path]:
    """All figures; the files that there are then."""
    files: list[Path] = []
    for data, by_row in scores.items():
        rows = {row: found for row, found in by_row.items() if both(found[1])}
        if not rows:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for kind, draw in (("roc", roc), ("pr", precision_recall), ("scores", histograms)):
            figure, points, header = draw(data, rows)
            files += save(figure, points, header, folder / f"{data}-{kind}")
    return files


def roc(data: str, rows: Mapping[str, Scored]) -> tuple[Figure, Points, tuple[str, ...]]:
    """Novel exposures found against repeats taken for novel."""
    curves, points = {}, []
    for row, (scores, novel) in rows.items():
        x, y, _ = roc_curve(novel, scores, drop_intermediate=False)
        curves[f"{row}  {auroc(scores, novel):.2f}"] = (x, y, "default")
        points += [(row, float(a), float(b)) for a, b in zip(x, y, strict=True)]
    figure = lines(
        curves, f"{data}: novel exposures found (AUROC)", "repeats taken for novel", "novel ones found"
    )
    return figure, points, ("detector", "false positive rate", "true positive rate")


def precision_recall(data: str, rows: Mapping[str, Scored]) -> tuple[Figure, Points, tuple[str, ...]]:
    """How many of those taken for novel are, against how many of the novel ones are found. Average precision is
    the area under steps, so steps are what is drawn."""
    curves, points = {}, []
    for row, (scores, novel) in rows.items():
        precision, recall, _ = precision_recall_curve(novel, scores)
        curves[f"{row}  {aupr(scores, novel):.2f}"] = (recall[::-1], precision[::-1], "steps-pre")
        points += [(row, float(a), float(b)) for a, b in zip(recall, precision, strict=True)]
    figure = lines(curves, f"{data}: precision and recall of novel (AUPR)", "recall", "precision")
    return figure, points, ("detector", "recall", "precision")


def lines(curves: Mapping[str, tuple[Any, Any, Any]], title: str, across: str, up: str) -> Figure:
    """Curves in a unit square, best in the legend as in the table's order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.2, 5.0), layout="constrained")
    axes = figure.add_subplot()
    for place, (name, (x, y, step)) in enumerate(curves.items()):
        style = LINES[place // len(COLOURS) % len(LINES)]
        width = 3.2 - 2.0 * place / max(len(curves), 1)  # equal curves stay visible, one inside the other
        colour = COLOURS[place % len(COLOURS)]
        axes.plot(x, y, style, color=colour, linewidth=width, drawstyle=step, label=name)
    axes.set(title=title, xlabel=across, ylabel=up, xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    axes.set_aspect("equal")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right center", frameon=False, fontsize=9)
    return figure


def histograms(data: str, rows: Mapping[str, Scored]) -> tuple[Figure, Points, tuple[str, ...]]:
    """The scores of novel and of repeated exposures, one panel a detector. What lies beyond the middle 96 % is
    drawn at the edge, as a few outliers would leave no room for the others."""
    from matplotlib.figure import Figure

    across = min(4, len(rows))
    down = -(-len(rows) // across)
    figure = Figure(figsize=(2.7 * across, 1.9 * down + 0.9), layout="constrained")
    panels = np.atleast_1d(figure.subplots(down, across)).reshape(-1)
    points: Points = []
    for panel, (row, (scores, novel)) in zip(panels, rows.items(), strict=False):
        values, truth = np.asarray(scores), np.asarray(novel)
        low, high = np.quantile(values, [0.02, 0.98])
        edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
        clipped = np.clip(values, edges[0], edges[-1])
        for part, colour, name in ((~truth, REPEATED, "repeated"), (truth, NOVEL, "novel")):
            panel.hist(clipped[part], edges, color=colour, alpha=0.65, label=name)
        panel.set_title(row, fontsize=9)
        panel.tick_params(labelsize=7)
        panel.locator_params(axis="x", nbins=4)
        panel.spines[["top", "right"]].set_visible(False)
        points += [(row, float(score), float(said)) for score, said in zip(values, truth, strict=True)]
    for panel in panels[len(rows) :]:
        panel.set_visible(False)
    figure.suptitle(f"{data}: scores of exposures, larger is more novel", fontsize=11)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure, points, ("detector", "score", "novel")


def save(figure: Figure, points: Points, header: tuple[str, ...], stem: Path) -> list[Path]:
    """A figure in two formats, and its numbers."""
    files = [stem.with_name(f"{stem.name}.{end}") for end in ("png", "svg", "csv")]
    figure.savefig(files[0], dpi=150)
    figure.savefig(files[1], metadata={"Date": None})
    with files[2].open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *points])
    return files
