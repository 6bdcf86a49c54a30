"""A figure by its name, which is the paper's."""

from __future__ import annotations

import re

from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.paper import scales
from ilap.paper.contract import Made, Maker, Order


def figures() -> list[str]:
    """What there is, in the paper's order.

    >>> figures()[:2], figures()[-1]
    (['figure1', 'figure2'], 'early')
    """
    names = registry.names("figure")
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
    maker: Maker = registry.find("figure", name)
    return maker(order)
