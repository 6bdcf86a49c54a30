"""Figures 10 and 11: smaller exposures, with as many exemplars a class (paper A.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ilap.bench.paper import ONE, SCALES, Column, Scale
from ilap.bench.stream import Plan
from ilap.figures import over_exposures, runs
from ilap.figures.contract import Finding, Made, Order
from ilap.figures.gaps import gaps_of
from ilap.figures.runs import Panel, last, right

SEEDS = 3  # at most
HELD = ("iolfcv", "paper", "fast")  # what the finding speaks of, where it was run
COLUMNS: Mapping[tuple[str, str], Mapping[str, Column]] = {
    ("quick", "figure10"): {
        f"digits, exposures of {size}": Column("digits", Plan(size, 3)) for size in (40, 20, 10)
    },
    ("quick", "figure11"): {"digits, exposures of 20": Column("digits", Plan(20, 3))},
    ("cpu", "figure10"): {
        f"MNIST, exposures of {size}": Column("mnist", Plan(size, 5)) for size in (200, 100, 50, 20)
    },
    ("cpu", "figure11"): {
        "SVHN, exposures of 50": Column("svhn", Plan(50, 5)),
        "CIFAR-10, exposures of 50": Column("cifar10", Plan(50, 5)),
        "CIFAR-100, exposures of 50": Column("cifar100", Plan(50, 3), ONE),
    },
    ("full", "figure10"): {
        f"MNIST, exposures of {size}": Column("mnist", Plan(size, 10)) for size in (200, 100, 50, 20)
    },
    ("full", "figure11"): {
        "SVHN, exposures of 50": Column("svhn", Plan(50, 10)),
        "CIFAR-10, exposures of 50": Column("cifar10", Plan(50, 10)),
        "CIFAR-100, exposures of 50": Column("cifar100", Plan(50, 10)),
    },
}
GAPS = {("quick", "figure11"): {"SVHN": "svhn", "CIFAR-10": "cifar10", "CIFAR-100": "cifar100"}}
TITLES = {"figure10": "Smaller exposures", "figure11": "Exposures of 50 on the other data sets"}
HOLDS = 0.03  # the loss of accuracy up to which small exposures hold
CLAIM = "Small exposures hold (section 5.2, appendix A.3)"


def scale_of(name: str) -> Scale:
    """That of tables 2 and 3 with fewer seeds, so that exposures of its own size are runs that are there."""
    scale = SCALES[name]
    seeds = {learner: min(SEEDS, count) for learner, count in scale.seeds.items()}
    return replace(scale, seeds=seeds)


def make(name: str, order: Order) -> Made:
    """Draw every size, run where it was not."""
    scale = scale_of(order.scale)
    every = [
        Panel(title, Column(data, Plan(1, 1)), missing=gaps_of([data]).get(data, "runs at --scale cpu"))
        for title, data in GAPS.get((order.scale, name), {}).items()
    ]
    every += runs.panels(scale, order, COLUMNS[order.scale, name])
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
    """Do iLAP's learners keep their accuracy, within three points, as exposures shrink?"""
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
        ends = [last(panel.logs[learner], "accuracy") for panel in (large, small)]
        shares = [right(panel.logs[learner]) for panel in (large, small)]
        parts.append(
            f"{learner} has an accuracy of {ends[0]:.3f} and {shares[0]:.0%} of its decisions right with the "
            f"largest, {ends[1]:.3f} and {shares[1]:.0%} with the smallest"
        )
    holds = {
        learner: last(large.logs[learner], "accuracy") - last(small.logs[learner], "accuracy") < HOLDS
        for learner in ("paper", "fast")
        if learner in large.logs
    }
    sizes = f"From {large.name} to {small.column.plan.exposure_size}: "
    return Finding(CLAIM, holds, sizes + "; ".join(parts) + ".")
