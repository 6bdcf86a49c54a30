"""The belief: how likely an exposure is each class, and how likely a new one, whatever kind of data it is.

All exposures that were seen gather in groups (surroundings.py), those among them that are unsure too. So an
exposure may belong to a group that has a class, to a group that has none yet, or to nothing that was seen. With
the features f of every group (features.py) and the weights w that were fitted on many kinds of data
(calibration.py)

    P = softmax(0, w.f_1, w.f_2, ...),

the first being the probability that it goes with none of them. Where pictures are said to be drawn at random
and an exposure has enough of them, the log odds of the model of sessions, divided by a constant, stand for w.f.
What people placed moves them (effect.py). It is *new* if it goes with none, or with a group that has no class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.calibration import Calibration
from ilap.exact.effect import NO_EFFECT, Effect, effect
from ilap.exact.features import Features, features, joint
from ilap.exact.model import Model
from ilap.exact.statistics import NO_CLASS, evenly
from ilap.exact.surroundings import Surroundings


@dataclass(frozen=True)
class Belief:
    """``new`` and ``known`` are probabilities, the latter of the classes in ``columns``; ``around`` is what the
    exposure was compared with."""

    columns: NDArray[np.intp]
    known: Array
    new: float
    around: Surroundings

    @property
    def certainty(self) -> float:
        """The probability of what is likeliest."""
        return max(self.new, float(self.known.max(initial=0)))


def beliefs(
    model: Model,
    around: Surroundings,
    numbers: Sequence[int],
    calibration: Calibration,
    fits: bool,
    found: Features | None = None,
) -> list[Belief]:
    """Of several exposures that are all around, where something is known. ``fits`` says whether the calibration
    was fitted on such features; ``found`` are the exposures' features, where these are known."""
    rows = np.array([around.row(number) for number in numbers], np.intp)
    odds = log_odds(model, around, rows, calibration, fits, found)
    shares = of_groups(around, rows, learned_effect(model, around, calibration, fits)(odds))
    columns, classes = with_class(model, around)
    return [Belief(columns, own[1 + classes], 1 - float(own[1 + classes].sum()), around) for own in shares]


def log_odds(
    model: Model,
    around: Surroundings,
    rows: NDArray[np.intp],
    calibration: Calibration,
    fits: bool,
    found: Features | None = None,
) -> Array:
    """Of every group; minus infinity where a group has nobody else. Where pictures are known to be drawn at
    random, all that exposures of one identity differ by is noise, which the model of sessions knows: its odds
    count in full where there are enough pictures, but for directions that are not independent. Else it is the
    weights that say what they mean."""
    full = np.array([model.counts_in_full(int(count)) for count in around.compared.counts[rows]])
    odds = np.empty((len(rows), int(around.labels.max()) + 1))
    if full.any():
        odds[full] = joint(around)[rows[full]] / model.rule.bands.evidence
    if not full.all():
        found = features(around, rows) if found is None else found
        each = [weight * found.values[name] for name, weight in calibration.weights.items()]
        odds[~full] = np.where(found.empty, -np.inf, np.sum(each, axis=0))[~full]
    known: Array = odds if fits else calibration.widen * odds
    return known


def learned_effect(model: Model, around: Surroundings, calibration: Calibration, fits: bool) -> Effect:
    """What the exposures that people placed tell of the stream. What one of them shows is known: its class, if
    others have that too, else none that is known."""
    rule, numbers = model.rule.effect, around.compared.numbers
    placed = [row for row, number in enumerate(numbers) if number in model.fixed and number in model.exposures]
    if not placed:
        return NO_EFFECT
    rows = np.array([placed[at] for at in evenly(len(placed), rule.asked)], np.intp)
    groups = int(around.labels.max()) + 1
    right = np.zeros((len(rows), 1 + groups), bool)
    of_class = np.isin(np.arange(groups), around.labels[around.classes != NO_CLASS])
    for at, row in enumerate(rows):
        others = (around.classes == around.classes[row]).sum() > 1
        right[at, 1 + around.labels[row] if others else 0] = True
        right[at, 1:] |= ~of_class & (not others)
    return effect(log_odds(model, around, rows, calibration, fits), right, rule)


def of_groups(around: Surroundings, rows: NDArray[np.intp], odds: Array) -> Array:
    """A row of probabilities for each: of none of the groups, then of every group."""
    odds = odds.copy()
    place = {int(row): at for at, row in enumerate(rows)}
    for one, other in around.apart:  # what a person told apart from it is never the same
        for own, rest in ((one, other), (other, one)):
            if own in place:
                odds[place[own], around.labels[rest]] = -np.inf
    return softmax(odds)


def with_class(model: Model, around: Surroundings) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The columns of the classes that have exposures around, and the group of each."""
    column = {class_id: at for at, class_id in enumerate(model.classes)}
    group = {
        column[int(k)]: int(label)
        for k, label in zip(around.classes, around.labels, strict=True)
        if k != NO_CLASS
    }
    columns = np.array(sorted(group), np.intp)
    return columns, np.array([group[int(at)] for at in columns], np.intp)


def softmax(odds: Array) -> Array:
    """For every row the probabilities of none, whose log odds are 0, and of all others.

    >>> softmax(np.array([[0.0, 0.0]])).round(3).tolist()
    [[0.333, 0.333, 0.333]]
    """
    logs = np.concatenate([np.zeros((len(odds), 1)), odds], axis=1)
    shares: Array = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
    return shares
