"""Impure exposures: some of the pictures show something else that is known.

Every picture is named, the exposure itself being one more class: its mean without the picture in question. A
picture that is surely of a class that the exposure is not is a stranger. Where most pictures are surely of one
known class, the exposure is that class, and strangers are those of others. Two rounds, since strangers spoil
the mean. What is not known yet cannot be told from a picture that is odd: it stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.classify.metric import noise_of
from ilap.exposure import Samples

if TYPE_CHECKING:
    from ilap.classify.exact import Exact

Array = NDArray[np.float64]

ENOUGH = 15  # pictures among which one can be told to be a stranger
SURE = 0.95
ROUNDS = 2
TEMPERATURE = 6.0  # divides the evidence of one picture, whose features repeat each other


@dataclass(frozen=True)
class Impurity:
    """Which rows of an exposure are strangers, and the class that most of these are surely of."""

    rows: NDArray[np.intp]
    class_id: int | None = None


def strangers(exact: Exact, exposure: Samples, column: int | None) -> Impurity:
    """Find them. ``column`` is the class that the exposure was taken for; None where it was taken for new."""
    count = len(exposure)
    seen = exact.look(exposure)
    if count < ENOUGH or seen.burst > 0 or not len(seen.columns):
        return Impurity(np.empty(0, np.intp))
    pictures = seen.white[:-1] + seen.white[-1]
    means, counts = exact.white_means(seen.columns), exact.counts[seen.columns]
    tr = noise_of(seen.white[:-1]).tr
    known = pictures @ means.T - 0.5 * ((means**2).sum(1) - tr / counts)
    own = np.flatnonzero(seen.columns == column) if column is not None else np.empty(0, np.intp)
    out = np.zeros(count, bool)
    votes = np.full(count, -1)
    for _ in range(ROUNDS):
        inside = ~out
        shares = scipy.special.softmax(
            np.concatenate([known, own_scores(pictures, inside, tr)[:, None]], 1) / TEMPERATURE,
            axis=1,
        )
        ours = shares[:, -1] + shares[:, own].sum(1)
        rest = shares[:, :-1].copy()
        rest[:, own] = 0
        votes = np.where(rest.max(1) > SURE, rest.argmax(1), -1)
        if not len(own) and len(votes) and (votes >= 0).any():
            most = int(np.bincount(votes[votes >= 0]).argmax())
            if (votes == most).mean() > 0.5:
                own = np.array([most])
                votes = np.where(votes == most, -1, votes)
        out = (votes >= 0) & (ours < 1 - SURE)
        if out.all():
            break
    if not out.any():
        return Impurity(np.empty(0, np.intp))
    most = int(np.bincount(votes[out]).argmax())
    return Impurity(np.flatnonzero(out), exact.classes[int(seen.columns[most])])


def own_scores(pictures: Array, inside: NDArray[np.bool_], tr: float) -> Array:
    """How well every picture fits the mean of the others that are inside."""
    total, count = pictures[inside].sum(0), int(inside.sum())
    left = np.maximum(count - inside, 1)[:, None]
    means = (total - np.where(inside[:, None], pictures, 0)) / left
    scores: Array = (pictures * means).sum(1) - 0.5 * ((means**2).sum(1) - tr / left[:, 0])
    return scores
