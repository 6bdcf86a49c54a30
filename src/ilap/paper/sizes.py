"""Figures 10 and 11: smaller exposures, with as many exemplars a class (paper A.3)."""

from __future__ import annotations

from collections.abc import Sequence

from ilap.bench.stream import Plan
from ilap.paper import over_exposures, runs, scales
from ilap.paper.contract import Finding, Made, Order, larger
from ilap.paper.gaps import gaps_of
from ilap.paper.runs import Panel, ends, last, right
from ilap.paper.scales.learners import SIZES, Column, with_fewer_seeds

HELD = ("iolfcv", "paper", "paper-cpu", "fast")  # what the finding speaks of, where it was run
GAPS = {("quick", "figure11"): {"SVHN": "svhn", "CIFAR-10": "cifar10", "CIFAR-100": "cifar100"}}
TITLES = {"figure10": "Smaller exposures", "figure11": "Exposures of 50 on the other data sets"}
HOLDS = 0.03  # the loss of accuracy up to which small exposures hold
CLAIM = "Small exposures hold (section 5.2, appendix A.3)"


def make(name: str, order: Order) -> Made:
    """Draw every size, run where it was not."""
    scale = with_fewer_seeds(order.scale)
    every = [
        Panel(title, Column(data, Plan(1, 1)), missing=gaps_of([data]).get(data, "runs at --scale cpu"))
        for title, data in GAPS.get((order.scale, name), {}).items()
    ]
    every += runs.panels(scale, order, scales.of(SIZES[name], order.scale))
    files = over_exposures.save(every, scale.learners, order.folder / f"{name}-{order.scale}")
    return Made(
        name,
        TITLES[name],
        "Accuracy (left) and true classes found (right) over exposures, with as many exemplars a class as an "
        "exposure has pictures; mean and one standard deviation over seeds. The paper shows iLAP with "
        "imbalance only, and prints no numbers: diamonds are those of its tables, with exposures of 200.",
        tuple(files),
        order.command(name),
        runs.seeds(every),
        runs.seconds(every),
        scale.differs,
        {panel.name: panel.missing for panel in every if panel.missing},
        (finding(every),),
        over_exposures.ends(every),
    )


def finding(every: Sequence[Panel]) -> Finding:
    """Do iLAP's learners lose less than three points of accuracy as exposures shrink, beyond the spread of
    that loss over seeds?"""
    there = [panel for panel in every if panel.logs]
    if len(there) < 2 or len({panel.column.data for panel in there}) > 1:
        parts = [
            f"{panel.name}: "
            + ", ".join(f"{k} {last(panel.logs[k], 'accuracy'):.3f}" for k in HELD if k in panel.logs)
            for panel in there
        ]
        return Finding(
            CLAIM, {}, "; ".join(parts) + " in accuracy; there is no larger exposure to compare with."
        )
    large, small = there[0], there[-1]
    parts = []
    for learner in HELD:
        if learner not in large.logs:
            continue
        means = [last(panel.logs[learner], "accuracy") for panel in (large, small)]
        shares = [right(panel.logs[learner]) for panel in (large, small)]
        parts.append(
            f"{learner} has an accuracy of {means[0]:.3f} and {shares[0]:.0%} of its decisions right with the "
            f"largest, {means[1]:.3f} and {shares[1]:.0%} with the smallest"
        )
    holds = {
        learner: larger(ends(small.logs[learner], "accuracy"), ends(large.logs[learner], "accuracy"), -HOLDS)
        for learner in HELD[1:]
        if learner in large.logs
    }
    sizes = f"From {large.name} to {small.column.plan.exposure_size}: "
    return Finding(CLAIM, holds, sizes + "; ".join(parts) + ".")
