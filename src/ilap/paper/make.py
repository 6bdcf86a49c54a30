"""A figure by its name, which is the paper's: a file in figures/, or a view of the runs of learners."""

from __future__ import annotations

import re
from functools import partial

from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.paper import over_stream, scales, sizes
from ilap.paper.contract import Made, Maker, Order

STREAMS = {
    "figure5": "mnist",
    "figure6": "svhn",
    "figure7": "cifar10",
    "figure8": "cifar100",
    "figure9": "crib",
}
"""Figures of one data set of tables 2 and 3."""


def figures() -> list[str]:
    """What there is, in the paper's order.

    >>> figures()[:2], figures()[-1]
    (['figure1', 'figure2'], 'early')
    """
    names = [*registry.names("figure"), *STREAMS, *sizes.TITLES]
    return sorted(
        names, key=lambda name: int(number[0]) if (number := re.findall(r"\d+", name)) else len(names)
    )


def figure(name: str, order: Order) -> Made:
    """Make a figure, with all that it needs."""
    scales.check(order.scale)
    if name not in figures():
        raise BadSetting(
            f"There is no {name!r}: take one of all, table1, table2, table3, {', '.join(figures())}."
        )
    return maker(name)(order)


def maker(name: str) -> Maker:
    """What makes it."""
    if name in STREAMS:
        return partial(over_stream.make, name, STREAMS[name])
    if name in sizes.TITLES:
        return partial(sizes.make, name)
    made: Maker = registry.find("figure", name)
    return made
