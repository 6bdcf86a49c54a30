"""Figure 12: without pre-training (paper A.4). Networks begin at random and learn from pixels.

The closed-form learners have nothing to stand on without pre-trained features. They are drawn on the same
streams with them, and say what pre-training is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ilap.bench import style
from ilap.bench.paper import EXACT, NETWORKS, Column, Scale
from ilap.bench.stream import Plan
from ilap.figures import over_exposures, runs
from ilap.figures.contract import Finding, Made, Order
from ilap.figures.gaps import gaps_of
from ilap.figures.runs import Panel, last, right

PRETRAINED = {name: {"backbone": "lite0", "resolution": None} for name in EXACT}


def from_scratch(columns: tuple[Column, ...], seeds: Mapping[str, int], *differs: str, **changes: Any) -> Scale:
    """All learners: networks from pixels and random weights, the others on pre-trained features."""
    return Scale(
        columns,
        NETWORKS + EXACT,
        seeds,
        {"backbone": "small", "trainable": "all", **changes},
        differs,
        PRETRAINED,
    )


BOTH = "Networks are small, from random weights; fast, cosine, oracle and joint have pre-trained features."
SCALES = {
    "quick": from_scratch(
        (Column("digits", Plan(40, 3, classes=6)),),
        dict.fromkeys(NETWORKS + EXACT, 2),
        "Embedded digits instead of CIFAR-100: six classes, exposures of 40, 16 px.",
        BOTH,
        resolution=16,
    ),
    "cpu": from_scratch(
        (Column("cifar100", Plan(50, 3, classes=20)),),
        {**dict.fromkeys(NETWORKS, 2), **dict.fromkeys(EXACT, 5)},
        "20 classes of CIFAR-100 instead of 100, drawn anew for every seed: exposures of 50, 3 of every "
        "class, 32 px.",
        BOTH,
        resolution=32,
    ),
    "full": Scale(
        (Column("cifar100", Plan(200, 2)),),
        NETWORKS,
        dict.fromkeys(NETWORKS, 5),
        {"backbone": "resnet18", "weights": "random", "trainable": "all", "batch": 16},
        ("The paper does not say how often a class comes: twice here, as there are no more pictures.",),
    ),
}
NAMES = {"digits": "digits (embedded), beside CIFAR-100", "cifar100": "CIFAR-100, no pre-training"}
CLAIM = "Confusion with imbalance leads without pre-training too (appendix A.4)"
RIVALS = ("paper-noci", "iolfcv")


def make(name: str, order: Order) -> Made:
    """Draw, run where it was not."""
    scale = SCALES[order.scale]
    columns = {NAMES[column.data]: column for column in scale.columns}
    every = [replace(panel, comparable=False) for panel in runs.panels(scale, order, columns)]
    if order.scale == "quick":
        missing = gaps_of(["cifar100"]).get("cifar100", "runs at --scale cpu")
        every.insert(0, Panel(NAMES["cifar100"], Column("", Plan(1, 1)), missing=missing))
    files = over_exposures.save(every, scale.learners, order.folder / f"{name}-{order.scale}")
    return Made(
        name,
        "Without pre-training",
        "Accuracy (left) and true classes found (right) over exposures, networks from random weights; mean "
        "and one standard deviation over seeds. The learners of the closed form (fast, cosine, oracle, "
        "joint) have pre-trained features and show what these are worth. The paper prints no numbers here.",
        tuple(files),
        order.command(name),
        runs.seeds(every),
        runs.seconds(every),
        scale.differs,
        {panel.name: panel.missing for panel in every if panel.missing},
        tuple(finding(panel) for panel in every if panel.logs),
        over_exposures.ends(every),
    )


def finding(panel: Panel) -> Finding:
    """Does iLAP with imbalance end above iLAP without it, and above a distance threshold?"""
    ends = {
        learner: (last(panel.logs[learner], "accuracy"), right(panel.logs[learner]))
        for learner in ("bic", "paper", *RIVALS)
        if learner in panel.logs
    }
    parts = [f"{style.look(name).label} {ends[name][0]:.3f} and {ends[name][1]:.0%}" for name in ends]
    leads = {f"paper over {rival}": ends["paper"][0] > ends[rival][0] for rival in RIVALS if rival in ends}
    return Finding(CLAIM, leads, f"{panel.name}, accuracy and decisions right: {'; '.join(parts)}.")
