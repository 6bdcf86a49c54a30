"""Hardness: how well the things of a stream can be told apart, seen from how its exposures gather.

No label is needed for it. Each exposure has a score with the rest of its own group (a *genuine* one) and with
the best other group (an *impostor*), be it a cosine, log odds or a distance. Where these two overlap, groups
cannot be trusted; and what a score is worth is told by where it lies between them, as speaker verification
normalises its scores (Matejka et al., Interspeech 2017). Groups that change when exposures are joined in
another way, with another share of occasions or by half of the directions, cannot be trusted either (stability
as a test of a grouping: Lange et al., Neural Computation 2004). All means are pooled with what is usual, which
holds while few exposures were seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import PairsRule
from ilap.exact.surroundings import Surroundings

USUAL = {
    "cosine": ((0.8, 0.2), (0.3, 0.2)),
    "joint": ((4.5, 1.5), (-3.0, 2.5)),
    "nearness": ((-2.0, 3.0), (-6.0, 3.0)),
}
"""Mean and standard deviation of each score, genuine and impostor, before anything was seen; by hand."""


@dataclass(frozen=True)
class Scores:
    """Mean and standard deviation of a score in a stream, genuine and impostor."""

    genuine: tuple[float, float]
    impostor: tuple[float, float]

    @property
    def apart(self) -> float:
        """The distance of both in standard deviations (d', signal detection)."""
        both = float(np.hypot(self.genuine[1], self.impostor[1]))
        return float(np.clip((self.genuine[0] - self.impostor[0]) / both, -1, 8))


@dataclass(frozen=True)
class Hardness:
    """Of a stream: its ``scores``; ``agreement``, how often two of one group are together in other ways too;
    ``mixing``, how often one is with another group; ``nearest``, how often the most alike exposure is of the
    same group; ``coherence``, the mean cosine within groups, and ``gap``, by how much it exceeds that with the
    next group; ``spread`` is that of an exposure's cosines."""

    scores: Mapping[str, Scores]
    agreement: float
    mixing: float
    nearest: float
    coherence: float
    gap: float
    spread: float


def hardness(around: Surroundings, scores: Mapping[str, Array]) -> Hardness:
    """Of all exposures around. ``scores`` have a row for every exposure and a column for every group."""
    values, labels = off_diagonal(around.compared.cosines.values), around.labels
    rule = around.compared.rule.pairs
    count = len(labels)
    inside = np.eye(int(labels.max()) + 1)[labels]
    sizes = inside.sum(0)
    shared = sizes[labels] > 1
    rest = np.maximum(sizes - inside, 1)

    ways = off_diagonal((around.compared.together[0] + around.compared.together[1]) / 2) @ inside / rest
    agreement, _ = usual((ways * inside).sum(1)[shared], 0.7, 0.0, rule)
    mixing, _ = usual(np.where(inside > 0, 0.0, ways).max(1), 0.2, 0.0, rule)
    neighbour = np.where(np.eye(count, dtype=bool), -np.inf, values).argmax(1)
    nearest, _ = usual((labels[neighbour] == labels)[shared].astype(float), 0.8, 0.0, rule)

    between = inside.T @ values @ inside
    pairs = sizes * (sizes - 1)
    coherence = (float(np.diag(between).sum()) + 0.7 * 6) / (float(pairs.sum()) + 6)
    means = between / np.outer(sizes, sizes)
    np.fill_diagonal(means, -np.inf)
    other = means.max(1) if len(sizes) > 1 else np.zeros(1)
    gaps = np.where(sizes > 1, np.diag(between) / np.maximum(pairs, 1) - other, 0.0)
    gap = (float(gaps @ sizes) + 0.15 * 8) / (float(sizes[sizes > 1].sum()) + 8)
    spread = float(spreads(around.compared.cosines.values, rule)[1].mean())
    found = {name: of_score(own, name, inside > 0, shared, rule) for name, own in scores.items()}
    return Hardness(found, agreement, mixing, nearest, coherence, gap, spread)


def of_score(
    values: Array, name: str, inside: NDArray[np.bool_], shared: NDArray[np.bool_], rule: PairsRule
) -> Scores:
    """What is genuine of a score, and what is not."""
    genuine, impostor = USUAL[name]
    others = np.where(inside, -np.inf, values).max(1) if inside.shape[1] > 1 else np.empty(0)
    return Scores(usual(values[inside][shared], *genuine, rule), usual(others, *impostor, rule))


def usual(values: Array, mean: float, spread: float, rule: PairsRule) -> tuple[float, float]:
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
    found: Array = values * (1 - np.eye(len(values)))
    return found
