"""Figure 12: without pre-training (paper A.4). Networks begin at random and learn from pixels.

The closed-form learners have nothing to stand on without pre-trained features. They are drawn on the same
streams with them, and say what pre-training is worth.
"""

from __future__ import annotations

from dataclasses import replace

from ilap.bench.stream import Plan
from ilap.paper import over_exposures, runs, scales, style
from ilap.paper.contract import Finding, Made, Order, larger
from ilap.paper.gaps import gaps_of
from ilap.paper.runs import Panel, last, right
from ilap.paper.scales.learners import WITHOUT_PRETRAINING, Column

NAME = "figure12"
NAMES = {"digits": "digits (embedded), beside CIFAR-100", "cifar100": "CIFAR-100, no pre-training"}
CLAIM = "Confusion with imbalance leads without pre-training too (appendix A.4)"
RIVALS = ("paper-noci", "iolfcv")


def make(order: Order) -> Made:
    """Draw, run where it was not."""
    scale = scales.of(WITHOUT_PRETRAINING, order.scale)
    columns = {NAMES[column.data]: column for column in scale.columns}
    every = [replace(panel, comparable=False) for panel in runs.panels(scale, order, columns)]
    if order.scale == "quick":
        missing = gaps_of(["cifar100"]).get("cifar100", "runs at --scale cpu")
        every.insert(0, Panel(NAMES["cifar100"], Column("", Plan(1, 1)), missing=missing))
    files = over_exposures.save(every, scale.learners, order.folder / f"{NAME}-{order.scale}")
    return Made(
        NAME,
        "Without pre-training",
        "Accuracy (left) and true classes found (right) over exposures, networks from random weights; mean "
        "and one standard deviation over seeds. The learners of the closed form (fast, cosine, oracle, "
        "joint) have pre-trained features and show what these are worth. The paper prints no numbers here.",
        tuple(files),
        order.command(NAME),
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
    leads = {
        f"paper over {rival}": larger(
            runs.ends(panel.logs["paper"], "accuracy"), runs.ends(panel.logs[rival], "accuracy")
        )
        for rival in RIVALS
        if rival in ends
    }
    return Finding(CLAIM, leads, f"{panel.name}, accuracy and decisions right: {'; '.join(parts)}.")
