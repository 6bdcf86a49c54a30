"""Figures of table 1: ROC and precision-recall curves and histograms of scores, with their numbers as CSV.

One figure a data set and kind, as PNG and SVG, with a panel for every model. A detector has the same colour and
line in all figures (style.py), and the wider lines are drawn first, so that equal curves are all seen. The
exposures of all seeds are pooled.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_curve, roc_curve

from ilap.core.metrics import aupr, auroc, both
from ilap.paper.style import NOVEL, REPEATED, look, save
from ilap.paper.table1_figures import Scored

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 16
STEEP = 50.0  # the ratio of the largest to the middle score above which a histogram is logarithmic
TITLES = {
    "network": "trained network",
    "head": "head on frozen features",
    "exact": "closed form, frozen features",
}

Panels = Mapping[str, Mapping[str, Scored]]
Points = list[tuple[str, str, float, float]]
AreaCurve = tuple[NDArray[Any], NDArray[Any], float | None]


def write(scores: Mapping[str, Panels], folder: Path) -> list[Path]:
    """All figures; the files that there are then."""
    files: list[Path] = []
    for data, by_model in scores.items():
        there = {model: {row: s for row, s in rows.items() if both(s[1])} for model, rows in by_model.items()}
        panels = {model: rows for model, rows in there.items() if rows}
        if not panels:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        curves = {model: {row: roc(*s) for row, s in rows.items()} for model, rows in panels.items()}
        words = (f"{data}: novel exposures found (AUROC)", "repeats taken for novel", "novel ones found")
        header = ("model", "detector", "false positive rate", "true positive rate")
        files += save(draw(curves, *words), header, points(curves), folder / f"{data}-roc", tight=True)
        curves = {model: {row: precision(*s) for row, s in rows.items()} for model, rows in panels.items()}
        words = (f"{data}: precision and recall of novel (AUPR)", "recall", "precision")
        header = ("model", "detector", "recall", "precision")
        files += save(draw(curves, *words), header, points(curves), folder / f"{data}-pr", tight=True)
        each = [
            (model, row, float(score), float(novel))
            for model, rows in panels.items()
            for row, found in rows.items()
            for score, novel in zip(*found, strict=True)
        ]
        header = ("model", "detector", "score", "novel")
        files += save(histograms(data, panels), header, each, folder / f"{data}-scores", tight=True)
    return files


def roc(scores: list[float], novel: list[bool]) -> AreaCurve:
    """False and true positive rates, and the area."""
    x, y, _ = roc_curve(novel, scores, drop_intermediate=False)
    return x, y, auroc(scores, novel)


def precision(scores: list[float], novel: list[bool]) -> AreaCurve:
    """Recall and precision as steps, since average precision is the area under steps; it ends where all novel
    ones are found."""
    y, x, _ = precision_recall_curve(novel, scores)
    last = int(np.flatnonzero(x == 1)[-1])
    x, y = x[last:][::-1], y[last:][::-1]
    return np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:], aupr(scores, novel)


def points(curves: Mapping[str, Mapping[str, AreaCurve]]) -> Points:
    """All points of all curves."""
    return [
        (model, row, float(a), float(b))
        for model, rows in curves.items()
        for row, (x, y, _) in rows.items()
        for a, b in zip(x, y, strict=True)
    ]


def draw(curves: Mapping[str, Mapping[str, AreaCurve]], title: str, across: str, up: str) -> Figure:
    """Figure2Panel in unit squares, one a model."""
    from matplotlib.figure import Figure

    deep = max(-(-len(rows) // 2) for rows in curves.values())  # lines of the longest legend
    figure = Figure(figsize=(4.6 * len(curves) + 0.4, 5.4 + 0.24 * deep), layout="constrained")
    for axes, (model, rows) in zip(np.atleast_1d(figure.subplots(1, len(curves))), curves.items(), strict=True):
        for count, (row, (x, y, area)) in enumerate(rows.items()):
            seen = look(row)
            width = 4.0 - 2.8 * count / max(len(rows) - 1, 1)
            axes.plot(x, y, seen.line, color=seen.colour, linewidth=width, label=f"{row} {area:.2f}")
        axes.set_title(TITLES.get(model, model), fontsize=10)
        axes.set(xlabel=across, ylabel=up, xlim=(-0.02, 1.02), ylim=(-0.02, 1.03), aspect="equal")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize=8.5)
    figure.suptitle(title, fontsize=12)
    return figure


def histograms(data: str, panels: Panels) -> Figure:
    """The scores of novel and of repeated exposures, one panel a detector and model."""
    from matplotlib.figure import Figure

    each = [(model, row, found) for model, rows in panels.items() for row, found in rows.items()]
    across = min(4, len(each))
    down = -(-len(each) // across)
    figure = Figure(figsize=(2.8 * across, 2.0 * down + 0.8), layout="constrained")
    places = np.atleast_1d(figure.subplots(down, across)).reshape(-1)
    for axes, (model, row, (scores, novel)) in zip(places, each, strict=False):
        values, truth = np.asarray(scores), np.asarray(novel)
        steep = values.min() > 0 and values.max() > STEEP * float(np.median(values))
        low, high = values.min(), values.max() if values.max() > values.min() else values.min() + 1
        edges = np.geomspace(low, high, BINS + 1) if steep else np.linspace(low, high, BINS + 1)
        for part, colour, name in ((~truth, REPEATED, "repeated"), (truth, NOVEL, "novel")):
            axes.hist(values[part], edges, color=colour, alpha=0.65, label=name)
        if steep:
            axes.set_xscale("log")
        else:
            axes.locator_params(axis="x", nbins=5)
        axes.set_title(row if model == "network" else f"{row} ({model})", fontsize=9)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in places[len(each) :]:
        axes.set_visible(False)
    figure.suptitle(f"{data}: how many exposures have which score, larger is more novel", fontsize=11)
    handles, names = places[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure
