"""Detection training (paper 3.2, 3.3): what a copy of the network is shown, and what the old classes lose.

The paper trains one copy, with (1 - lambda) |E_train| exemplars of every class, and judges it by P_val. Two
things may differ. Several copies (``trials``), each with its own exemplars of P_train and, from the second on,
its own split of the exposure, are averaged by their probabilities. And all exemplars that a copy did not train
on may judge it (``judge=unseen``): P_val and the rest of P_train. Where lambda is 0 nothing is left of P_train,
so both pools are then joined and split again in five folds, of which each copy leaves one out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array, Trial
from ilap.core.exemplars import Exemplars, Memory, merge
from ilap.core.exposure import Samples
from ilap.network.parameters import Parameters

FOLDS = 5


@dataclass(frozen=True)
class Draw:
    """What one copy trains on and is stopped by. ``weights`` are those of the old classes in the validation
    loss; ``unseen`` says of all judges which of them the copy did not train on."""

    exposure: Samples
    train: dict[int, Exemplars]
    val: dict[int, Exemplars]
    weights: list[float]
    unseen: NDArray[np.bool_]
    seed: int


@dataclass(frozen=True)
class Judges:
    """The exemplars by which copies are judged, those of all classes in a row, and the column of each one's
    class."""

    samples: NDArray[Any]
    columns: NDArray[np.intp]


def judges_of(classes: Sequence[int], memory: Memory, parameters: Parameters) -> Judges:
    """P_val, or both pools."""
    pools = [candidates(memory, class_id, parameters).samples for class_id in classes]
    return Judges(np.concatenate(pools), np.repeat(np.arange(len(pools)), list(map(len, pools))))


def candidates(memory: Memory, class_id: int, parameters: Parameters) -> Exemplars:
    """The exemplars of a class that may judge: P_val, then P_train where it may."""
    val = memory.val[class_id]
    return merge(val, memory.train[class_id]) if parameters.judge == "unseen" else val


def draws(
    classes: Sequence[int],
    exposure: Samples,
    memory: Memory,
    imbalance: float,
    parameters: Parameters,
    seed: int,
) -> list[Draw]:
    """What every copy is shown. The first has the exposure's own split."""
    found = []
    for number in range(parameters.trials):
        own = seed if not number else int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
        rng = np.random.default_rng(own)
        shown = replace(exposure, held_out=rng.permutation(exposure.held_out)) if number else exposure
        if parameters.judge == "unseen" and not imbalance:
            order = np.random.default_rng([seed, number // FOLDS])
            parts = [folded(memory, class_id, number % FOLDS, order) for class_id in classes]
        else:
            count = max(1, round((1 - imbalance) * int((~exposure.held_out).sum())))
            parts = [thinned(memory, class_id, count, parameters, rng) for class_id in classes]
        found.append(
            Draw(
                shown,
                {class_id: part[0] for class_id, part in zip(classes, parts, strict=True)},
                {class_id: part[1] for class_id, part in zip(classes, parts, strict=True)},
                [weight(len(part[0]), len(part[1]), shown, parameters.criterion) for part in parts],
                np.concatenate([part[2] for part in parts]),
                own,
            )
        )
    return found


Part = tuple[Exemplars, Exemplars, NDArray[np.bool_]]
"""Of one class what a copy trains on, what stops it, and which candidates it does not train on."""


def thinned(
    memory: Memory, class_id: int, count: int, parameters: Parameters, rng: np.random.Generator
) -> Part:
    """So many of P_train, at random or the first ones, and all of P_val."""
    train, val = memory.train[class_id], memory.val[class_id]
    chosen = rng.permutation(len(train)) if parameters.thinning == "random" else np.arange(len(train))
    chosen = chosen[:count]
    unseen = np.ones(len(candidates(memory, class_id, parameters)), bool)
    if parameters.judge == "unseen":
        unseen[len(val) + chosen] = False
    return train.take(chosen), val, unseen


def folded(memory: Memory, class_id: int, fold: int, rng: np.random.Generator) -> Part:
    """Both pools without a fifth, and that fifth."""
    pool = merge(memory.val[class_id], memory.train[class_id])
    unseen = np.zeros(len(pool), bool)
    unseen[rng.permutation(len(pool))[fold::FOLDS]] = True
    return pool.take(np.flatnonzero(~unseen)), pool.take(np.flatnonzero(unseen)), unseen


def weight(train: int, val: int, exposure: Samples, criterion: str) -> float:
    """The weight of an old class's samples in the validation loss that stops training. Where the criterion is
    not plain, it gives the class the share against the exposure that it has in training. Otherwise the two
    labels of a repeated class would weigh the same, and training would stop where they are most ambiguous."""
    held_out = int(exposure.held_out.sum())
    if criterion == "plain" or not held_out:
        return 1.0
    return train / (len(exposure) - held_out) * held_out / max(val, 1)


def averaged(drawn: Sequence[Draw], probabilities: Sequence[NDArray[Any]]) -> tuple[Array, NDArray[np.bool_]]:
    """The mean of the copies' probabilities of every exemplar, over those copies that did not train on it; and
    whether there is one."""
    counts = np.sum([draw.unseen for draw in drawn], 0)
    pairs = zip(drawn, probabilities, strict=True)
    total: Array = np.sum([draw.unseen[:, None] * rows for draw, rows in pairs], 0, dtype=np.float64)
    return total / np.maximum(counts, 1)[:, None], counts > 0


def outcome(
    before: tuple[Array, Array], judges: Judges, probabilities: Array, judged: NDArray[np.bool_]
) -> Trial:
    """What became of the old classes, by probabilities of K + 1 classes. ``before`` are accuracies on P_val and
    mean probabilities of the right class. A class that nothing judges has lost nothing."""
    accuracy, confidence = before
    after, sure = np.ones(len(accuracy)), np.ones(len(accuracy))
    prefers, newcomer = np.zeros(len(accuracy)), np.zeros(len(accuracy))
    for k in range(len(accuracy)):
        rows = probabilities[judged & (judges.columns == k)]
        if len(rows):
            after[k], sure[k] = (rows.argmax(1) == k).mean(), rows[:, k].mean()
            prefers[k], newcomer[k] = (rows[:, -1] > rows[:, k]).mean(), rows[:, -1].mean()
    return Trial(accuracy, after, after, confidence - sure, np.ones(len(accuracy), bool), prefers, newcomer)
