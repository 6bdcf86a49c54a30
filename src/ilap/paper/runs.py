"""Runs of learners, read from their logs, and their curves over a stream: what tables 2 and 3 and figures 5 to
12 are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ilap.bench import bench
from ilap.bench.cell import Cell
from ilap.bench.records import Entry
from ilap.paper import published, style
from ilap.paper.contract import Request, gap_words, gaps_of
from ilap.paper.scales import Column, Scale, cells_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURES = {"accuracy": "accuracy on test pictures", "unique_classes": "true classes found"}
DIAMOND: dict[str, Any] = {"color": style.GREY, "markerfacecolor": "white", "markersize": 4, "linestyle": ""}
EMPTY = 0.6  # the height of a panel without data
HEADER = ("panel", "data", "method", "seed", "exposure", "accuracy", "classes found", "groups", "right", "note")

Logs = Mapping[str, Sequence[Sequence[Entry]]]
"""By learner, a log a seed."""


@dataclass(frozen=True)
class Panel:
    """A column of a scale with its logs; ``missing`` is the file that it lacks, or why it was not run. The
    paper's tables stand beside it where they are of a stream like it: ``comparable``."""

    name: str
    column: Column
    logs: Logs = field(default_factory=dict)
    missing: str = ""
    comparable: bool = True

    @property
    def exposures(self) -> int:
        """How long the streams are."""
        return max((len(entries) for logs in self.logs.values() for entries in logs), default=0)


def panels(scale: Scale, request: Request, columns: Mapping[str, Column]) -> list[Panel]:
    """Run or resume all columns, each under a name, and read their logs."""
    gaps = gaps_of(column.data for column in columns.values())
    cells = {
        name: [] if column.data in gaps else cells_of(scale, column, scale.learners, request.seeds)
        for name, column in columns.items()
    }
    every = [cell for own in cells.values() for cell in own]
    found = dict(zip(map(id, every), bench.logs(every, request.out, request.jobs), strict=True))
    return [
        Panel(name, column, by_learner(cells[name], found), gaps.get(column.data, ""))
        for name, column in columns.items()
    ]


def by_learner(cells: Sequence[Cell], found: Mapping[int, list[Entry]]) -> dict[str, list[list[Entry]]]:
    """The logs of cells, by learner."""
    logs: dict[str, list[list[Entry]]] = {}
    for cell in cells:
        logs.setdefault(cell.learner, []).append(found[id(cell)])
    return logs


def over(logs: Sequence[Sequence[Entry]], figure: str) -> NDArray[np.float64]:
    """A figure of the records, a row a seed and a column an exposure."""
    return np.array([[float(getattr(entry.record, figure)) for entry in entries] for entries in logs])


def ends(logs: Sequence[Sequence[Entry]], figure: str) -> list[float]:
    """A figure at the end, one a seed."""
    return [float(value) for value in over(logs, figure)[:, -1]]


def last(logs: Sequence[Sequence[Entry]], figure: str) -> float:
    """Its mean over seeds."""
    return float(np.mean(ends(logs, figure)))


def shares_right(logs: Sequence[Sequence[Entry]]) -> list[float]:
    """The share of decisions that were right at once, one a seed."""
    return [float(value) for value in over(logs, "right").mean(axis=1)]


def right(logs: Sequence[Sequence[Entry]]) -> float:
    """Its mean over seeds."""
    return float(np.mean(shares_right(logs)))


def seconds(every: Sequence[Panel]) -> float:
    """What the learners took for all decisions and updates."""
    return float(
        sum(
            entry.record.decision.seconds
            for panel in every
            for logs in panel.logs.values()
            for entries in logs
            for entry in entries
        )
    )


def seeds(every: Sequence[Panel]) -> str:
    """How many seeds there are, from 0 on.

    >>> seeds([])
    'none'
    """
    counts = sorted({len(logs) for panel in every for logs in panel.logs.values()})
    return f"{' or '.join(map(str, counts))}, from 0" if counts else "none"


def draw(axes: Axes, panel: Panel, figure: str) -> None:
    """One figure of all learners: mean over seeds, and a band of one standard deviation. Diamonds are where the
    paper's learners ended."""
    for place, (learner, logs) in enumerate(panel.logs.items()):
        look = style.look(learner)
        values = over(logs, figure)
        across = np.arange(1, values.shape[1] + 1)
        mean, spread = values.mean(0), values.std(0)
        width = 2.2 - 1.2 * place / max(len(panel.logs) - 1, 1)  # the first are wider: equal lines are all seen
        axes.plot(across, mean, look.line, color=look.colour, linewidth=width, label=look.label)
        if len(values) > 1:
            axes.fill_between(across, mean - spread, mean + spread, color=look.colour, alpha=0.1, linewidth=0)
    if panel.missing:
        style.gap(axes, gap_words(panel.name, panel.missing), 32)
        axes.set(xticks=[], xlabel="", ylabel="")
    elif figure == "unique_classes":
        shown = shown_so_far(panel)
        axes.plot(np.arange(1, len(shown) + 1), shown, color="black", linewidth=0.7, linestyle=(0, (1, 2)))
    end = panel.exposures or 100
    theirs = published_of(panel, figure)
    for learner in published.LEARNERS if theirs else ():
        marks: dict[str, Any] = {**DIAMOND, "color": style.look(learner).colour}
        axes.plot([end * 1.05], [theirs[learner][0]], "D", clip_on=False, **marks)
    axes.set_xlim(0, end * 1.08)
    if not panel.missing:
        axes.locator_params(axis="x", integer=True)
    if figure == "accuracy":
        axes.set_ylim(0, 1.03)
    else:
        most = [float(over(own, figure).max()) for own in panel.logs.values()]
        top = max([value for value, _ in theirs.values()] + most, default=1.0)
        axes.set_ylim(0, top * 1.06)


