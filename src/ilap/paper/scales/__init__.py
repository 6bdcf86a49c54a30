"""How much of the paper is run, with what, and how that differs from the paper: all scales are here.

    quick      the embedded digits, to see that everything works
    cpu        frozen features, all data sets, at most three hours on two cores
    cpu-long   the same, and what would take longer
    full       the paper's: ResNet-18 at 224 px, on a GPU

learners.py    tables 2 and 3, figures 5 to 12, early repeats
novelty.py     table 1
trials.py      figures 2 to 4
ablation.py    what the paper leaves open
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from ilap.core.errors import BadSetting

NAMES = ("quick", "cpu", "cpu-long", "full")
LONG = "cpu-long"

Part = TypeVar("Part")


def check(scale: str) -> str:
    """The scale, or an error that says which there are."""
    if scale not in NAMES:
        raise BadSetting(f"There is no scale {scale!r}: take one of {', '.join(NAMES)}.")
    return scale


def of(parts: Mapping[str, Part], scale: str) -> Part:
    """What a scale runs of a part of the report; cpu-long runs what cpu does where it says nothing else.

    >>> of({"cpu": 3}, "cpu-long")
    3
    """
    name = "cpu" if check(scale) == LONG and LONG not in parts else scale
    if name not in parts:
        raise BadSetting(f"There are no runs of this at the scale {scale}: take one of {', '.join(parts)}.")
    return parts[name]
