"""A sample of sure decisions, and what it says of all of them: the share that is wrong, with an interval of
95 % (Clopper and Pearson, 1934) that rests on nothing but the drawing.

*new* and *known* decisions are drawn in proportion, rounded at random, so that each is equally likely to be
drawn. The number of wrong ones then varies no more than if all were drawn independently (Hoeffding, 1956), and
the interval covers at least what it says. Where one kind is so rare that its share of the sample is less than
one decision, one of it is drawn all the same. The interval is then that of the other kind, widened by all that
the rare kind can add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from scipy.special import betaincinv

SureKind = Literal["new", "known"]
LEVEL = 0.95


def clopper_pearson(wrong: int, count: int) -> tuple[float, float]:
    """The interval of a share.

    >>> [round(end, 3) for end in clopper_pearson(2, 20)], clopper_pearson(0, 0)
    ([0.012, 0.317], (0.0, 1.0))
    """
    tail = (1 - LEVEL) / 2
    low = float(betaincinv(wrong, count - wrong + 1, tail)) if wrong else 0.0
    high = float(betaincinv(wrong + 1, count - wrong, 1 - tail)) if wrong < count else 1.0
    return low, high


def drawn(kinds: Mapping[int, SureKind], number: int, rng: np.random.Generator) -> list[int]:
    """Some decisions in random order: of each kind in proportion, and at least one."""
    number = min(number, len(kinds))
    first = [n for n, kind in kinds.items() if kind == "new"]
    other = [n for n, kind in kinds.items() if kind != "new"]
    wanted = number * len(first) / max(len(kinds), 1)
    count = int(wanted) + int(rng.random() < wanted % 1)
    if number > 1 and first and other:
        count = min(max(count, 1), number - 1)
    chosen = [*rng.choice(first, count, replace=False), *rng.choice(other, number - count, replace=False)]
    return [int(n) for n in rng.permutation(chosen)]


def estimate(
    verdicts: Mapping[SureKind, Sequence[bool]], population: Mapping[SureKind, int], number: int
) -> tuple[float, float, float]:
    """The share of sure decisions that is wrong, and its interval. ``verdicts`` says of those that were judged
    whether they are wrong, ``population`` how many there were to draw ``number`` from."""
    total = sum(population.values())
    rare = [kind for kind, count in population.items() if number > 1 and 0 < count * number < total]
    counts = {kind: (sum(own), len(own)) for kind, own in verdicts.items()}
    if not rare:
        wrong, count = (sum(own) for own in zip(*counts.values(), strict=True))
        return (wrong / count, *clopper_pearson(wrong, count))
    weight = population[rare[0]] / total
    few, many = counts.pop(rare[0]), next(iter(counts.values()))
    low, high = clopper_pearson(*many)
    shares = [(wrong / count, own) for (wrong, count), own in ((few, weight), (many, 1 - weight)) if count]
    share = sum(found * own for found, own in shares) / sum(own for _, own in shares)
    return share, (1 - weight) * low, (1 - weight) * high + weight
