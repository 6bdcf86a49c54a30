"""The features of a group, from which the log odds that an exposure belongs to it are made (belief.py).

An exposure is asked about against the rest of every group around it (surroundings.py), itself left out of its
own. Of such a group:

    joint             log odds that both are one thing, by the model of sessions, squashed
    nearest_joint     the same with the most alike of its members alone
    stands_out        the mean cosine with its members among those with all others, in spreads
    lead              that cosine less the one with the best other group
    genuine_nearness  by how much the exposure is nearer to it than is usual within groups, in spreads
    coherence         how alike the members are with each other, against what is usual here
    class             whether the group has a class
    oldest            how much more alike it is to the class's oldest member than to all of them: little where a
                      class mixes two things

What the stream is like is the same for all groups, and moves the log odds of any group against none:

    whole             how much it looks as if pictures were drawn from all of a class (session.py)
    variety           how much pictures vary within exposures, and variety*early the same at the start
    early             while few exposures were seen
    groups            ln of how many there are
    agreement, mixing how far groups hold if exposures are joined by half of the directions (separability.py)

What a cosine or a distance is worth depends on the stream, so there are products:

    whole*excess      distance beyond what noise explains, where pictures are drawn from all of a class
    alike*cosine      the cosine, the less sessions of one thing differ
    noise*cosine      the cosine, the more noise it has
    apart*impostor    how far the cosine exceeds that of an impostor, the farther genuine ones lie from these

Cosines are around the stream's centre, so they count less while that is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.agglomerate import gathered, squashed, with_rest
from ilap.exact.separability import Separability, off_diagonal, separability, spreads
from ilap.exact.surroundings import Compared, Surroundings

LIKENESS = (
    "joint",
    "nearest_joint",
    "stands_out",
    "lead",
    "genuine_nearness",
    "class",
    "oldest",
    "alike*cosine",
)
"""The more of these, the likelier a group: no weight of them is negative."""
UNLIKENESS = ("whole*excess", "noise*cosine")
"""The more of these, the less likely: no weight of them is positive."""


@dataclass(frozen=True)
class Features:
    """By name, a row for each exposure asked about and a column for each group. ``empty`` says where a group
    has nobody else."""

    values: dict[str, Array]
    empty: NDArray[np.bool_]


def features(around: Surroundings, rows: NDArray[np.intp]) -> Features:
    """Of the exposures in some rows, with every group around."""
    compared, rule = around.compared, around.compared.rule.pairs
    count, inside = len(around.labels), np.eye(int(around.labels.max()) + 1)[around.labels]
    own, sizes = inside[rows], inside.sum(0)
    rest = sizes - own
    empty, members = rest < 1, np.maximum(rest, 1)
    cosines = compared.cosines.values
    every = off_diagonal(cosines) @ inside / np.maximum(sizes - inside, 1)
    away = excess(compared, inside)
    hard = separability(around, every, -away)
    hold, early = count / (count + rule.hold), rule.early / (rule.early + count)

    def mean(each: Array) -> Array:
        found: Array = (off_diagonal(each)[rows] @ inside) / members
        return found

    cosine = every[rows]
    noise = np.sqrt(np.minimum(mean(compared.cosines.variances), 2.0) / np.sqrt(members) + 0.03**2)
    medians, spread = spreads(cosines, rule)
    z = (cosines - medians[:, None]) / spread[:, None]
    centred = (cosine - 0.4) * hold
    impostor = np.clip((cosine - hard.impostor[0]) / hard.impostor[1], -6, 10) * hold
    genuine = (-away[rows] - hard.near[0]) / hard.near[1]
    stream = of_stream(compared, hard, len(sizes), early)
    found = {
        "joint": squashed(np.where(empty, 0.0, joint(around)[rows])),
        "nearest_joint": nearest(compared.pairs, around.labels, rows, empty),
        "stands_out": np.clip(mean((z + z.T) / 2), -4, 12) * hold,
        "lead": np.clip(lead(np.where(empty, -np.inf, cosine), -0.5), -2, 2) * hold,
        "genuine_nearness": np.clip(genuine, -8, 4) * hold,
        "coherence": coherence(cosines, inside, rows, hard.coherence) * hold,
        **with_oldest(around, rows, rest, cosine, hold),
        **{name: np.full(rest.shape, value) for name, value in stream.items()},
        "whole*excess": compared.whole * away[rows],
        "alike*cosine": compared.sameness * centred,
        "noise*cosine": noise * centred,
        "apart*impostor": (hard.apart - 2) / 3 * hold * impostor,
    }
    return Features(found, empty)


def of_stream(compared: Compared, hard: Separability, groups: int, early: float) -> dict[str, float]:
    """What the stream is like, around what is usual."""
    return {
        "one": 1.0,
        "whole": compared.whole,
        "variety": compared.variety,
        "variety*early": compared.variety * early,
        "early": early,
        "groups": float(np.log(groups)) - 2,
        "agreement": 3 * (hard.agreement - 0.7),
        "mixing": 3 * (hard.mixing - 0.2),
    }


def joint(around: Surroundings) -> Array:
    """The log odds of all exposures by the model of sessions; minus infinity where a group has nobody else."""
    compared = around.compared
    groups = gathered(compared.bands, compared.share, around.labels)
    return with_rest(compared.single, groups, around.labels)


def nearest(pairs: Array, labels: NDArray[np.intp], rows: NDArray[np.intp], empty: NDArray[np.bool_]) -> Array:
    """The largest value with any other exposure of every group; 0 where it has nobody else."""
    values = pairs[rows].copy()
    values[np.arange(len(rows)), rows] = -np.inf
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    found: Array = np.where(empty, 0.0, np.maximum.reduceat(values[:, order], firsts, axis=1))
    return found


def coherence(cosines: Array, inside: Array, rows: NDArray[np.intp], usual: float) -> Array:
    """The mean cosine of every group's members with each other, without the exposure asked about, less what is
    usual; 0 where there are no two."""
    values, own = off_diagonal(cosines), inside[rows]
    rest = inside.sum(0) - own
    sums = (inside * (values @ inside)).sum(0) - 2 * own * (values[rows] @ inside)
    pairs = rest * (rest - 1)
    found: Array = np.where(pairs > 0, sums / np.maximum(pairs, 1) - usual, 0.0)
    return found


def with_oldest(
    around: Surroundings, rows: NDArray[np.intp], rest: Array, cosine: Array, hold: float
) -> dict[str, Array]:
    """Whether a group has a class, and how much more alike the exposure is to that class's oldest member than
    to all."""
    has_class = (around.oldest >= 0) & (rest >= 1) & (around.oldest != rows[:, None])
    values = around.compared.cosines.values[np.ix_(rows, np.maximum(around.oldest, 0))]
    return {"class": has_class.astype(float), "oldest": np.where(has_class, values - cosine, 0.0) * hold}


def lead(values: Array, least: float) -> Array:
    """By how much each exceeds the best other of its row, which is never below ``least``.

    >>> lead(np.array([[0.9, 0.4, -np.inf]]), -0.5).round(1).tolist()
    [[0.5, -0.5, 0.0]]
    """
    top = np.sort(values, axis=1)[:, ::-1]
    second = np.maximum(top[:, 1:2], least) if values.shape[1] > 1 else np.full((len(values), 1), least)
    found: Array = values - np.where(values >= top[:, :1], second, top[:, :1])
    return np.where(np.isfinite(found), found, 0.0)


def excess(compared: Compared, inside: Array) -> Array:
    """The squared distance of each exposure from the mean of every group without it, in the directions that so
    few pictures can tell, beyond what noise explains and in its standard deviations."""
    seen, members = compared.bands, np.maximum(inside.sum(0) - inside, 1)
    told = seen.expected / (seen.expected + 1.5 / float(np.median(compared.counts)))
    means = seen.means * np.sqrt(seen.weighted(told))
    products = means @ means.T
    tr = ((told * seen.sizes) @ seen.noise)[:, None]
    tr2 = ((told**2 * seen.sizes) @ seen.noise**2)[:, None]
    mine, sums = np.diag(products)[:, None], products @ inside
    inner = (sums - inside * mine) / members
    length = ((inside * sums).sum(0) - 2 * inside * sums + inside * mine) / members**2
    noise = (tr.T @ inside - inside * tr) / members**2 + tr
    noise2 = np.maximum(tr2.T @ inside - inside * tr2, 0) / members**4
    both = noise2 + tr2 + 2 * np.sqrt(noise2 * tr2)
    away = mine + length - 2 * inner - noise
    found: Array = np.clip(away / np.sqrt(2 * both + (0.1 * noise) ** 2), -1, 8)
    return found
