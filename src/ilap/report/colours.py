"""The colours of classes: one a class, wherever it is shown."""

from __future__ import annotations

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7f7f7f")
"""Okabe and Ito's colours, which colour-blind readers can tell apart; yellow darkened, black left out."""


def colour(class_id: int) -> str:
    """A class's colour.

    >>> colour(0) == colour(8)
    True
    """
    return PALETTE[class_id % len(PALETTE)]
