"""The adapted network: a second opinion on single pictures, which was trained on classes (adapting.py).

A picture is named by two classifiers: the adapted network's head and the discriminant on frozen features. Both
give log probabilities, each at a temperature that was fitted on held-out pictures, and the two are added, at a
temperature of their sum: what both say is not said twice. Decisions about exposures rest on the frozen features
alone, as if there were no adapted network.

The head's outputs stand for the exposures that they were trained on, not for classes: where these are today
decides what an output speaks for, so that a merge, a split or a move acts at once. A class whose pictures are
mostly not among them is named by the frozen discriminant alone, until the network is adapted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.backbones import runtime
from ilap.core.classifier import Array
from ilap.core.exposure import Picture
from ilap.exact.exact import Exact

BATCH = 16  # pictures a run: more do not fit into the processor's cache
MOSTLY = (
    0.5  # share of a class's pictures that were of exposures in the training, from which on it is part of it
)
LEAST = 1e-12  # the least probability of a class by the head


@dataclass(frozen=True, eq=False)
class Adapted:
    """``outputs`` says which output each exposure was trained as, or judged by; ``about`` how well it did
    (adapting.py)."""

    graph: bytes
    side: int
    outputs: Mapping[int, int]
    head_temperature: float
    frozen_temperature: float
    temperature: float = 1.0  # of the sum
    about: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def _run(self) -> runtime.Batch:
        """Made for the first picture."""
        return runtime.on_cpu(self.graph)

    def logits(self, pictures: Sequence[Picture]) -> Array:
        """What the head says of pictures, one row each."""
        rows = [
            self._run(runtime.square(pictures[i : i + BATCH], self.side))
            for i in range(0, len(pictures), BATCH)
        ]
        count = 1 + max(self.outputs.values())
        return np.concatenate(rows).astype(np.float64) if rows else np.empty((0, count))

    def shares(self, exact: Exact) -> Array:
        """Of every output the share of its pictures that is in each class today."""
        column = {class_id: place for place, class_id in enumerate(exact.classes)}
        shares = np.zeros((1 + max(self.outputs.values()), len(column)))
        for number, own in exact.model.exposures.items():
            if number in self.outputs:
                shares[self.outputs[number], column[own.class_id]] += own.sums.count
        found: Array = shares / np.maximum(shares.sum(1, keepdims=True), 1)
        return found

    def inside(self, exact: Exact) -> NDArray[np.bool_]:
        """Which classes it was trained on: most of their pictures are of exposures in the training."""
        column = {class_id: place for place, class_id in enumerate(exact.classes)}
        trained, every = np.zeros(len(column)), np.zeros(len(column))
        for number, own in exact.model.exposures.items():
            every[column[own.class_id]] += own.sums.count
            trained[column[own.class_id]] += own.sums.count * (number in self.outputs)
        return trained > MOSTLY * every

    def probabilities(self, exact: Exact, samples: NDArray[Any], logits: Array) -> Array:
        """Of pictures, by their frozen features and by what the head says of them. Whether a picture is of a
        class that the head does not know is for the frozen discriminant to say; the rest is divided by both."""
        frozen = scipy.special.log_softmax(exact.scores(samples) / self.frozen_temperature, axis=1)
        inside = self.inside(exact)
        if not inside.any():
            alone: Array = np.exp(frozen)
            return alone
        spoken = scipy.special.softmax(logits / self.head_temperature, axis=1) @ self.shares(exact)[:, inside]
        both = frozen[:, inside] + np.log(np.maximum(spoken, LEAST))
        divided = scipy.special.log_softmax(both / self.temperature, axis=1)
        found = frozen.copy()
        found[:, inside] = divided + scipy.special.logsumexp(frozen[:, inside], axis=1, keepdims=True)
        probabilities: Array = np.exp(found)
        return probabilities


def temperature(scores: Array, labels: NDArray[np.intp], usual: float) -> float:
    """By which scores have to be divided so that their softmax has the lowest log loss (Guo et al., "On
    calibration of modern neural networks", ICML 2017), with a weak preference for the ``usual`` one: scores
    that are never wrong tell nothing of it.

    >>> temperature(np.eye(2)[[0, 1] * 50] * 4, np.array([0, 1] * 40 + [0, 0, 1, 1] * 5), 1.0) > 1.5
    True
    """
    from scipy.optimize import minimize_scalar  # this import takes a while, and mostly nothing is adapted

    def loss(log: float) -> float:
        ratio = log - np.log(usual)
        return log_loss(scores / np.exp(log), labels) * len(labels) + float(ratio**2) / 2

    centre = np.log(usual)
    found = minimize_scalar(loss, bounds=(centre - 4, centre + 4), method="bounded")
    return float(np.exp(found.x))


def log_loss(scores: Array, labels: NDArray[np.intp]) -> float:
    """The mean of - log p of what is true, where the scores' softmax is p."""
    return float(-scipy.special.log_softmax(scores, axis=1)[np.arange(len(labels)), labels].mean())
