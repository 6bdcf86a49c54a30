"""How well exposures were sorted and pictures are named (paper 4.2 to 4.4).

The truth is known to the metrics only, never to the learner. ``truth_of`` is the paper's m: the true class
that each learned class stands for, which is that of its founding exposure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.decision import Decision


def decision_is_right(
    decision: Decision, truth: int, truth_of: Mapping[int, int], lost: Collection[int] = ()
) -> bool:
    """*new* is right if no class stands for the truth yet, *known k* if class k stands for it, *unsure* never.
    ``truth_of`` is that from before the exposure. ``lost`` are truths whose class was given up: to found it
    again is not right once more.

    >>> new = Decision("new", 1, 0.0, {}, "", 1, 0.0)
    >>> decision_is_right(new, truth=7, truth_of={0: 3}), decision_is_right(new, truth=3, truth_of={0: 3})
    (True, False)
    """
    if decision.kind == "new":
        return truth not in truth_of.values() and truth not in lost
    return (
        decision.kind == "known" and decision.class_id is not None and truth_of.get(decision.class_id) == truth
    )


def accuracy(
    named: Sequence[int] | NDArray[Any], truths: Sequence[int] | NDArray[Any], truth_of: Mapping[int, int]
) -> float:
    """The mean of S(x, y) = 1/|m^-1(y)| if L(x) is in m^-1(y), else 0 (paper 4.4): a true class that was
    split into several counts for less, one that was never found not at all.

    >>> accuracy([0, 1, 2, 2], [5, 5, 6, 7], {0: 5, 1: 5, 2: 6})
    0.5
    """
    split_into = Counter(truth_of.values())
    scores = [
        1 / split_into[y] if truth_of.get(int(k)) == y else 0.0 for k, y in zip(named, truths, strict=True)
    ]
    return float(np.mean(scores)) if scores else 0.0


def unique_classes(truth_of: Mapping[int, int]) -> int:
    """How many true classes were found.

    >>> unique_classes({0: 5, 1: 5, 2: 6})
    2
    """
    return len(set(truth_of.values()))


def auroc(scores: Sequence[float], novel: Sequence[bool]) -> float | None:
    """The probability that a novel exposure scores higher than a repeated one; None if one kind is missing.

    >>> auroc([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    0.75
    """
    if not both(novel):
        return None
    repeats, found = counted(scores, novel)
    area = np.diff(repeats) @ (found[1:] + found[:-1]) / 2
    return float(area / (repeats[-1] * found[-1]))


def aupr(scores: Sequence[float], novel: Sequence[bool]) -> float | None:
    """Area under precision and recall, novel as positive, as average precision: trapezoids flatter where
    there are few exposures.

    >>> round(aupr([0.1, 0.4, 0.35, 0.8], [False, False, True, True]), 3)
    0.833
    """
    if not both(novel):
        return None
    repeats, found = counted(scores, novel)
    precision = found[1:] / (found[1:] + repeats[1:])
    return float(np.diff(found) @ precision / found[-1])


def fpr95(scores: Sequence[float], novel: Sequence[bool]) -> float | None:
    """The share of repeats taken for novel at the first threshold at which 95 % of the novel ones are found.

    >>> fpr95([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    0.5
    """
    if not both(novel):
        return None
    repeats, found = counted(scores, novel)
    return float(repeats[np.argmax(found >= 0.95 * found[-1])] / repeats[-1])


def counted(scores: Sequence[float], novel: Sequence[bool]) -> tuple[NDArray[Any], NDArray[Any]]:
    """How many repeats and how many novel exposures score at least a threshold, for every threshold from above
    all scores down to the lowest one: the points of a ROC curve, not yet divided by their number.

    >>> [counts.tolist() for counts in counted([0.1, 0.4, 0.4, 0.8], [False, False, True, True])]
    [[0, 0, 1, 2], [0, 1, 2, 2]]
    """
    order = np.argsort(scores, kind="stable")[::-1]
    ranked = np.asarray(scores, float)[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # of equal scores
    found = np.cumsum(np.asarray(novel, int)[order])[last]
    return np.append(0, 1 + last - found), np.append(0, found)


def both(novel: Sequence[bool]) -> bool:
    """Whether there are novel and repeated exposures."""
    return 0 < sum(novel) < len(novel)


def ari(assigned: Sequence[int | None], truths: Sequence[int]) -> float:
    """Adjusted Rand index (Hubert and Arabie, 1985) of the exposures' classes; every *unsure* exposure is a
    group of its own. Over pairs of exposures: (both - E) / ((true + found) / 2 - E), E = true found / all.

    >>> ari([0, 0, 1, 1], [4, 4, 9, 9])
    1.0
    """
    groups = [-1 - number if k is None else k for number, k in enumerate(assigned)]
    if not groups:
        return 1.0

    def pairs(counts: NDArray[Any]) -> float:
        return float((counts * (counts - 1) / 2).sum())

    _, row = np.unique(truths, return_inverse=True)
    _, column = np.unique(groups, return_inverse=True)
    together = pairs(np.unique(np.stack([row, column]), axis=1, return_counts=True)[1])
    true, found = pairs(np.bincount(row)), pairs(np.bincount(column))
    expected = true * found / max(pairs(np.array([len(groups)])), 1)
    if true + found == 2 * expected:  # all alone, or all together, in both
        return 1.0
    return (together - expected) / ((true + found) / 2 - expected)


def log_loss(shares: Sequence[float], least: float = 1e-3) -> float | None:
    """The mean of -ln p, where p is the probability that was given to the truth; None where there is none. A
    decision does not tell smaller probabilities than ``least``, so they count as that.

    >>> round(log_loss([1.0, 0.5, 0.0]), 3)
    2.534
    """
    return float(-np.log(np.clip(shares, least, 1)).mean()) if len(shares) else None


def ece(stated: Sequence[float], right: Sequence[bool], bins: int = 10) -> float | None:
    """Expected calibration error: answers are put in bins of equal width by the probability of being right that
    they stated; sum over bins of n_b / n |mean stated - share right| (Guo and others, "On calibration of modern
    neural networks", 2017).

    >>> round(ece([0.95, 0.95, 0.55, 0.55], [True, True, True, False]), 3)
    0.05
    """
    if not len(stated):
        return None
    said, true = np.asarray(stated, float), np.asarray(right, float)
    places = np.minimum((said * bins).astype(int), bins - 1)
    gaps = [abs((said - true)[places == b].sum()) for b in range(bins)]
    return float(sum(gaps) / len(said))


def wilson(rate: float, count: float, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share that was seen in ``count`` independent cases (Wilson, 1927), of 95 % by default:
    (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n).

    >>> [round(end, 3) for end in wilson(0.05, 100)]
    [0.022, 0.112]
    """
    middle = rate + z**2 / (2 * count)
    reach = z * np.sqrt(rate * (1 - rate) / count + z**2 / (4 * count**2))
    low, high = float(middle - reach) / (1 + z**2 / count), float(middle + reach) / (1 + z**2 / count)
    return max(0.0, min(low, rate)), min(1.0, max(high, rate))
