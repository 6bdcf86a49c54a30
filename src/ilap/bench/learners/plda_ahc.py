"""How diarisation groups speakers: probabilistic linear discriminant analysis, and agglomeration by its odds.

A class mean is drawn from N(0, psi), a picture around it from N(0, 1), in every direction (Ioffe,
"Probabilistic linear discriminant analysis", 2006; psi is the prior's ``between``). Whether two sets of n1 and
n2 pictures with the means m1 and m2 show one thing is then told by

    sum_d 1/2 [ ln(u/v) + m2^2 / u - (m2 - a)^2 / v ],    a = psi n1 m1 / (1 + n1 psi),
    v = 1/n2 + psi / (1 + n1 psi),   u = psi + 1/n2,

the log of p(m2 | m1) / p(m2). Vectors are brought to the length that the model expects first (Garcia-Romero and
Espy-Wilson, 2011; as Kaldi does): x sqrt(D / sum_d x^2 / (psi + 1/n)). Then the best pair is merged as long as
its odds are above the threshold. That is done over all exposures at the end (``places``); as they come, each
joins the best class there is so far, or founds one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.bench.learners.contract import Task
from ilap.bench.learners.grouping import Array, Grouping, given
from ilap.core.decision import Decision

PRESET = "fast"


@dataclass(frozen=True)
class Parameters:
    """As published."""

    threshold: float = 0.0  # log odds above which two groups are one


class PldaAhc(Grouping):
    """Agglomeration by odds."""

    parameters: Parameters

    @property
    def facts(self) -> Mapping[str, float]:
        """The log odds."""
        return {"threshold": self.parameters.threshold}

    def vectors(self) -> tuple[Array, Array]:
        """Every exposure's vector at the length that is expected, and how many pictures it stands for."""
        counts = np.array(self.counts, np.float64)
        return normalised(self.centred(), counts, self.between), counts

    def decide(self, number: int) -> Decision:
        """The best class so far, if the odds are for it."""
        groups = self.classes
        if not groups:
            return self.place(number, None, 0.0, "nothing was known before")
        vectors, counts = self.vectors()
        sizes = np.array([counts[own].sum() for own in groups.values()])
        means = np.stack([np.average(vectors[own], axis=0, weights=counts[own]) for own in groups.values()])
        odds = log_odds(vectors[number], counts[number], means, sizes, self.between)
        best = int(odds.argmax())
        class_id, score = list(groups)[best], float(odds[best])
        joins = score > self.parameters.threshold
        return self.place(
            number, class_id if joins else None, -score, f"log odds of class {class_id}: {score:.1f}"
        )

    def places(self) -> dict[int, int]:
        """All exposures, grouped again."""
        vectors, counts = self.vectors()
        return numbered(agglomerated(vectors, counts, self.between, self.parameters.threshold))


def normalised(vectors: Array, counts: Array, between: Array) -> Array:
    """Vectors of the length that the model expects; nothing stays nothing.

    >>> normalised(np.array([[3.0, 0.0]]), np.array([1.0]), np.array([1.0, 1.0]))
    array([[2., 0.]])
    """
    squares = (vectors**2 / (between + 1 / counts[:, None])).sum(1, keepdims=True)
    scaled: Array = vectors * np.sqrt(vectors.shape[1] / np.where(squares > 0, squares, np.inf))
    return scaled


def log_odds(mean: Array, count: float, means: Array, counts: Array, between: Array) -> Array:
    """The log odds that a set of pictures shows the same as each of the others."""
    known = 1 + count * between
    expected = between * count * mean / known
    near, far = 1 / counts[:, None] + between / known, between + 1 / counts[:, None]
    odds: Array = 0.5 * (np.log(far / near) + means**2 / far - (means - expected) ** 2 / near).sum(1)
    return odds


def agglomerated(vectors: Array, counts: Array, between: Array, threshold: float) -> NDArray[np.intp]:
    """The group of every exposure, after the best pair was merged as long as its odds are above the
    threshold."""
    means, sizes = vectors.copy(), counts.copy()
    group = np.arange(len(means))
    odds = np.stack([log_odds(means[i], sizes[i], means, sizes, between) for i in group])
    np.fill_diagonal(odds, -np.inf)
    while odds.max(initial=-np.inf) > threshold:
        one, other = np.unravel_index(int(odds.argmax()), odds.shape)
        weights = sizes[[one, other]]
        means[one] = np.average(means[[one, other]], axis=0, weights=weights)
        sizes[one] = weights.sum()
        group[group == other] = one
        odds[other] = odds[:, other] = -np.inf
        left = np.flatnonzero(np.isin(np.arange(len(means)), group) & (np.arange(len(means)) != one))
        odds[one, left] = odds[left, one] = log_odds(means[one], sizes[one], means[left], sizes[left], between)
    return group


def numbered(groups: NDArray[np.intp]) -> dict[int, int]:
    """Groups as places by exposure."""
    return {number: int(group) for number, group in enumerate(groups)}


def create(task: Task) -> PldaAhc:
    """It needs no label and no hindsight."""
    return PldaAhc(*given(task, PRESET))
