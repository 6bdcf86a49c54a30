"""A figure by its name, which is the paper's."""

from __future__ import annotations

import importlib

from ilap.bench.paper import SCALES
from ilap.errors import BadSetting
from ilap.figures.contract import Made, Maker, Order

FILES = {
    "figure1": "method",
    "figure2": "imbalance",
    "figure3": "distance",
    "figure4": "tsne",
    **{f"figure{number}": "learners" for number in range(5, 10)},
    "figure10": "sizes",
    "figure11": "sizes",
    "figure12": "scratch",
    "early": "early",
}
"""The file of each figure; ``early`` is that of section 5.2, which the paper argues without a figure."""


def make(name: str, order: Order) -> Made:
    """Make a figure, with all that it needs."""
    if name not in FILES:
        raise BadSetting(f"There is no {name!r}: take one of all, table1, table2, table3, {', '.join(FILES)}.")
    if order.scale not in SCALES:
        raise BadSetting(f"There is no scale {order.scale!r}: take one of {', '.join(SCALES)}.")
    maker: Maker = importlib.import_module(f"ilap.figures.{FILES[name]}").make
    return maker(name, order)
