"""A second look at a class: does it fall in two now that another exposure has come?

The first exposures of a learner are its riskiest, and what was taken for one class may be two. So before an
exposure joins a class, all ways to part the class's exposures and the new one in two are compared with leaving
them together: the likelihood of the two groups' distance as that of two classes against one, less a factor 2
for every exposure, as there are that many ways to part them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilap.classify import likelihood
from ilap.classify.look import Look, pooled_noise
from ilap.exposure import Samples

if TYPE_CHECKING:
    from ilap.classify.exact import Exact

Array = NDArray[np.float64]

BLUR = 4.0  # pictures are told apart here by groups of exposures: what all of them together can tell
ALL_WAYS = 8  # exposures up to which all ways to part them are tried; beyond, cuts along their main direction


@dataclass(frozen=True)
class Split:
    """How likely a class and an exposure are two classes, and which of the class's exposures then go together
    with the new one and which do not. ``keeps``: the class's id stays with the new one's part, which is that
    of what a person put there, else that of the founding exposure."""

    probability: float
    together: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()
    keeps: bool = False


def split(exact: Exact, class_id: int, exposure: Samples, seen: Look) -> Split:
    """The likeliest way to part them."""
    members = [number for number, member in exact.exposures.items() if member.class_id == class_id]
    if len(members) < 2:
        return Split(0.0)
    counts = np.array([*(exact.exposures[number].learned.count for number in members), len(exposure)], float)
    view = exact.between.view(BLUR / counts.sum())
    means = exact.metric.whiten(np.stack([exact.exposures[number].learned.mean for number in members]))
    rows = view(np.concatenate([means, seen.white[-1:], seen.white[:-1]]))
    groups, residuals = rows[: len(counts)], rows[len(counts) :]
    noise, _, _ = pooled_noise(residuals, view, [member.traits for member in exact.exposures.values()])
    away = ways(groups, counts)
    fixed = np.array([number in exact.fixed for number in members])
    if fixed.any():  # what a person put together stays together
        away = away[away[:, :-1][:, fixed].all(1) | ~away[:, :-1][:, fixed].any(1)]
        if not len(away):
            return Split(0.0)
    apart = (away * counts).sum(1)
    near = counts.sum() - apart
    share = 1 / apart + 1 / near
    differences = (away * counts) @ groups / apart[:, None] - (~away * counts) @ groups / near[:, None]
    distances = (differences**2).sum(1) - noise.tr * share
    sd = noise.spread(share)
    mean = seen.mean * view.expected
    gain = likelihood.log_different(distances, sd, share, mean, view.largest, len(exact.classes))
    gain = gain - likelihood.log_same(distances, sd, strays=0.0)
    best = int(gain.argmax())
    odds = gain[best] - len(members) * np.log(2) + np.log(seen.chance / (1 - seen.chance))
    probability = float(1 / (1 + np.exp(-np.clip(odds, -50, 50))))
    together, others = (
        tuple(n for n, gone in zip(members, away[best], strict=False) if gone == side) for side in (False, True)
    )
    leader = members[int(fixed.argmax())] if fixed.any() else min(members)
    return Split(probability, together, others, leader in together)


def ways(groups: Array, counts: Array) -> NDArray[np.bool_]:
    """Ways to part rows in two, the last row's part being False.

    >>> ways(np.zeros((3, 1)), np.ones(3)).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    """
    members = len(groups) - 1
    if members <= ALL_WAYS:
        numbers = np.arange(1, 2**members)
        chosen = (numbers[:, None] >> np.arange(members)) & 1
        return np.concatenate([chosen.astype(bool), np.zeros((len(numbers), 1), bool)], 1)
    centred = (groups - counts @ groups / counts.sum()) * np.sqrt(counts)[:, None]
    main = np.linalg.eigh(centred @ centred.T)[1][:, -1] / np.sqrt(counts)
    order = np.argsort(main)
    cuts = np.zeros((members, members + 1), bool)
    for place in range(members):
        cuts[place, order[: place + 1]] = True
    return np.where(cuts[:, -1:], ~cuts, cuts)
