"""The nearest pairs of CIFAR-100's classes by the prior's metric (ILAP_DATA has to hold CIFAR-100).

    python benchmarks/similar_pairs.py [--pictures 100] [--pairs 10]

Each class is in one pair; distances are squared, freed of the noise of the two means.
"""

from __future__ import annotations

import argparse

import numpy as np

from ilap.backbones import prior
from ilap.backbones.load import load
from ilap.data import cifar100, cifar100_pairs


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=100, help="of every class")
    parser.add_argument("--pairs", type=int, default=10)
    given = parser.parse_args()
    data, backbone = cifar100.create(), load("lite0")
    known = prior.load(backbone.key, backbone.dim)
    means, traces = [], []
    for label in range(len(data.names)):
        rows = np.flatnonzero(data.train.labels == label)[: given.pictures]
        own = known.project(backbone.features([data.train.pictures[int(row)] for row in rows])).astype(float)
        means.append(own.mean(0))
        traces.append(own.var(0, ddof=1).sum())
    centres = np.array(means)
    away = ((centres[:, None] - centres) ** 2).sum(2) - 2 * np.mean(traces) / given.pictures
    away[np.tril_indices(len(away))] = np.inf
    used: set[int] = set()
    listed = {frozenset(pair) for pair in cifar100_pairs.PAIRS}
    for place in np.argsort(away, axis=None):
        a, b = map(int, np.unravel_index(place, away.shape))
        if len(used) == 2 * given.pairs:
            break
        if not used & {a, b}:
            used |= {a, b}
            names = data.names[a], data.names[b]
            mark = "" if frozenset(names) in listed else "   (not in cifar100_pairs)"
            print(f"{away[a, b]:6.1f}  {names[0]} and {names[1]}{mark}")


if __name__ == "__main__":
    main()
