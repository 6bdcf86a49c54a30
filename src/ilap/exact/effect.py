"""The effect of a stream: how far the log odds of the belief have to be moved on this kind of data.

The weights were fitted on many kinds of data (calibration.py), and each stream may be of another kind.
Exposures that a person placed tell how it differs: each is asked about as if nobody had placed it. With o the
log odds of the groups around it the truth has the probability softmax(0, a + b o). Before any answer a and ln
b are 0, with the spreads that they have between kinds of data; after it they are their posterior means. So
what is learned of some things of a stream makes the answers about all others better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import EffectRule

OFFSETS = np.linspace(-4, 4, 17)
LOG_SLOPES = np.linspace(-1.2, 1.2, 9)


@dataclass(frozen=True)
class Effect:
    """By how much log odds are moved, and how they are stretched."""

    offset: float = 0.0
    slope: float = 1.0

    def __call__(self, odds: Array) -> Array:
        """Log odds of groups as they are in this stream."""
        moved: Array = self.offset + self.slope * odds
        return moved


NO_EFFECT = Effect()


def effect(odds: Array, right: NDArray[np.bool_], rule: EffectRule) -> Effect:
    """From what people placed: a row of log odds for each, minus infinity where there is no group. ``right``
    has one column more, the first: whether it is none of the groups, then which of them it may be."""
    if not len(odds):
        return NO_EFFECT
    offset, slope = np.meshgrid(OFFSETS, LOG_SLOPES, indexing="ij")
    there = np.isfinite(odds)
    finite = np.where(there, odds, 0.0)
    moved = offset[..., None, None] + np.exp(slope)[..., None, None] * finite
    logs = np.concatenate([np.zeros((*moved.shape[:-1], 1)), np.where(there, moved, -np.inf)], axis=-1)
    shares = np.exp(logs - np.logaddexp.reduce(logs, axis=-1, keepdims=True))
    told = np.log(rule.slips + (1 - rule.slips) * (shares * right).sum(-1)).sum(-1)
    posterior = told - 0.5 * (offset / rule.offset) ** 2 - 0.5 * (slope / rule.slope) ** 2
    weights = np.exp(posterior - posterior.max())
    weights /= weights.sum()
    return Effect(float((weights * offset).sum()), float(np.exp((weights * slope).sum())))
