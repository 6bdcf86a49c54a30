"""Early frequent repeats (section 5.2): repeats come soon after a class was first shown, while few are known.

The paper argues that a fixed distance threshold, chosen for the whole data set, takes early repeats for new
classes, and that confusion does not depend on the order. Features have to be trained for that, so networks
begin at random, as in figure 12. ``iolfcv-fixed`` has the threshold that was best for the shuffled stream of
the same seed, as the paper's has that of the whole data set; ``iolfcv`` has the best of the early stream
itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ilap.bench import bench
from ilap.bench.cell import Cell
from ilap.paper import runs, scales, style
from ilap.paper.contract import ClaimCheck, Made, Request, gap_words, gaps_of, larger
from ilap.paper.runs import Logs, Panel, over, right, shares_right
from ilap.paper.scales import EARLY, Scale, changes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "early"
FIXED = "iolfcv-fixed"
METHODS = ("iolfcv", FIXED, "paper-noci", "paper", "cosine", "fast")
HEADER = ("data", "order", "method", "seed", "exposure", "novel", "right", "accuracy", "classes found")
SAME = 0.05  # a difference in the share of right decisions up to which order does not matter


def make(request: Request) -> Made:
    """Run both orders, and draw."""
    scale = scales.of(EARLY, request.scale)
    (column,) = scale.columns
    both = {
        "shuffled": column,
        "early": replace(column, plan=replace(column.plan, order="early")),
    }
    panels = {panel.name: panel for panel in runs.panels(scale, request, both)}
    gaps = gaps_of([column.data])
    if not gaps:
        panels = with_fixed(panels, scale, request)
    figure = style.figure(style.COLUMN, 2.9)
    left, after = figure.subplots(1, 2, width_ratios=(1.1, 1))
    style.plain(left, "exposure", "wrong decisions so far", f"{style.named(column.data)}, repeats early")
    style.plain(after, "share of decisions right", "", "shuffled order (open), repeats early (filled)")
    if gaps:
        for axes in (left, after):
            style.gap(axes, gap_words(style.named(column.data), gaps[column.data]))
    else:
        wrong(left, panels["early"].logs)
        compared(after, panels)
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    files = style.save(figure, HEADER, rows_of(panels), request.folder / f"{NAME}-{request.scale}")
    shares = {
        which: {learner: shares_right(logs) for learner, logs in panel.logs.items()}
        for which, panel in panels.items()
    }
    return Made(
        NAME,
        "Early frequent repeats (section 5.2)",
        "Left: wrong decisions so far where repeats come early, mean and one standard deviation over seeds. "
        "Right: the share of decisions that are right, in shuffled order and with repeats early.",
        tuple(files),
        request.command(NAME),
        runs.seeds(list(panels.values())),
        runs.seconds(list(panels.values())),
        scale.differs,
        gaps,
        (finding(shares),),
        shares,
    )


def with_fixed(panels: Mapping[str, Panel], scale: Scale, request: Request) -> dict[str, Panel]:
    """The panels with a row more: IOLfCV with the threshold that the shuffled stream gave it. There it is the
    same as the one in hindsight."""
    shuffled, early = panels["shuffled"], panels["early"]
    cells = [
        Cell(
            early.column.data,
            "paper",
            entries[0].seed,
            early.column.plan,
            {
                **changes_for(scale, "paper"),
                "detector": "distance",
                "distance.form": "pictures",
                "threshold": entries[-1].facts["threshold"],
            },
        )
        for entries in shuffled.logs["iolfcv"]
    ]
    fixed = bench.logs(cells, request.out, request.jobs)
    return {
        "shuffled": replace(shuffled, logs=placed(shuffled.logs, shuffled.logs["iolfcv"])),
        "early": replace(early, logs=placed(early.logs, fixed)),
    }


def placed(logs: Logs, fixed: Sequence[Sequence[Any]]) -> Logs:
    """Logs with those of the fixed threshold, in the order of the methods."""
    every = {**logs, FIXED: fixed}
    return {method: every[method] for method in METHODS if method in every}


def wrong(axes: Axes, logs: Logs) -> None:
    """Wrong decisions so far, a line a method."""
    for method, own in logs.items():
        look = style.look(method)
        values = np.cumsum(1 - over(own, "right"), axis=1)
        across, mean, spread = np.arange(1, values.shape[1] + 1), values.mean(0), values.std(0)
        axes.plot(across, mean, look.line, color=look.colour, linewidth=1.4, label=look.label)
        axes.fill_between(across, mean - spread, mean + spread, color=look.colour, alpha=0.12, linewidth=0)
    axes.set_ylim(bottom=-0.3)
    axes.locator_params(axis="x", integer=True)


def compared(axes: Axes, panels: Mapping[str, Panel]) -> None:
    """The share of right decisions of every method in both orders, joined by a line."""
    methods = list(panels["early"].logs)
    for place, method in enumerate(reversed(methods)):
        colour = style.look(method).colour
        ends = [right(panels[which].logs[method]) for which in ("shuffled", "early")]
        axes.plot(ends, [place, place], color=colour, linewidth=1.4)
        axes.plot(ends[:1], [place], "o", color=colour, markerfacecolor="white", markersize=6)
        axes.plot(ends[1:], [place], "o", color=colour, markersize=4.5)
    axes.set_yticks(range(len(methods)), list(reversed(methods)))
    axes.set_xlim(right=1.03)


def rows_of(panels: Mapping[str, Panel]) -> list[tuple[Any, ...]]:
    """Every decision; of a data set that is not there a row a method, which is empty."""
    rows: list[tuple[Any, ...]] = []
    for which, panel in panels.items():
        for method, logs in panel.logs.items():
            for entries in logs:
                for number, entry in enumerate(entries, 1):
                    r = entry.record
                    accuracy = "" if r.accuracy is None else round(r.accuracy, 5)
                    numbers = (int(r.novel), int(r.right), accuracy, r.unique_classes)
                    rows.append((panel.column.data, which, method, entry.seed, number, *numbers))
        if panel.missing:
            rows += [(panel.column.data, which, method, *[""] * 6) for method in METHODS]
    return rows


def finding(shares: Mapping[str, Mapping[str, Sequence[float]]]) -> ClaimCheck:
    """Do decisions keep their quality if repeats come early? The shares are those of every seed."""
    claim = (
        "Independent of the order: a fixed distance threshold fails at early repeats, confusion does not (5.2)"
    )
    early, shuffled = shares.get("early", {}), shares.get("shuffled", {})
    if not early:
        return ClaimCheck(claim, {}, "There were no data to run it on.")
    held = {
        method: larger(early[method], shuffled[method], -SAME)
        for method in ("paper", "fast")
        if method in early
    }
    parts = [
        f"{style.look(method).label} {np.mean(shuffled[method]):.0%} shuffled, {np.mean(early[method]):.0%} "
        "early"
        for method in METHODS
        if method in early
    ]
    held["the fixed threshold's failure"] = larger(shuffled[FIXED], early[FIXED])
    return ClaimCheck(claim, held, f"Decisions right: {'; '.join(parts)}.")
