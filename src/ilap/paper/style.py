"""How figures look: one colour and line for a method wherever it is drawn, sizes for a column of a paper.

Colours are Okabe and Ito's, which colour-blind readers can tell apart. A learner and the detector that decides
for it share a colour; what is told the labels is dashed or dotted.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilap.core.errors import BadOutput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#C9B800", "#0072B2", "#D55E00", "#CC79A7"
BROWN, PINK = "#7A4B2A", "#E377C2"
GREY, SOFT = "#7F7F7F", "#DDDDDD"
REPEATED, NOVEL = BLUE, VERMILION
GAP = "#F2F2F2"
COLUMN = 7.0  # inches: the text's width, at which letters of 8 points stay readable
FONT = 8.0


@dataclass(frozen=True)
class Look:
    """A colour, a line, and the name that readers know."""

    colour: str
    line: str
    label: str


LOOKS = {
    "bic": Look(BLACK, "--", "BiC (labels)"),
    "replay": Look(BLACK, ":", "replay (labels)"),
    "iolfcv": Look(VERMILION, "-", "IOLfCV (in hindsight)"),
    "iolfcv-means": Look(BROWN, "-", "distance of means (in hindsight)"),
    "iolfcv-fixed": Look(YELLOW, "-", "IOLfCV (shuffled stream's threshold)"),
    "paper-noci": Look(SKY, "-", "iLAP without imbalance"),
    "paper": Look(BLUE, "-", "iLAP with imbalance"),
    "paper-cpu-noci": Look(SKY, "-", "iLAP variant, no imbalance"),
    "paper-cpu-drop": Look(BLUE, "-.", "iLAP, the paper's statistic"),
    "paper-cpu": Look(BLUE, "-", "iLAP variant"),
    "authors-code-noci": Look(PINK, "-.", "the authors' code without imbalance"),
    "authors-code": Look(PINK, "-", "the authors' code"),
    "cosine": Look(ORANGE, "-", "cosine (in hindsight)"),
    "fast": Look(GREEN, "-", "fast (closed form)"),
    "oracle": Look(PURPLE, "--", "oracle (fast, labels)"),
    "joint": Look(GREY, ":", "joint (labels)"),
    "adapted": Look(GREEN, "-.", "adapted (fast, its features trained)"),
    "adapted-oracle": Look(PURPLE, "-.", "adapted-oracle (labels)"),
    "confusion": Look(BLUE, "-", "confusion with imbalance"),
    "confusion-noci": Look(SKY, "-", "confusion without imbalance"),
    "confusion-drop": Look(BLUE, "-.", "confusion, the paper's statistic"),
    "distance": Look(VERMILION, "-", "distance (IOLfCV)"),
    "distance-means": Look(BROWN, "-", "distance of means"),
    "calibrated": Look(GREEN, "-", "calibrated"),
    "msp": Look(BLACK, "-", "MSP"),
    "confidence": Look(PURPLE, "-", "CE"),
    "odin": Look(ORANGE, "-", "ODIN"),
    "gram": Look(YELLOW, "-", "ZeroShot OOD"),
    "gram-mean": Look(YELLOW, "--", "ZeroShot OOD, means"),
    "energy": Look(GREY, "-", "energy"),
    "mahalanobis": Look(GREY, "--", "Mahalanobis"),
    "knn": Look(GREY, ":", "nearest neighbours"),
}


NAMES = {
    "mnist": "MNIST",
    "fashion_mnist": "Fashion-MNIST",
    "svhn": "SVHN",
    "cifar10": "CIFAR-10",
    "cifar100": "CIFAR-100",
    "crib": "CRIB",
    "coil20": "COIL-20",
    "imagenette": "Imagenette",
}


def named(data: str) -> str:
    """A data set as it is written.

    >>> named("cifar10"), named("digits")
    ('CIFAR-10', 'digits')
    """
    return NAMES.get(data, data)


def look(method: str) -> Look:
    """A method's; what has none is grey and goes by its own name.

    >>> look("paper").colour == look("confusion").colour
    True
    """
    return LOOKS.get(method, Look(GREY, "-.", method))


def figure(width: float, height: float) -> Figure:
    """An empty figure, its letters of one size."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update({"font.size": FONT, "axes.titlesize": FONT + 1, "svg.hashsalt": "ilap"})
    return Figure(figsize=(width, height), layout="constrained")


def plain(axes: Axes, across: str = "", up: str = "", title: str = "") -> Axes:
    """A quiet frame with a faint grid."""
    axes.set(xlabel=across, ylabel=up)
    axes.set_title(title, loc="left")
    axes.grid(color=SOFT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=FONT - 0.5)
    return axes


def gap(axes: Axes, words: str, width: int = 30) -> None:
    """Say in a panel what is missing."""
    import textwrap

    axes.set_facecolor(GAP)
    axes.grid(False)
    axes.text(
        0.5,
        0.5,
        textwrap.fill(words, width),
        transform=axes.transAxes,
        ha="center",
        va="center",
        color="#333333",
    )


def save(
    figure: Figure, header: Sequence[str], rows: Sequence[Sequence[Any]], stem: Path, tight: bool = False
) -> list[Path]:
    """A figure in two formats, and its numbers; the same figure gives the same files. ``tight`` is for what was
    drawn outside the figure's own frame."""
    box = "tight" if tight else None
    files = [stem.with_name(f"{stem.name}.{end}") for end in ("png", "svg", "csv")]
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(files[0], dpi=200, bbox_inches=box)
        figure.savefig(files[1], metadata={"Date": None}, bbox_inches=box)
        with files[2].open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows])
    except OSError as error:
        raise BadOutput(f"{stem} cannot be written ({error.strerror}): name another with --out.") from None
    return files
