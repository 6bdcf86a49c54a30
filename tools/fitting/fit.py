"""The fit: the weights of the features, by the likelihood of the truth.

An exposure goes with one of the groups around it or with none (belief.py): a conditional logit (McFadden,
"Conditional logit analysis of qualitative choice behavior", 1974). Where what it shows has a class, the truth
are the groups with such a class; else it is none of the groups, or any that has no class. Families weigh the
same, streams weigh the same in a family, and asks in a stream. The families are few, so weights are kept
small, and what is more alike is never less likely to be the same (features.py): without that, features that go
together get weights of opposite signs, which is worse on a family that was left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.optimize

from fitting.asks import Ask
from ilap.exact.features import LIKENESS, UNLIKENESS

RIDGE = 0.001  # of the weights on features of size 1; of .03 to .0003 the one with the least loss left out
SURELY = 1e-3  # no answer is less likely than this, so that one odd ask does not rule the fit


@dataclass(frozen=True)
class Asked:
    """The asks of a stream, one after the other: ``sizes`` is how many groups each has."""

    family: str
    names: np.ndarray
    features: np.ndarray
    classes: np.ndarray
    right: np.ndarray
    sizes: np.ndarray
    known: np.ndarray


def together(family: str, names: Sequence[str], asks: Sequence[Ask]) -> Asked:
    """The asks of a stream as arrays, with the names of their features."""
    return Asked(
        family,
        np.array(names),
        np.concatenate([ask.features for ask in asks]),
        np.concatenate([ask.classes for ask in asks]),
        np.concatenate([ask.right for ask in asks]),
        np.array([len(ask.right) for ask in asks]),
        np.array([ask.known for ask in asks]),
    )


def weights(asked: Sequence[Asked]) -> dict[str, float]:
    """Of all features."""
    names = asked[0].names.tolist()
    x = np.concatenate([one.features for one in asked]).astype(float)
    sizes = np.concatenate([one.sizes for one in asked])
    known = np.concatenate([one.known for one in asked])
    of = np.repeat(np.arange(len(sizes)), sizes)
    good = np.where(
        known[of],
        np.concatenate([one.right for one in asked]),
        ~np.concatenate([one.classes for one in asked]),
    ).astype(float)
    streams = Counter(one.family for one in asked)
    each = [1 / streams[one.family] / len(one.sizes) / len(streams) for one in asked]
    weight = np.repeat(each, [len(one.sizes) for one in asked])
    some = sizes > 0
    start = (np.cumsum(sizes) - sizes)[some]
    scale = np.sqrt((x**2).mean(0)) + 1e-6

    def summed(values: np.ndarray) -> np.ndarray:
        total = np.zeros(len(sizes))
        total[some] = np.add.reduceat(values, start)
        return total

    def loss(beta: np.ndarray) -> tuple[float, np.ndarray]:
        odds = x @ beta
        top = np.zeros(len(sizes))
        top[some] = np.maximum(np.maximum.reduceat(odds, start), 0)
        shares = np.exp(odds - top[of])
        none = np.exp(-top)
        total = summed(shares) + none
        shares /= total[of]
        truth = summed(shares * good) + np.where(known, 0, none / total)
        along = (weight / (truth + SURELY))[of] * shares * (good - truth[of])
        value = -(weight * np.log(truth + SURELY)).sum() + RIDGE * ((beta * scale) ** 2).sum()
        return float(value), -(x.T @ along) + 2 * RIDGE * beta * scale**2

    bounds = [(0 if name in LIKENESS else None, 0 if name in UNLIKENESS else None) for name in names]
    found = scipy.optimize.minimize(
        loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500}
    )
    return {name: round(float(value), 4) for name, value in zip(names, found.x, strict=True)}
