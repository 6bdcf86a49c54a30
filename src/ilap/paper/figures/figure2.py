"""Figure 2: what a class imbalance does to repeated and to other classes, and the lambda and theta it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilap.bench import jobs, processes
from ilap.bench.jobs import Line
from ilap.paper import scales, style
from ilap.paper.calibration import (
    KINDS,
    LAMBDAS,
    ONCE,
    TWICE,
    Calibration,
    DropCurve,
    LambdaAndTheta,
    choose,
    curves,
    right_at,
)
from ilap.paper.contract import ClaimCheck, Made, Request, gap_words, gaps_of, larger

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "figure2"
LINES = {"repeated": (style.REPEATED, "-"), "others": (style.NOVEL, "-"), "new": (style.GREY, "--")}
HEADER = ("data", "method", "curve", "lambda", "mean drop", "std", "trials")
UP = "drop of accuracy, or preference"
PAPER = "The paper chose lambda = .5 and theta = .6 on Fashion-MNIST and Imagenette."


@dataclass(frozen=True)
class Figure2Panel:
    """A panel of figure 2: a data set and a learner."""

    data: str
    method: str
    exposure_size: int
    preset: str
    changes: Mapping[str, Any]
    seeds: int
    lambdas: tuple[float, ...] = LAMBDAS


COARSE = (*LAMBDAS[::2], LAMBDAS[-1])
FEW = (0.0, 0.25, 0.5, 0.75, 0.95)
FAST = {"detector": "confusion"}
VARIANT, DROP = "paper-cpu", "paper-cpu-drop"
SCALES: Mapping[str, tuple[Figure2Panel, ...]] = {
    "quick": (
        Figure2Panel("digits", VARIANT, 40, VARIANT, {}, 1, FEW),
        Figure2Panel("digits", DROP, 40, DROP, {}, 1, FEW),
        Figure2Panel("imagenette", VARIANT, 40, VARIANT, {}, 1, FEW),
    ),
    "cpu": (
        Figure2Panel("fashion_mnist", VARIANT, 100, VARIANT, {}, 3),
        Figure2Panel("fashion_mnist", DROP, 100, DROP, {}, 3),
        Figure2Panel("fashion_mnist", "small network", 50, "paper", {"backbone": "small"}, 1, COARSE),
        Figure2Panel("imagenette", VARIANT, 40, VARIANT, {}, 3),
        Figure2Panel("imagenette", DROP, 40, DROP, {}, 3),
        Figure2Panel("fashion_mnist", "closed form", 100, "fast", FAST, 3),
    ),
    "full": (
        Figure2Panel("fashion_mnist", "trained network", 200, "paper", {}, 5),
        Figure2Panel("imagenette", "trained network", 200, "paper", {}, 5),
    ),
}
TRIED = (
    "Two, three and five classes are known, and five that were taught twice; the paper does not say how many."
)
DIFFERS = {
    "quick": (
        "Embedded digits instead of Fashion-MNIST; exposures of 40; a head on frozen features is trained.",
        TRIED,
    ),
    "cpu": (
        "Exposures of 100 on Fashion-MNIST, of 40 on Imagenette, of 50 for the small network, which begins at "
        "random (28 px). The others stand on frozen features of EfficientNet-Lite0; the paper has ResNet-18.",
        "Imagenette's pictures are part of what the backbone was trained on.",
        TRIED,
    ),
    "full": (TRIED,),
}


def make(request: Request) -> Made:
    """Measure and draw."""
    panels = scales.of(SCALES, request.scale)
    gaps = gaps_of(panel.data for panel in panels)
    logs = measure(panels, gaps, request)
    figure = style.figure(style.COLUMN, 2.6 if len(panels) < 4 else 4.6)
    across = min(len(panels), 3) if len(panels) != 4 else 2
    places = figure.subplots(-(-len(panels) // across), across, sharey=True, squeeze=False).reshape(-1)
    rows, facts = [], {}
    for axes, panel, own in zip(places, panels, logs, strict=False):
        style.plain(axes, r"class imbalance $\lambda$", "", f"{style.named(panel.data)}, {panel.method}")
        axes.set(xlim=(-0.02, 0.97), ylim=(-0.03, 1.05))
        if panel.data in gaps:
            style.gap(axes, gap_words(style.named(panel.data), gaps[panel.data]), 26)
            continue
        found = curves(own)
        chosen = choose(found)
        draw(axes, found, chosen)
        rows += rows_of(panel.data, panel.method, found, own)
        facts[f"{style.named(panel.data)}, {panel.method}"] = facts_of(found, chosen, own)
    for place in range(0, len(panels), across):
        places[place].set_ylabel(UP)
    handles, names = places[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    files = style.save(figure, HEADER, rows, request.folder / f"{NAME}-{request.scale}")
    return Made(
        NAME,
        "Class imbalance in detection training",
        "The detector's statistic in a trial at every lambda, of the class that the exposure repeats and of "
        "the others, with one standard deviation over exposures and seeds: the relative drop of accuracy, or "
        "for paper-cpu the share of a class's exemplars that prefer the newcomer. The vertical line is the "
        "lambda at the widest gap, the dot is theta half-way between the curves there. The grey line, which "
        "the paper does not show, is that of the likeliest class while the exposure is new: theta has to "
        f"lie above it. {PAPER}",
        tuple(files),
        request.command(NAME),
        f"{request.seeds or 'up to ' + str(max(panel.seeds for panel in panels))}, from 0",
        jobs.seconds([log for own in logs for log in own]),
        scales.of(DIFFERS, request.scale),
        gaps,
        (finding(facts),),
        facts,
    )


def measure(
    panels: Sequence[Figure2Panel], gaps: Mapping[str, str], request: Request
) -> list[list[list[Line]]]:
    """The logs of every panel, one a seed; none where there are no data."""
    work = [
        [
            Calibration(panel.data, panel.preset, seed, panel.exposure_size, panel.changes, panel.lambdas)
            for seed in range(0 if panel.data in gaps else request.seeds or panel.seeds)
        ]
        for panel in panels
    ]
    lines = iter(processes.run([one for each in work for one in each], request.out, request.jobs))
    return [[next(lines) for _ in each] for each in work]


def draw(axes: Axes, found: Mapping[str, DropCurve], chosen: LambdaAndTheta) -> None:
    """The curves with their spread, and the choice."""
    for kind, curve in found.items():
        colour, line = LINES[kind]
        axes.plot(curve.imbalance, curve.mean, line, color=colour, linewidth=1.6, label=KINDS[kind])
        if kind != "new":
            low, high = (curve.mean - curve.std).clip(0, 1), (curve.mean + curve.std).clip(0, 1)
            axes.fill_between(curve.imbalance, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.axvline(chosen.imbalance, color="black", linewidth=0.8, linestyle=":")
    axes.plot([chosen.imbalance], [chosen.theta], "o", color="black", markersize=4)
    right = chosen.imbalance > 0.5
    axes.annotate(
        f"$\\lambda$ = {chosen.imbalance:.2f}\n$\\theta$ = {chosen.theta:.2f}",
        (chosen.imbalance, chosen.theta),
        xytext=(-6 if right else 6, 0),
        textcoords="offset points",
        ha="right" if right else "left",
        va="center",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1},
    )


def rows_of(
    data: str, method: str, found: Mapping[str, DropCurve], logs: Sequence[Sequence[Line]]
) -> list[tuple[Any, ...]]:
    """The curves as numbers."""
    rows = []
    for kind, curve in found.items():
        for at, imbalance in enumerate(curve.imbalance):
            trials = sum(len(lines[at][taught][kind]) for lines in logs for taught in (ONCE, TWICE))
            numbers = (float(curve.mean[at]), float(curve.std[at]))
            rows.append((data, method, kind, float(imbalance), *(round(n, 4) for n in numbers), trials))
    return rows


def facts_of(
    found: Mapping[str, DropCurve], chosen: LambdaAndTheta, logs: Sequence[Sequence[Line]]
) -> dict[str, Any]:
    """What was chosen, the gap there and without imbalance, of every seed too, and how it decides these
    exposures, those after repeats apart."""
    place = int(np.flatnonzero(found["repeated"].imbalance == chosen.imbalance)[0])
    once, twice = (right_at(logs, chosen.imbalance, chosen.theta, taught) for taught in (ONCE, TWICE))
    return {
        **asdict(chosen),
        "gap_without": gap(found, 0),
        "gaps": [gap(curves([lines]), place) for lines in logs],
        "gaps_without": [gap(curves([lines]), 0) for lines in logs],
        **once,
        **{f"{name}_twice": share for name, share in twice.items()},
    }


def gap(found: Mapping[str, DropCurve], place: int) -> float:
    """How far repeated and other classes lie apart at one lambda."""
    return float(found["repeated"].mean[place] - found["others"].mean[place])


def finding(facts: Mapping[str, Mapping[str, Any]]) -> ClaimCheck:
    """Does an imbalance widen the gap between repeated and other classes?"""
    claim = "Class imbalance makes repeated classes stand out (section 3.3)"
    if not facts:
        return ClaimCheck(claim, {}, "No data set was there to measure it on.")
    wider = {name: larger(own["gaps"], own["gaps_without"]) for name, own in facts.items()}
    parts = [
        f"{name}: {own['gap_without']:.2f} apart at lambda = 0, {own['gap']:.2f} at {own['imbalance']:.2f}, "
        f"with theta = {own['theta']:.2f}"
        for name, own in facts.items()
    ]
    return ClaimCheck(claim, wider, "; ".join(parts) + ".")
