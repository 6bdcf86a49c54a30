"""Draws figure 1, the method as a diagram, after the paper's figure 1 and section 3: the files that ship beside
src/ilap/paper/figures/figure1.py.

    python tools/make_figure1.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilap.paper import style
from ilap.paper.figures import figure1

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADER = ("from", "to", "label")


@dataclass(frozen=True)
class Box:
    """A step, by its middle and size in a plane of 100 x 50."""

    text: str
    x: float
    y: float
    width: float
    height: float
    colour: str


BOXES = {
    "exposure": Box("exposure $E^i$\nunlabelled pictures\nof one thing", 8, 36, 16, 11, style.GREY),
    "train": Box("$E_{train}$\n80 %", 27, 41, 13.5, 7, style.GREY),
    "val": Box("$E_{val}$, 20 %\nstops training", 27, 31, 13.5, 7, style.GREY),
    "copy": Box(
        "detection training\n$\\hat L$, a copy of $L$, learns\n$E_{train}$ as class $\\hat K + 1$",
        51,
        36,
        24,
        13,
        style.BLUE,
    ),
    "drop": Box(
        "accuracy on $P_{val}$\nbefore and after:\ndrop $\\Delta_k$ of every class",
        84,
        36,
        24,
        13,
        style.VERMILION,
    ),
    "exemplars": Box(
        "exemplars\n$P_{train}$ and $P_{val}$:\na bounded number a class", 51, 11, 24, 13, style.GREEN
    ),
    "decision": Box(
        "largest $\\Delta_k > \\theta$ ?\nyes: class $k$, known\nno: new class $\\hat K + 1$",
        84,
        11,
        24,
        13,
        style.ORANGE,
    ),
    "update": Box(
        "update\n$L$ learns $E_{train}$ under\nthat label; classes under\n20 % are discarded",
        14.5,
        11,
        27,
        15,
        style.PURPLE,
    ),
}
ARROWS = (
    ("exposure", "train", ""),
    ("exposure", "val", ""),
    ("train", "copy", ""),
    ("val", "copy", ""),
    ("exemplars", "copy", "thinned to a share\n$1 - \\lambda$ of $E_{train}$"),
    ("copy", "drop", ""),
    ("drop", "decision", ""),
    ("exemplars", "update", "replayed"),
    ("update", "exemplars", "typical\nsaved"),
)
APART = 2.5  # by which the two arrows between update and exemplars are moved
BACK = ("decision", "update", "label")


def main() -> None:
    """Draw it into the package."""
    figure = style.figure(style.COLUMN, 3.4)
    axes = figure.subplots()
    axes.set(xlim=(-1, 97), ylim=(-1, 45.5))
    axes.axis("off")
    for box in BOXES.values():
        draw(axes, box)
    for start, end, label in ARROWS:
        arrow(axes, BOXES[start], BOXES[end], label)
    below(axes, BOXES[BACK[0]], BOXES[BACK[1]], BACK[2])
    for file in style.save(figure, HEADER, [*ARROWS, BACK], Path(figure1.__file__).with_suffix("")):
        print(file)


def draw(axes: Axes, box: Box) -> None:
    """A box with its text."""
    from matplotlib.patches import FancyBboxPatch

    corner = (box.x - box.width / 2, box.y - box.height / 2)
    axes.add_patch(
        FancyBboxPatch(
            corner,
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=1.2",
            facecolor=f"{box.colour}22",
            edgecolor=box.colour,
            linewidth=1.2,
        )
    )
    axes.text(box.x, box.y, box.text, ha="center", va="center", fontsize=style.FONT, linespacing=1.35)


def arrow(axes: Axes, start: Box, end: Box, label: str) -> None:
    """From side to side, or from top to bottom where they stand above each other."""
    down = abs(start.x - end.x) < 1
    if down:
        sign = 1 if end.y > start.y else -1
        first, last = (start.x, start.y + sign * start.height / 2), (end.x, end.y - sign * end.height / 2)
    else:
        sign = 1 if end.x > start.x else -1
        lift = -APART * sign if (start.y, end.y) == (BOXES["update"].y,) * 2 else 0.0
        first = (start.x + sign * start.width / 2, start.y + lift)
        last = (end.x - sign * end.width / 2, end.y + lift)
    axes.annotate("", last, first, arrowprops={"arrowstyle": "-|>", "linewidth": 1.1, "color": "#333333"})
    if label:
        middle = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
        under = not down and end.x > start.x
        shift = (1.2, 0.0) if down else (0.0, -0.8 if under else 0.8)
        axes.text(
            middle[0] + shift[0],
            middle[1] + shift[1],
            label,
            ha="left" if down else "center",
            va="center" if down else "top" if under else "bottom",
            fontsize=style.FONT - 1.5,
            color="#333333",
        )


def below(axes: Axes, start: Box, end: Box, label: str) -> None:
    """From bottom to bottom, around what lies between."""
    first, last = (start.x, start.y - start.height / 2), (end.x, end.y - end.height / 2)
    low = min(first[1], last[1]) - 4
    line: dict[str, Any] = {"linewidth": 1.1, "color": "#333333"}
    axes.plot([first[0], first[0], last[0]], [first[1], low, low], **line)
    axes.annotate("", last, (last[0], low), arrowprops={"arrowstyle": "-|>", **line})
    axes.text((first[0] + last[0]) / 2, low + 0.6, label, ha="center", va="bottom", fontsize=style.FONT - 1.5)


if __name__ == "__main__":
    main()
