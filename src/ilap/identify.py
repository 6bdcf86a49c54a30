"""Naming single pictures: the class, how likely, what it looks like there, and whether it is like none of them.

A picture is an exposure of one. Its probability of being new, as the learner would decide it, says whether it
is unlike all classes; which class it is otherwise, the classifier says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ilap.classify.exact import Exact
from ilap.errors import NothingLearned
from ilap.exposure import Picture, Samples
from ilap.kept import KeptLearner
from ilap.memory import merge

NEAREST = 3  # exemplars that are told
NONE = 0.1  # pictures that are asked about and show none of the classes, before they are looked at


@dataclass(frozen=True)
class Identified:
    """What a picture shows. ``class_id`` is None where it is unlike all; ``nearest`` are exemplars of the
    likeliest class, nearest first, each as (exposure, place)."""

    class_id: int | None
    likeliest: int
    probability: float
    p_none: float
    nearest: tuple[tuple[int, int], ...]


def identify(learner: KeptLearner, pictures: Sequence[Picture]) -> list[Identified]:
    """Name pictures, each by itself."""
    exact = cast(Exact, learner.state.classifier)
    if not exact.classes:
        raise NothingLearned(f"{learner.path} knows no class yet: let it learn some exposures first.")
    rows = learner.samples(pictures)
    named = learner.predict_samples(rows)
    found = []
    for row, class_id, shares in zip(rows, named.class_ids, named.probabilities, strict=True):
        seen = exact.look(Samples(-1, row[None], np.zeros(1, bool)))
        p_none = float(replace(seen, chance=NONE).posterior(len(exact.classes))[0])
        memory = learner.state.memory
        pool = merge(memory.train[int(class_id)], memory.val[int(class_id)])
        away = (
            (exact.close_up(pool.samples.astype(float)) - exact.close_up(row[None].astype(float))) ** 2
        ).sum(1)
        nearest = tuple((int(e), int(p)) for e, p in pool.origins[np.argsort(away, kind="stable")[:NEAREST]])
        likeliest = int(class_id)
        found.append(
            Identified(None if p_none > 0.5 else likeliest, likeliest, float(shares.max()), p_none, nearest)
        )
    return found
