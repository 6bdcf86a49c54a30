"""Naming single pictures: the class, how likely, what it looks like there, and whether it is like none of them.

The classifier says which class it is, if it is one; whether it is, a comparison with the pictures that were
learned (classify/unlike.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ilap.classify import unlike
from ilap.classify.exact import Exact
from ilap.errors import NothingLearned
from ilap.exposure import Picture
from ilap.kept import KeptLearner
from ilap.memory import merge

NEAREST = 3  # exemplars that are told
NONE = 0.05  # pictures of known classes that are called none of these


@dataclass(frozen=True)
class Identified:
    """What a picture shows. ``class_id`` is None where it is unlike all; ``probability`` is that of the
    likeliest class, should it be one; ``typical`` is the share of the pictures that were learned which is at
    least as strange; ``nearest`` are exemplars of the likeliest class, nearest first, as (exposure, place)."""

    class_id: int | None
    likeliest: int
    probability: float
    typical: float
    nearest: tuple[tuple[int, int], ...]


def identify(learner: KeptLearner, pictures: Sequence[Picture]) -> list[Identified]:
    """Name pictures, each by itself."""
    exact = cast(Exact, learner.state.classifier)
    if not exact.classes:
        raise NothingLearned(f"{learner.path} knows no class yet: let it learn some exposures first.")
    rows = learner.samples(pictures)
    named = learner.predict_samples(rows)
    memory = learner.state.memory
    shown = exact.close_up(rows.astype(float))
    found = []
    for row, class_id, shares, typical in zip(
        shown, named.class_ids, named.probabilities, unlike.typical(exact, rows), strict=True
    ):
        likeliest = int(class_id)
        pool = merge(memory.train[likeliest], memory.val[likeliest])
        away = ((exact.close_up(pool.samples.astype(float)) - row) ** 2).sum(1)
        nearest = tuple((int(e), int(p)) for e, p in pool.origins[np.argsort(away, kind="stable")[:NEAREST]])
        answer = None if typical < NONE else likeliest
        found.append(Identified(answer, likeliest, float(shares.max()), float(typical), nearest))
    return found
