"""The features of a group, from which the log odds that an exposure belongs to it are made (belief.py).

An exposure is asked about against the rest of every group around it (surroundings.py), itself left out of its
own. Of such a group:

    joint             log odds that both are one thing, by the model of occasions, squashed
    cosine            the mean with its members
    shortfall         by how much that falls short of 1, in standard deviations of noise
    stands_out        the same cosine among those with all others
    impostor          by how much it exceeds that of an impostor of this stream (hardness.py), in spreads
    genuine           by how much it exceeds that of a genuine one; the same of joint, and of nearness, which is
                      the excess with a minus sign
    lead              the cosine less that with the best other group
    coherence         how alike the members are with each other, against what is usual here
    over_shares       how often they are together with other shares of occasions
    over_halves       how often by one half of the directions and by the other
    lead_in_ways      both of these less those of the best other group
    holds             how often the members are with each other in other ways, against what is usual here
    class             whether the group has a class
    oldest            how much more alike it is to the class's oldest member than to all of them
    oldest_in_ways    the same of how often they are together in other ways
    oldest_holds      how often the oldest is with the others in other ways
    excess            distance beyond what noise explains, in standard deviations
    distance          its logarithm over that expected of two things, while few exposures were seen
    noise             standard deviation of the cosine
    members           ln of how many

Then there is what the stream is like, the same for all groups, and products of both: what a cosine is worth
depends on it. Cosines are around the stream's centre, so they count less while that is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.exact.agglomerate import gathered, squashed
from ilap.exact.hardness import Hardness, hardness, off_diagonal, spreads
from ilap.exact.likeness import with_rest
from ilap.exact.statistics import NO_CLASS
from ilap.exact.surroundings import Compared, Surroundings

PRODUCTS = (
    ("whole", "joint"),
    ("whole", "cosine"),
    ("whole", "shortfall"),
    ("whole", "excess"),
    ("whole", "early"),
    ("occasions", "joint"),
    ("occasions", "cosine"),
    ("apart", "impostor"),
    ("apart", "genuine"),
    ("apart_joint", "genuine_joint"),
    ("apart_joint", "impostor_joint"),
    ("whole", "genuine_nearness"),
    ("nearest", "impostor"),
    ("nearest", "ways"),
    ("agreement", "cosine"),
    ("agreement", "ways"),
    ("mixing", "ways"),
    ("gap", "cosine"),
    ("spread", "cosine"),
    ("noise", "cosine"),
)


@dataclass(frozen=True)
class Features:
    """By name, a row for each exposure asked about and a column for each group. ``empty`` says where a group
    has nobody else."""

    values: dict[str, Array]
    empty: NDArray[np.bool_]


def features(around: Surroundings, rows: NDArray[np.intp]) -> Features:
    """Of the exposures in some rows, with every group around."""
    compared, labels = around.compared, around.labels
    count = len(labels)
    inside = np.eye(int(labels.max()) + 1)[labels]
    own, sizes = inside[rows], inside.sum(0)
    rest = sizes - own
    empty = rest < 1
    members = np.maximum(rest, 1)
    every = off_diagonal(compared.cosines.values) @ inside / np.maximum(sizes - inside, 1)
    away, distance = distances(compared, inside)
    scores = {"cosine": every, "joint": joint(around), "nearness": -away}
    hard = hardness(around, scores)
    rule = compared.rule.pairs
    hold, early = count / (count + rule.hold), rule.early / (rule.early + count)

    def mean(each: Array) -> Array:
        found: Array = (off_diagonal(each)[rows] @ inside) / members
        return found

    def among(each: Array, otherwise: float) -> Array:
        """The mean of what the members have with each other."""
        values, pairs = off_diagonal(each), rest * (rest - 1)
        sums = (inside * (values @ inside)).sum(0) - 2 * own * (values[rows] @ inside)
        found: Array = np.where(pairs > 0, sums / np.maximum(pairs, 1), otherwise) - otherwise
        return found

    def standing(name: str) -> dict[str, Array]:
        """A score between what is genuine in this stream and what is not."""
        usual, values = hard.scores[name], scores[name][rows]
        genuine = np.clip((values - usual.genuine[0]) / usual.genuine[1], -8, 4) * hold
        impostor = np.clip((values - usual.impostor[0]) / usual.impostor[1], -6, 10) * hold
        ending = "" if name == "cosine" else f"_{name}"
        return {f"genuine{ending}": genuine, f"impostor{ending}": impostor}

    cosine = every[rows]
    noise = np.sqrt(np.minimum(mean(compared.cosines.variances), 2.0) / np.sqrt(members) + 0.03**2)
    medians, spread = spreads(compared.cosines.values, rule)
    z = (compared.cosines.values - medians[:, None]) / spread[:, None]
    ways = (compared.together[0] + compared.together[1]) / 2
    together = mean(ways)
    found = {
        "joint": scores["joint"][rows],
        "cosine": cosine * hold,
        "shortfall": np.clip((1 - cosine) / noise, 0, 8) * hold,
        "stands_out": np.clip(mean((z + z.T) / 2), -4, 12) * hold,
        **standing("cosine"),
        **standing("joint"),
        **standing("nearness"),
        "lead": np.clip(lead(np.where(empty, -np.inf, cosine), -0.5), -2, 2) * hold,
        "coherence": among(compared.cosines.values, hard.coherence) * hold,
        "over_shares": mean(compared.together[0]),
        "over_halves": mean(compared.together[1]),
        "lead_in_ways": lead(np.where(empty, -1.0, together), 0.0),
        "holds": among(ways, hard.agreement),
        "excess": away[rows],
        "distance": distance[rows] * early,
        "noise": noise,
        "members": np.log(members),
    }
    found |= with_oldest(around, rows, inside, cosine * hold, together, hold, hard.agreement)
    stream = of_stream(compared, hard, len(sizes), hold, early)
    found |= {name: np.full(rest.shape, value) for name, value in stream.items()}
    found["pictures"] = np.ones(rest.shape) * (np.log(compared.counts[rows]) - 1.5)[:, None]
    scaled = {**found, "ways": together, "cosine": (cosine - 0.4) * hold}
    found |= {f"{one}*{other}": scaled[one] * scaled[other] for one, other in PRODUCTS}
    return Features(found, empty)


def with_oldest(
    around: Surroundings,
    rows: NDArray[np.intp],
    inside: Array,
    cosine: Array,
    together: Array,
    hold: float,
    agreement: float,
) -> dict[str, Array]:
    """What tells of a class that mixes two things: the exposure is less like the oldest member than like the
    others, or the oldest is not with them in other ways."""
    own, first = inside[rows], oldest(around)
    rest = inside.sum(0) - own
    has_class = (first >= 0) & (rest >= 1) & (first != rows[:, None])
    known = np.maximum(first, 0)
    values = around.compared.cosines.values * hold
    ways = off_diagonal((around.compared.together[0] + around.compared.together[1]) / 2)
    with_others = (inside * ways[:, known]).sum(0) - own * ways[np.ix_(rows, known)]
    holds = with_others / np.maximum(rest - 1, 1) - agreement
    return {
        "class": has_class.astype(float),
        "oldest": np.where(has_class, values[np.ix_(rows, known)] - cosine, 0.0),
        "oldest_in_ways": np.where(has_class, ways[np.ix_(rows, known)] - together, 0.0),
        "oldest_holds": np.where(has_class & (rest > 1), holds, 0.0),
    }


def of_stream(compared: Compared, hard: Hardness, groups: int, hold: float, early: float) -> dict[str, float]:
    """What the stream is like, around what is usual."""
    ratio, cosine = compared.succession, hard.scores["cosine"]
    return {
        "one": 1.0,
        "whole": compared.whole,
        "occasions": compared.occasions / 3,
        "succession": 0.0 if ratio is None else 4 * (ratio - 0.8),
        "early": early,
        "exposures": float(np.log(len(compared.numbers))) - 3,
        "groups": float(np.log(groups)) - 2,
        "apart": (cosine.apart - 2) / 3 * hold,
        "apart_joint": (hard.scores["joint"].apart - 2) / 3 * hold,
        "genuine_mean": (cosine.genuine[0] - 0.8) * hold,
        "genuine_spread": 5 * (cosine.genuine[1] - 0.2) * hold,
        "impostor_mean": (cosine.impostor[0] - 0.3) * hold,
        "impostor_spread": 5 * (cosine.impostor[1] - 0.2) * hold,
        "usual_nearness": (hard.scores["nearness"].genuine[0] + 2) / 3 * hold,
        "agreement": 3 * (hard.agreement - 0.7),
        "mixing": 3 * (hard.mixing - 0.2),
        "nearest": 4 * (hard.nearest - 0.8),
        "usual_coherence": (hard.coherence - 0.7) * hold,
        "gap": 4 * (hard.gap - 0.25),
        "spread": 5 * (hard.spread - 0.2),
    }


def joint(around: Surroundings) -> Array:
    """The log odds of all exposures by the model of occasions, squashed; 0 where a group has nobody else."""
    seen, share = around.compared.bands, around.compared.share
    single = gathered(seen, share, np.arange(len(around.labels)))
    odds = with_rest(single, gathered(seen, share, around.labels), around.labels)
    found: Array = squashed(np.where(np.isfinite(odds), odds, 0.0))
    return found


def lead(values: Array, least: float) -> Array:
    """By how much each exceeds the best other of its row, which is never below ``least``."""
    top = np.sort(values, axis=1)[:, ::-1]
    second = np.maximum(top[:, 1:2], least) if values.shape[1] > 1 else np.full((len(values), 1), least)
    found: Array = values - np.where(values >= top[:, :1], second, top[:, :1])
    return np.where(np.isfinite(found), found, 0.0)


def distances(compared: Compared, inside: Array) -> tuple[Array, Array]:
    """Of each exposure from the mean of every group without it, in the directions that so few pictures can
    tell: beyond what noise explains in its standard deviations, and the logarithm over what is expected."""
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
    expected = 2 * float((told * seen.expected) @ seen.sizes)
    excess = np.clip(away / np.sqrt(2 * both + (0.1 * noise) ** 2), -1, 8)
    return excess, np.clip(np.log(np.maximum(away, 0.01 * expected) / expected), -4, 2)


def oldest(around: Surroundings) -> NDArray[np.intp]:
    """The row of the oldest exposure of every group's class; -1 where it has none."""
    found = np.full(int(around.labels.max()) + 1, -1, np.intp)
    for row in np.flatnonzero(around.classes != NO_CLASS)[::-1]:
        found[around.labels[row]] = row
    return found
