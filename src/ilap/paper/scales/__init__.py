"""How much of the paper is run, with what, and how that differs from the paper: all scales are here.

learners.py    tables 2 and 3, figures 5 to 12, early repeats
novelty.py     table 1
trials.py      figures 2 to 4
"""

from __future__ import annotations

from ilap.core.errors import BadSetting

NAMES = ("quick", "cpu", "full")


def check(scale: str) -> str:
    """The scale, or an error that says which there are."""
    if scale not in NAMES:
        raise BadSetting(f"There is no scale {scale!r}: take one of {', '.join(NAMES)}.")
    return scale
