"""Separability: how well the things of a stream can be told apart, seen from how its exposures gather.

No label is needed for it. Each exposure has a score with the rest of its own group (a *genuine* one) and with
the best other group (an *impostor*). Where these two overlap, groups cannot be trusted; and what a score is
worth is told by where it lies between them, as speaker verification normalises its scores (Matejka et al.,
Interspeech 2017). Groups that change when exposures are joined by half of the directions cannot be trusted
either (stability as a test of a grouping: Lange et al., Neural Computation 2004). All means are pooled with
what is usual, which holds while few exposures were seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ilap.core.classifier import Array
from ilap.core.rule import PairsRule
from ilap.exact.surroundings import Surroundings

Usual = tuple[float, float]
"""Mean and standard deviation."""
GENUINE: Usual = (0.8, 0.2)
IMPOSTOR: Usual = (0.3, 0.2)
NEAR: Usual = (-2.0, 3.0)
"""Those of a cosine with the own group and with the best other one, and of nearness to the own group, before
anything was seen; by hand, as are the other numbers here that things are pooled with."""


@dataclass(frozen=True)
class Separability:
    """Of a stream: cosines that are ``genuine`` and of an ``impostor``, ``near`` is how near exposures are to
    the rest of their group; ``agreement`` is how often two of one group are together by half of the
    directions, ``mixing`` how often one is with another group; ``coherence`` is the mean cosine within
    groups."""

    genuine: Usual
    impostor: Usual
    near: Usual
    agreement: float
    mixing: float
    coherence: float

    @property
    def apart(self) -> float:
        """The distance of genuine and impostor in standard deviations (d', signal detection)."""
        both = float(np.hypot(self.genuine[1], self.impostor[1]))
        return float(np.clip((self.genuine[0] - self.impostor[0]) / both, -1, 8))


def separability(around: Surroundings, cosine: Array, nearness: Array) -> Separability:
    """Of all exposures around. Both scores have a row for every exposure and a column for every group, in which
    the exposure itself does not count."""
    labels, rule = around.labels, around.compared.rule.pairs
    inside = np.eye(int(labels.max()) + 1)[labels]
    own, sizes = inside > 0, inside.sum(0)
    shared = sizes[labels] > 1
    others = np.where(own, -np.inf, cosine).max(1) if len(sizes) > 1 else np.empty(0)
    ways = off_diagonal(around.compared.together) @ inside / np.maximum(sizes - inside, 1)
    pairs = float((sizes * (sizes - 1)).sum())
    within = float((cosine[own] * (sizes[labels] - 1)).sum())
    return Separability(
        usual(cosine[own][shared], *GENUINE, rule),
        usual(others, *IMPOSTOR, rule),
        usual(nearness[own][shared], *NEAR, rule),
        usual(ways[own][shared], 0.7, 0.0, rule)[0],
        usual(np.where(own, 0.0, ways).max(1), 0.2, 0.0, rule)[0],
        (within + 0.7 * 6) / (pairs + 6),
    )


def usual(values: Array, mean: float, spread: float, rule: PairsRule) -> Usual:
    """Mean and standard deviation, pooled with what is usual."""
    weight = len(values) + rule.pooled
    found = (float(values.sum()) + mean * rule.pooled) / weight
    squares = float(((values - found) ** 2).sum()) + spread**2 * rule.pooled
    return found, float(np.sqrt(squares / weight))


def spreads(cosines: Array, rule: PairsRule) -> tuple[Array, Array]:
    """Of every exposure the median of its cosines with all others, and the spread of the lower half of them
    around it: most others show something else, and the lower half surely does."""
    count, doubt = len(cosines), rule.pooled_spread
    medians, spread = np.zeros(count), np.full(count, 0.2)
    if count > 2:
        others = np.sort(np.where(np.eye(count, dtype=bool), np.inf, cosines), axis=1)[:, : count - 1]
        medians = np.median(others, axis=1)
        lower = others[:, : max((count - 1) // 2, 1)]
        spread = np.sqrt(((lower - medians[:, None]) ** 2).mean(1))
    pooled: Array = np.sqrt((spread**2 * count + 0.2**2 * doubt) / (count + doubt))
    return medians * count / (count + doubt), pooled


def off_diagonal(values: Array) -> Array:
    """The same with zeros for what an exposure has to do with itself."""
    found = values.copy()
    np.fill_diagonal(found, 0.0)
    return found
