"""Figures 5 to 9: accuracy and number of classes over exposures, for every learner, on the paper's data sets.

They are views of the runs of tables 2 and 3. A data set that is not there is a gap with the paper's end points
in it; the embedded digits, and COIL-20 for CRIB, stand beside it and never in its place.
"""

from __future__ import annotations

from dataclasses import replace

from ilap.bench.stream import Plan
from ilap.paper import over_exposures, runs, scales, style
from ilap.paper.contract import Made, Order
from ilap.paper.gaps import gaps_of
from ilap.paper.runs import Panel
from ilap.paper.scales.learners import TABLES, Column

BESIDE = {"digits": "digits (embedded), beside {}", "coil20": "COIL-20, beside {}"}


def make(name: str, data: str, order: Order) -> Made:
    """Draw one data set, run where it was not."""
    title = style.named(data)
    every = beside(data, title, order)
    files = over_exposures.save(
        every, scales.of(TABLES, order.scale).learners, order.folder / f"{name}-{order.scale}"
    )
    return Made(
        name,
        f"{title}: accuracy and number of classes",
        "Accuracy on test pictures of all classes (left) and true classes found (right) after every "
        "exposure: mean and one standard deviation over seeds. Diamonds are where the paper's learners "
        "ended; the dotted line is how many classes had come. What is dashed or dotted is told the labels; in "
        "hindsight: granted the best threshold of the whole stream.",
        tuple(files),
        order.command(name),
        runs.seeds(every),
        runs.seconds(every),
        scales.of(TABLES, order.scale).differs,
        {panel.name: panel.missing for panel in every if panel.missing},
        facts=over_exposures.ends(every),
    )


def beside(data: str, title: str, order: Order) -> list[Panel]:
    """The paper's data set, and what the scale puts beside it where there is nothing else to see."""
    scale = scales.of(TABLES, order.scale)
    by_name = {column.data: column for column in scale.columns}
    wanted = {title: by_name[data]} if data in by_name else {}
    stand_in = "digits" if "digits" in by_name else "coil20" if data == "crib" and "coil20" in by_name else ""
    if stand_in:
        wanted[BESIDE[stand_in].format(title)] = by_name[stand_in]
    found = runs.panels(replace(scale, columns=tuple(wanted.values())), order, wanted)
    if data not in by_name:
        missing = gaps_of([data]).get(data, f"runs at this scale; take --scale cpu for {title}")
        found.insert(0, Panel(title, Column(data, Plan(1, 1)), missing=missing))
    return found