def published_of(panel: Panel, figure: str) -> Mapping[str, tuple[float, float]]:
    """What the paper's tables have beside a panel, by learner."""
    return published.OF_LEARNERS[figure].get(panel.column.data, {}) if panel.comparable else {}


def shown_so_far(panel: Panel) -> list[float]:
    """How many classes have come by each exposure, in the mean over the seeds of the first learner."""
    logs = next(iter(panel.logs.values()))
    counts = [np.cumsum([entry.record.novel for entry in entries]) for entries in logs]
    return [float(value) for value in np.mean(counts, axis=0)]


def pairs(panels: Sequence[Panel]) -> Figure:
    """A row a panel: accuracy left, classes right, one legend below."""
    heights = [EMPTY if panel.missing else 1.0 for panel in panels]
    figure = style.figure(style.COLUMN, 2.1 * sum(heights) + 1.0)
    grid = figure.subplots(len(panels), 2, squeeze=False, height_ratios=heights)
    for axes, panel in zip(grid, panels, strict=True):
        for one, name in zip(axes, FIGURES, strict=True):
            title = f"{panel.name}: {FIGURES[name]}" if panel.missing else panel.name
            style.plain(one, "exposure", FIGURES[name], title)
            draw(one, panel, name)
    theirs = any(published_of(panel, "accuracy") for panel in panels)
    legend(figure, [axes for row in grid for axes in row], theirs)
    return figure


def legend(figure: Figure, every: Sequence[Axes], diamonds: bool = False) -> None:
    """All methods once, below."""
    from matplotlib.lines import Line2D

    found: dict[str, Any] = {}
    for axes in every:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(name, handle)
    if diamonds and not found:
        for learner, name in published.LEARNERS.items():
            marks = {**DIAMOND, "color": style.look(learner).colour}
            found[f"{name}, the paper's, at its end"] = Line2D([], [], marker="D", **marks)
    elif diamonds:
        found["the paper's, at its end"] = Line2D([], [], marker="D", **DIAMOND)
    figure.legend(
        found.values(),
        found.keys(),
        loc="outside lower center",
        ncols=min(3, max(len(found) // 2, 1)),
        frameon=False,
    )


def rows_of(panels: Sequence[Panel], learners: Sequence[str]) -> list[tuple[Any, ...]]:
    """Every point. Of a panel without runs every method has a row all the same, which says what is missing, and
    the paper's figures where it has any."""
    rows: list[tuple[Any, ...]] = []
    for panel in panels:
        data = panel.column.data
        for learner, logs in panel.logs.items():
            for entries in logs:
                for number, entry in enumerate(entries, 1):
                    r = entry.record
                    accuracy = "" if r.accuracy is None else round(r.accuracy, 5)
                    numbers = (accuracy, r.unique_classes, r.learned_classes, int(r.right))
                    rows.append((panel.name, data, learner, entry.seed, number, *numbers, ""))
        for learner in learners if panel.missing else ():
            theirs = [published_of(panel, figure).get(learner, ("",))[0] for figure in FIGURES]
            rows.append(
                (
                    panel.name,
                    data,
                    learner,
                    "",
                    "",
                    *theirs,
                    "",
                    "",
                    f"the paper's tables; missing: {panel.missing}",
                )
            )
    return rows


def save(panels: Sequence[Panel], learners: Sequence[str], stem: Path) -> list[Path]:
    """The figure of all panels, and its numbers."""
    return style.save(pairs(panels), HEADER, rows_of(panels, learners), stem)


def end_facts(panels: Sequence[Panel]) -> Mapping[str, Any]:
    """Where every learner ends: accuracy, classes found, and the share of decisions that were right."""
    return {
        panel.name: {
            learner: {
                **{figure: round(float(over(logs, figure)[:, -1].mean()), 4) for figure in FIGURES},
                "right": round(float(over(logs, "right").mean()), 4),
                "seeds": len(logs),
            }
            for learner, logs in panel.logs.items()
        }
        for panel in panels
    }
