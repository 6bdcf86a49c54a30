"""The exemplars P_train and P_val: a bounded number of samples of every class (paper 3.1 and 3.4).

Of each class the samples nearest to the class mean in feature space are kept, in that order, as in Castro et
al., "End-to-End Incremental Learning" (ECCV 2018). When a class comes again, its old and new samples are
pooled and ranked anew. The two pools are kept apart by origin: a picture once held out for validation is
never trained on.
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

    def first(self, count: int) -> Exemplars:
        """The most typical ones."""
        return Exemplars(self.samples[:count], self.origins[:count])


@dataclass(frozen=True)
class Memory:
    """Both pools of every class. Remembering gives a new memory and leaves the old one as it was."""

    train_bound: int
    val_bound: int
    train: dict[int, Exemplars] = field(default_factory=dict)
    val: dict[int, Exemplars] = field(default_factory=dict)

    def remember(self, class_id: int, exposure: Samples, features: Features) -> Memory:
        """Add an exposure to a class, keeping the best of old and new in each pool."""
        pools = []
        for held_out, pool, bound in ((False, self.train, self.train_bound), (True, self.val, self.val_bound)):
            rows = np.flatnonzero(exposure.held_out == held_out)
            fresh = Exemplars(exposure.rows[rows], exposure.origins()[rows])
            merged = merge(pool[class_id], fresh) if class_id in pool else fresh
            pools.append({**pool, class_id: keep(merged, features, bound)})
        return replace(self, train=pools[0], val=pools[1])

    def anew(self, class_id: int, exposures: Sequence[Samples], features: Features) -> Memory:
        """The pools of a class from all of its exposures; without any, the class is forgotten."""
        rest = self.discard(class_id)
        if not exposures:
            return rest
        pools = []
        for held_out, pool, bound in ((False, rest.train, self.train_bound), (True, rest.val, self.val_bound)):
            chosen = [np.flatnonzero(exposure.held_out == held_out) for exposure in exposures]
            rows = [exposure.rows[own] for exposure, own in zip(exposures, chosen, strict=True)]
            origins = [exposure.origins()[own] for exposure, own in zip(exposures, chosen, strict=True)]
            pool[class_id] = keep(Exemplars(np.concatenate(rows), np.concatenate(origins)), features, bound)
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


def keep(pool: Exemplars, features: Features, bound: int) -> Exemplars:
    """The ``bound`` most typical of a pool, most typical first."""
    if not len(pool):
        return pool
    best = rank(features(pool.samples))[:bound]
    return Exemplars(pool.samples[best], pool.origins[best])


def rank(features: NDArray[Any]) -> NDArray[np.intp]:
    """Rows in order of their distance to the mean of all rows, each row scaled to unit length.

    >>> rank(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [0.9, 0.1]])).tolist()
    [2, 3, 0, 1]
    """
    rows = features.reshape(len(features), -1).astype(np.float64)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    distances = np.linalg.norm(rows - rows.mean(0), axis=1)
    return np.argsort(distances, kind="stable")


def empty(exemplars: int) -> Memory:
    """A memory for so many exemplars of every class, a fifth of them held out.

    >>> empty(200).train_bound, empty(200).val_bound
    (160, 40)
    """
    held_out = max(1, round(exemplars * VALIDATION_SHARE))
    return Memory(exemplars - held_out, held_out)
