"""Strangers: pictures of an exposure that show something else that is known.

Every picture is named, the exposure itself being one more class: its mean without the picture in question. A
picture that is surely of a class that the exposure is not is a stranger. Where most pictures are surely of one
known class, the exposure is that class, and strangers are those of others. Two rounds, since strangers spoil
the mean. What is not known yet cannot be told from a picture that is odd: it stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact.model import Model
from ilap.exact.noise import noise_of
from ilap.exact.whitened import Whitened


@dataclass(frozen=True)
class Strangers:
    """Which rows of an exposure are strangers, and the class that most of these are surely of."""

    rows: NDArray[np.intp]
    class_id: int | None = None


NONE = Strangers(np.empty(0, np.intp))


def strangers(model: Model, exposure: Samples, shown: Whitened, column: int | None) -> Strangers:
    """Find them. ``column`` is the class that the exposure was taken for; None where it was taken for new."""
    rule, count = model.rule.strangers, len(exposure)
    if count < rule.enough or not len(shown.columns):
        return NONE
    pictures = shown.residuals + shown.mean
    means, counts = model.means(shown.columns), model.counts[shown.columns]
    tr = noise_of(shown.residuals).tr
    known = pictures @ means.T - 0.5 * ((means**2).sum(1) - tr / counts)
    own = np.flatnonzero(shown.columns == column) if column is not None else np.empty(0, np.intp)
    out = np.zeros(count, bool)
    votes = np.full(count, -1)
    for _ in range(rule.rounds):
        itself = own_scores(pictures, ~out, tr)[:, None]
        scores = np.concatenate([known, itself], 1) / model.rule.naming.temperature
        shares = scipy.special.softmax(scores, axis=1)
        ours = shares[:, -1] + shares[:, own].sum(1)
        rest = shares[:, :-1].copy()
        rest[:, own] = 0
        votes = np.where(rest.max(1) > rule.sure, rest.argmax(1), -1)
        if not len(own) and (votes >= 0).any():
            most = int(np.bincount(votes[votes >= 0]).argmax())
            if (votes == most).mean() > rule.majority:
                own = np.array([most])
                votes = np.where(votes == most, -1, votes)
        out = (votes >= 0) & (ours < 1 - rule.sure)
        if out.all():
            break
    if not out.any():
        return NONE
    most = int(np.bincount(votes[out]).argmax())
    return Strangers(np.flatnonzero(out), model.classes[int(shown.columns[most])])


def own_scores(pictures: Array, inside: NDArray[np.bool_], tr: float) -> Array:
    """How well every picture fits the mean of the others that are inside."""
    total, count = pictures[inside].sum(0), int(inside.sum())
    left = np.maximum(count - inside, 1)[:, None]
    means = (total - np.where(inside[:, None], pictures, 0)) / left
    scores: Array = (pictures * means).sum(1) - 0.5 * ((means**2).sum(1) - tr / left[:, 0])
    return scores
