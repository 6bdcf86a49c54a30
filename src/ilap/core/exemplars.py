"""The exemplars P_train and P_val: a bounded number of samples of every class (paper 3.1 and 3.4).

Of each class the most typical samples are kept, in that order. The paper ranks "the distance to the class mean"
after Castro et al., "End-to-End Incremental Learning" (ECCV 2018), who herd: the next sample is the one whose
inclusion brings the mean of the chosen nearest to the class mean, so that the chosen stand for the whole class.
The nearest to the mean stand for its core alone. When a class comes again, its old and new samples are pooled
and ranked again. The two pools are kept apart by origin: a picture once held out for validation is never
trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.exposure import VALIDATION_SHARE, Samples

Features = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Exemplars:
    """Samples of one class, most typical first, and where each came from: (exposure number, row)."""

    samples: NDArray[Any]
    origins: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.samples)

    def take(self, places: NDArray[np.intp]) -> Exemplars:
        """Some of them."""
        return Exemplars(self.samples[places], self.origins[places])

    def first(self, count: int | None) -> Exemplars:
        """The most typical ones; None is all."""
        return Exemplars(self.samples[:count], self.origins[:count])


@dataclass(frozen=True)
class Memory:
    """Both pools of every class. A bound of None is the size that the pool's part of the largest exposure had
    so far (paper 4.1). Remembering gives a new memory and leaves the old one as it was."""

    train_bound: int | None
    val_bound: int | None
    train: dict[int, Exemplars] = field(default_factory=dict)
    val: dict[int, Exemplars] = field(default_factory=dict)
    ranking: str = "nearest"

    def remember(self, class_id: int, exposure: Samples, features: Features) -> Memory:
        """Add an exposure to a class, keeping the best of old and new in each pool."""
        pools = []
        for held_out, pool, bound in ((False, self.train, self.train_bound), (True, self.val, self.val_bound)):
            rows = np.flatnonzero(exposure.held_out == held_out)
            fresh = Exemplars(exposure.rows[rows], exposure.origins()[rows])
            merged = merge(pool[class_id], fresh) if class_id in pool else fresh
            if bound is None:
                bound = max([len(fresh), *map(len, pool.values())])
            pools.append({**pool, class_id: keep(merged, features, bound, self.ranking)})
        return replace(self, train=pools[0], val=pools[1])

    def rechosen(self, class_id: int, exposures: Sequence[Samples], features: Features) -> Memory:
        """The pools of a class from all of its exposures; without any, the class is forgotten."""
        rest = self.discard(class_id)
        if not exposures:
            return rest
        pools = []
        for held_out, pool, bound in ((False, rest.train, self.train_bound), (True, rest.val, self.val_bound)):
            chosen = [np.flatnonzero(exposure.held_out == held_out) for exposure in exposures]
            rows = [exposure.rows[own] for exposure, own in zip(exposures, chosen, strict=True)]
            origins = [exposure.origins()[own] for exposure, own in zip(exposures, chosen, strict=True)]
            if bound is None:
                bound = max([*map(len, rows), *map(len, pool.values())])
            merged = Exemplars(np.concatenate(rows), np.concatenate(origins))
            pool[class_id] = keep(merged, features, bound, self.ranking)
            pools.append(pool)
        return replace(self, train=pools[0], val=pools[1])

    def discard(self, class_id: int) -> Memory:
        """Forget a class."""
        return replace(
            self,
            train={k: pool for k, pool in self.train.items() if k != class_id},
            val={k: pool for k, pool in self.val.items() if k != class_id},
        )


def merge(old: Exemplars, new: Exemplars) -> Exemplars:
    """One pool of two."""
    return Exemplars(np.concatenate([old.samples, new.samples]), np.concatenate([old.origins, new.origins]))


def keep(pool: Exemplars, features: Features, bound: int, ranking: str = "nearest") -> Exemplars:
    """The ``bound`` most typical of a pool, most typical first. A random order is drawn by the number of the
    latest exposure."""
    if not len(pool):
        return pool
    best = rank(features(pool.samples), ranking, seed=int(pool.origins[:, 0].max()))[:bound]
    return pool.take(best)


def rank(features: NDArray[Any], ranking: str = "nearest", seed: int = 0) -> NDArray[np.intp]:
    """Rows in order, the most typical first, each row scaled to unit length: ``nearest`` to the mean of all
    rows, by ``herding``, or ``random``.

    >>> rank(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [0.9, 0.1]])).tolist()
    [2, 3, 0, 1]
    """
    if ranking == "random":
        return np.random.default_rng(seed).permutation(len(features))
    rows = features.reshape(len(features), -1).astype(np.float64)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    if ranking == "herding":
        return herd(rows)
    distances = np.linalg.norm(rows - rows.mean(0), axis=1)
    return np.argsort(distances, kind="stable")


def herd(rows: NDArray[np.float64]) -> NDArray[np.intp]:
    """Rows in the order in which each brings the mean of the chosen nearest to the mean mu of all. With the
    sum s of the n chosen so far, the next r has the smallest |(s + r) / (n + 1) - mu|, that is, the smallest
    |r|^2 + 2 r (s - (n + 1) mu).

    >>> herd(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).tolist()
    [0, 1, 3, 2]
    """
    products = rows @ rows.T
    to_mean, costs = products.mean(1), np.diag(products).copy()
    order = np.empty(len(rows), np.intp)
    for place in range(len(rows)):
        costs -= 2 * to_mean
        order[place] = costs.argmin()
        costs += 2 * products[order[place]]
        costs[order[place]] = np.inf
    return order


def empty(exemplars: int | None, ranking: str = "nearest") -> Memory:
    """A memory for so many exemplars of every class, a fifth of them held out; None is as many as an exposure
    has pictures.

    >>> empty(200).train_bound, empty(200).val_bound
    (160, 40)
    """
    if exemplars is None:
        return Memory(None, None, ranking=ranking)
    held_out = max(1, round(exemplars * VALIDATION_SHARE))
    return Memory(exemplars - held_out, held_out, ranking=ranking)
