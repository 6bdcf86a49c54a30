"""Succession: whether the pictures of an exposure follow each other, as frames of a clip do.

Von Neumann's ratio is the mean squared difference of successive pictures over twice their variance. It is 1 for
pictures that were drawn independently, and less where each resembles the one before it (von Neumann,
"Distribution of the ratio of the mean square successive difference to the variance", 1941).
"""

from __future__ import annotations

from collections.abc import Sequence

from ilap.core.classifier import Array

ENOUGH = 3  # pictures that have a ratio


def ratio(residuals: Array) -> float | None:
    """Of residuals in capture order; None where there are too few, or where all pictures are the same.

    >>> import numpy as np
    >>> ratio(np.array([[-2.0], [0.0], [2.0]]))
    0.5
    """
    count = len(residuals)
    variance = float((residuals**2).sum()) / max(count - 1, 1)
    if count < ENOUGH or variance <= 0:
        return None
    steps = float(((residuals[1:] - residuals[:-1]) ** 2).sum()) / (count - 1)
    return steps / 2 / variance


def pooled(ratios: Sequence[float | None], counts: Sequence[int], doubt: float) -> float | None:
    """The ratio of a stream: the mean over its exposures, each weighed by its steps, and ``doubt`` steps' worth
    of independent pictures. None where no exposure has one.

    >>> pooled([0.5, None], [11, 4], doubt=10.0)
    0.75
    """
    known = [(own, count - 1) for own, count in zip(ratios, counts, strict=True) if own is not None]
    if not known:
        return None
    total = sum(own * weight for own, weight in known) + doubt
    return total / (sum(weight for _, weight in known) + doubt)
