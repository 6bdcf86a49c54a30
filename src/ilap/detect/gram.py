"""Gram: correlations of feature maps that leave the range which the predicted class has shown.

For a layer with maps F (channels x places) and every power p = 1 .. P, a picture has one number a channel:

    g_p = signed p-th root of the row sums of F^p (F^p)^T

On P_train, the least and the largest g of every predicted class are noted. A picture that is taken for class k
with the probability q deviates in a layer by

    d = sum_p sum_i ( relu(min_k - g) / |min_k + 1e-6|  +  relu(g - max_k) / |max_k + 1e-6| ) / q

and scores the sum over layers of d / E[d], the mean deviation on P_val, which nothing was fitted to. Sastry
and Oore, "Detecting Out-of-Distribution Examples with In-distribution Examples and Gram Matrices" (2019), the
paper's Zero-Shot OOD, with the authors' reduction to row sums. The paper speaks of mean correlations:
``gram=mean`` takes |g - mean_k| / |mean_k + 1e-6| instead of what leaves the range. Sums are taken in double
precision, since the tenth power of a large activation is out of a float's reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Exemplars, Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import at_least, one_of
from ilap.detect.capabilities import GivesMaps, require
from ilap.detect.contract import Finding, Threshold, judge, too_few

TINY = 1e-6  # beside a bound, as in the authors' code
LEAST = 1e-7  # beside the mean deviation of a layer


def row_sums(maps: Tensor, powers: int) -> Tensor:
    """g_p of every power and channel, (n, channels, places) to (n, powers x channels). A row of F F^T sums to
    the product of its channel with the sum of all channels, so no Gram matrix is ever made.

    >>> row_sums(torch.tensor([[[1.0, 2.0], [0.0, -1.0]]]), 2).round(decimals=4).tolist()
    [[3.0, -1.0, 4.5826, 2.2361]]
    """
    wide = maps.double()
    power, found = torch.ones_like(wide), []
    for p in range(1, powers + 1):
        power = power * wide
        sums = (power * power.sum(1, keepdim=True)).sum(2)
        found.append(sums.sign() * sums.abs() ** (1 / p))
    return torch.cat(found, 1)


def beyond(rows: Array, low: Array, high: Array) -> Array:
    """How far rows leave the range between two rows, relative to its ends.

    >>> beyond(np.array([[3.0, 1.0]]), np.array([1.0, 2.0]), np.array([2.0, 4.0])).round(4).tolist()
    [1.0]
    """
    under = np.maximum(low - rows, 0) / np.abs(low + TINY)
    over = np.maximum(rows - high, 0) / np.abs(high + TINY)
    deviation: Array = (under + over).sum(1)
    return deviation


def from_mean(rows: Array, mean: Array) -> Array:
    """How far rows are from a mean row, relative to it.

    >>> from_mean(np.array([[3.0, 1.0]]), np.array([2.0, 2.0])).round(4).tolist()
    [1.0]
    """
    deviation: Array = (np.abs(rows - mean) / np.abs(mean + TINY)).sum(1)
    return deviation


@dataclass(frozen=True)
class Seen:
    """Pictures as this detector sees them: row sums of every layer, the class each is taken for, and how
    surely."""

    layers: list[NDArray[Any]]
    named: NDArray[np.intp]
    sure: Array

    def deviations(self, train: Seen, own: NDArray[np.intp], mean: bool) -> Array:
        """How far every picture deviates in every layer from the training pictures taken for the same class;
        where none is, from those of that class, whose columns are ``own``."""
        found = np.zeros((len(self.named), len(self.layers)))
        for column in np.unique(self.named):
            rows = self.named == column
            fitted = train.named == column
            fitted = fitted if fitted.any() else own == column
            for place, layer in enumerate(self.layers):
                known = train.layers[place][fitted]
                found[rows, place] = (
                    from_mean(layer[rows], known.mean(0))
                    if mean
                    else beyond(layer[rows], known.min(0), known.max(0))
                )
        return found / self.sure[:, None]


def see(classifier: GivesMaps, samples: NDArray[Any], powers: int) -> Seen:
    """See samples."""
    probabilities = classifier.probabilities(samples)
    layers = classifier.maps(samples, partial(row_sums, powers=powers))
    return Seen(layers, probabilities.argmax(1), probabilities.max(1))


def pooled(pools: dict[int, Exemplars], classes: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The exemplars of all classes, and the column of each."""
    columns = np.repeat(np.arange(len(classes)), [len(pools[k]) for k in classes])
    return np.concatenate([pools[k].samples for k in classes]), columns


@dataclass(frozen=True)
class Parameters(Threshold):
    """And what is compared."""

    gram: str = "bounds"  # what a picture is compared with: bounds (least and largest of a class), or its mean
    powers: int = 10  # the highest power of the maps

    def __post_init__(self) -> None:
        one_of("gram", self.gram, "bounds", "mean")
        at_least("powers", self.powers, 1)


@dataclass(frozen=True)
class Gram:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"probabilities", "maps"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean of the pictures' total deviations."""
        network: GivesMaps = require("gram", self.needs, classifier)
        if few := too_few(classifier, 1):
            return few
        known, own = pooled(memory.train, classifier.classes)
        powers, mean = self.parameters.powers, self.parameters.gram == "mean"
        train = see(network, known, powers)
        held_out, _ = pooled(memory.val, classifier.classes)
        usual = np.ones(len(train.layers))
        if len(held_out):
            usual = see(network, held_out, powers).deviations(train, own, mean).mean(0) + LEAST
        seen = see(network, exposure.rows, powers)
        scores = (seen.deviations(train, own, mean) / usual).sum(1)
        return judge(scores, seen.named, classifier, self.parameters.threshold)


create = Gram
