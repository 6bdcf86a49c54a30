"""What clustering of all exposures at once would find: HDBSCAN over cosine distances (Campello, Moulavi and
Sander, "Density-based clustering based on hierarchical density estimates", 2013; scikit-learn's).

Groups have at least two exposures, and an exposure that is in none is a group of its own. Groups that part at
less than ``cluster_selection_epsilon`` stay one (Malzer and Baum, 2020). It sees the whole stream before it
says where each exposure is (``places``), which nobody can who has to answer as they come. As they come it
groups what there is so far, and the exposure is of the class that most of its group were taken for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.bench.learners.contract import Task
from ilap.bench.learners.grouping import Array, Grouping, given
from ilap.core.decision import Decision
from ilap.core.extras import needed_for
from ilap.core.parameters import at_least
from ilap.detect.distance import unit

PRESET = "fast"


@dataclass(frozen=True)
class Parameters:
    """scikit-learn's, but for groups that may have two members."""

    min_cluster_size: int = 2
    cluster_selection_epsilon: float = 0.0  # groups that are nearer than this are one

    def __post_init__(self) -> None:
        at_least("min_cluster_size", self.min_cluster_size, 2)
        at_least("cluster_selection_epsilon", self.cluster_selection_epsilon, 0)


class Hdbscan(Grouping):
    """Grouped anew with every exposure."""

    parameters: Parameters

    @property
    def facts(self) -> Mapping[str, float]:
        """The distance."""
        return {"threshold": self.parameters.cluster_selection_epsilon}

    def decide(self, number: int) -> Decision:
        """The class that most of its group so far were taken for, or a new one."""
        groups = grouped(self.centred(), self.parameters)
        others = [n for n in range(number) if groups[n] == groups[number]]
        taken = Counter(self.placed[n] for n in others).most_common(1)
        reason = f"grouped with {len(others)} exposures"
        return self.place(number, taken[0][0] if taken else None, -float(len(others)), reason)

    def places(self) -> dict[int, int]:
        """All exposures, grouped again."""
        return {number: int(group) for number, group in enumerate(grouped(self.centred(), self.parameters))}


def grouped(vectors: Array, parameters: Parameters) -> NDArray[np.intp]:
    """The group of every exposure; those that are noise have one each."""
    with needed_for("The learner hdbscan"):
        from sklearn.cluster import HDBSCAN

    if len(vectors) < max(3, parameters.min_cluster_size):
        return np.arange(len(vectors))
    model = HDBSCAN(min_cluster_size=parameters.min_cluster_size, metric="cosine", copy=True)
    found: NDArray[np.intp] = model.fit_predict(unit(vectors))
    if parameters.cluster_selection_epsilon:  # scikit-learn's own fails with numpy 2.4 (its issue 33219)
        cut = model.dbscan_clustering(parameters.cluster_selection_epsilon, parameters.min_cluster_size)
        found = joined(found, cut)
    alone = found < 0
    found[alone] = found.max(initial=-1) + 1 + np.arange(int(alone.sum()))
    return found


def joined(groups: NDArray[np.intp], cut: NDArray[np.intp]) -> NDArray[np.intp]:
    """Groups, but where the tree is cut at a distance and a piece holds all of a group and more, the piece.

    >>> joined(np.array([0, 0, 1, 1, 2, 2, -1]), np.array([0, 0, 0, 0, 1, 2, 0])).tolist()
    [0, 0, 0, 0, 2, 2, 0]
    """
    found = groups.copy()
    for piece in range(int(cut.max(initial=-1)) + 1):
        inside = set(groups[cut == piece]) - {-1}
        whole = [k for k in inside if (cut[groups == k] == piece).all()]
        if whole:
            found[cut == piece] = min(whole)
    return found


def create(task: Task) -> Hdbscan:
    """It needs no label and no hindsight."""
    return Hdbscan(*given(task, PRESET))
