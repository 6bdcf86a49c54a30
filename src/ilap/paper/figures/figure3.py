"""Figure 3: class feature distance as classes are learned, the optimal fixed threshold, and where it errs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilap.bench import jobs, processes
from ilap.bench.jobs import Line
from ilap.paper import scales, style
from ilap.paper.contract import ClaimCheck, Made, Request, gap_words, gaps_of, larger
from ilap.paper.drift import KINDS, Drift, best_at_end, wrong
from ilap.paper.published import THETA

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "figure3"
HEADER = ("data", "method", "seed", "classes known", "kind", "score", "threshold")
COLOURS = {"learned": style.REPEATED, "novel": style.NOVEL}
ERROR = "#B00000"
METHODS = ("distance", "confusion")


@dataclass(frozen=True)
class Figure3Scale:
    """What figure 3 measures, and how that differs from the paper."""

    data: str
    exposure_size: int
    classes: int
    untaught: int
    changes: Mapping[str, Any]
    asked: Mapping[str, int]
    seeds: int
    differs: tuple[str, ...]


SCALES = {
    "quick": Figure3Scale(
        "digits",
        40,
        10,
        2,
        {"backbone": "small", "resolution": 16},
        {"confusion": 2},
        2,
        (
            "Embedded digits instead of CIFAR-100: eight classes are learned, two stay new; small network at "
            "16 px.",
        ),
    ),
    "cpu": Figure3Scale(
        "cifar100",
        50,
        20,
        5,
        {"backbone": "lite0", "resolution": 64, "trainable": "top"},
        {"confusion": 1},
        3,
        (
            "15 of 20 classes of CIFAR-100 are learned, 5 stay new. EfficientNet-Lite0 with ImageNet's "
            "weights at 64 px is trained in its last layer and head; the paper trains all of ResNet-18 on "
            "100 classes.",
        ),
    ),
    "full": Figure3Scale("cifar100", 200, 100, 5, {}, {}, 5, ("95 classes are learned, 5 stay new.",)),
}


def make(request: Request) -> Made:
    """Measure and draw."""
    scale = scales.of(SCALES, request.scale)
    gaps = gaps_of([scale.data])
    seeds = 0 if gaps else request.seeds or scale.seeds
    work = [
        Drift(
            scale.data,
            "paper",
            seed,
            scale.exposure_size,
            scale.classes,
            scale.untaught,
            scale.changes,
            scale.asked,
        )
        for seed in range(seeds)
    ]
    logs = processes.run(work, request.out, request.jobs)
    figure = style.figure(style.COLUMN, 2.8)
    panels = figure.subplots(1, 2)
    marks = {method: [mark_of(lines, method) for lines in logs] for method in METHODS}
    for axes, method in zip(panels, METHODS, strict=True):
        title = {
            "distance": f"{style.named(scale.data)}: distance of means",
            "confusion": "confusion, same model",
        }[method]
        up = {"distance": "distance to the nearest class mean", "confusion": "largest relative drop"}[method]
        style.plain(axes, "classes known", up, title)
        if gaps:
            style.gap(axes, gap_words(style.named(scale.data), gaps[scale.data]))
        else:
            draw(axes, logs, method, marks[method])
    if not gaps:
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False
        )
    files = style.save(
        figure, HEADER, rows_of(scale.data, logs, marks), request.folder / f"{NAME}-{request.scale}"
    )
    facts = facts_of(logs, marks) if logs else {}
    return Made(
        NAME,
        "Class feature distance as classes are learned",
        "Scores of exposures of learned classes that come again and of classes not learned yet, after every "
        "class that the model was taught: mean and one standard deviation. Left: the line is the threshold "
        "with the best F-score when all classes are learned, dotted for every seed, dashed their mean. "
        "Right: confusion on the same model, asked about some of the exposures, with the paper's theta. "
        "Crosses are exposures on the wrong side of their seed's threshold, and where the mean itself lies "
        "there it is shaded.",
        tuple(files),
        request.command(NAME),
        f"{seeds}, from 0",
        jobs.seconds(logs),
        scale.differs,
        gaps,
        (finding(facts),),
        facts,
    )


def mark_of(lines: Sequence[Line], method: str) -> float:
    """The threshold on a method's score: the best one at the end, or the paper's theta."""
    return best_at_end(lines, "distance") if method == "distance" else -THETA


def draw(axes: Axes, logs: Sequence[Sequence[Line]], method: str, marks: Sequence[float]) -> None:
    """Both kinds with their spread, the threshold, and where it errs. Confusion is drawn as the drop itself,
    which is minus its score."""
    sign, mark = 1 if method == "distance" else -1, float(np.mean(marks))
    known = [line["known"] for line in logs[0]]
    names = {"learned": "learned, comes again", "novel": "not learned yet"}
    for kind in KINDS:
        values = [
            [sign * v for lines in logs for v in lines[at]["scores"][method][kind]] for at in range(len(known))
        ]
        mean, spread = np.array([np.mean(v) for v in values]), np.array([np.std(v) for v in values])
        axes.plot(known, mean, color=COLOURS[kind], linewidth=1.6, label=names[kind])
        low, high = mean - spread, mean + spread
        if method == "confusion":
            low, high = low.clip(0, 1), high.clip(0, 1)
        axes.fill_between(known, low, high, color=COLOURS[kind], alpha=0.15, linewidth=0)
        above = (kind == "learned") == (method == "distance")
        lies = [
            (line["known"], sign * value)
            for lines, own in zip(logs, marks, strict=True)
            for line in lines
            for value in line["scores"][method][kind]
            if (value > own) == (kind == "learned")
        ]
        axes.plot(
            *zip(*lies, strict=True) if lies else ((), ()), "x", color=ERROR, markersize=3.5, markeredgewidth=1
        )
        errs = mean > sign * mark if above else mean < sign * mark
        axes.fill_between(
            known,
            mean,
            sign * mark,
            where=errs.tolist(),
            color=ERROR,
            alpha=0.35,
            linewidth=0,
            interpolate=True,
        )
    axes.plot([], [], "x", color=ERROR, markersize=4, label="on the wrong side")
    label = "fixed threshold" if method == "distance" else None
    for own in marks if method == "distance" else ():
        axes.axhline(own, color="black", linewidth=0.6, linestyle=":")
    axes.axhline(sign * mark, color="black", linewidth=1, linestyle="--", label=label)
    words = f"best at the end: {mark:.2f}" if method == "distance" else f"$\\theta$ = {-mark:.1f}"
    axes.annotate(words, (known[-1], sign * mark), xytext=(0, 3), textcoords="offset points", ha="right")
    axes.set_xlim(known[0] - 0.3, known[-1] + 0.3)
    axes.locator_params(axis="x", integer=True)
    axes.set_ylim(bottom=-0.02)


def rows_of(
    data: str, logs: Sequence[Sequence[Line]], marks: Mapping[str, Sequence[float]]
) -> list[tuple[Any, ...]]:
    """Every score; of data that are not there a row a method, which is empty."""
    rows: list[tuple[Any, ...]] = [] if logs else [(data, method, *[""] * 5) for method in METHODS]
    for seed, lines in enumerate(logs):
        for line in lines:
            for method in METHODS:
                for kind in KINDS:
                    for value in line["scores"][method][kind]:
                        mark = round(marks[method][seed], 5)
                        rows.append((data, method, seed, line["known"], kind, value, mark))
    return rows


def facts_of(logs: Sequence[Sequence[Line]], marks: Mapping[str, Sequence[float]]) -> dict[str, dict[str, Any]]:
    """The share of wrong answers of every method, by kind, in the earlier and the later half; a list is that
    of every seed."""
    found: dict[str, dict[str, Any]] = {}
    for method in METHODS:
        found[method] = {"threshold": round(float(np.mean(marks[method])), 4)}
        for early, half in ((True, "early"), (False, "late")):
            for kind in KINDS:
                answers = [
                    wrong(lines, method, mark, kind, early)
                    for lines, mark in zip(logs, marks[method], strict=True)
                ]
                found[method][f"{kind} wrong, {half}"] = [
                    float(np.mean(own)) if own else 0.0 for own in answers
                ]
    return found


def finding(facts: Mapping[str, Mapping[str, Any]]) -> ClaimCheck:
    """Does a distance threshold that is best at the end take early repeats for new classes?"""
    claim = "A fixed distance threshold errs early: it takes repeats for new classes while few are known (5.2)"
    if not facts:
        return ClaimCheck(claim, {}, "There were no data to measure it on.")

    def shares(method: str, kind: str) -> str:
        early, late = (np.mean(facts[method][f"{kind} wrong, {half}"]) for half in ("early", "late"))
        return f"{early:.0%} early and {late:.0%} late"

    own = facts["distance"]
    return ClaimCheck(
        claim,
        {
            words: larger(own[f"{kind} wrong, early"], own[f"{kind} wrong, late"])
            for words, kind in (("repeats taken for new", "learned"), ("new classes taken for known", "novel"))
        },
        f"Wrong in the earlier and the later half, with the threshold that is best at the end "
        f"({own['threshold']:.2f}): of the repeats {shares('distance', 'learned')}, of the new classes "
        f"{shares('distance', 'novel')}. Confusion on the same model, with theta = .6: of the repeats "
        f"{shares('confusion', 'learned')}, of the new classes {shares('confusion', 'novel')}.",
    )
