"""The ten nearest pairs of classes of CIFAR-100: what look-alikes cost (paper 5.3).

Nearest by the squared distance of class means in the coordinates of the embedded backbone's prior, freed of
noise, each class in one pair: from otter and seal (14) to pine and willow (36), where the median class has its
nearest neighbour at 66. benchmarks/similar_pairs.py finds them again.
"""

from __future__ import annotations

import numpy as np

from ilap.data import cifar100
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy

PAIRS = (
    ("otter", "seal"),
    ("girl", "woman"),
    ("boy", "man"),
    ("beaver", "shrew"),
    ("dolphin", "whale"),
    ("bed", "couch"),
    ("crab", "lobster"),
    ("bus", "streetcar"),
    ("mouse", "possum"),
    ("pine_tree", "willow_tree"),
)


def create() -> Dataset:
    """Read CIFAR-100 and keep these classes."""
    whole = cifar100.create()
    names = tuple(name for pair in PAIRS for name in pair)
    label = {whole.names.index(name): number for number, name in enumerate(names)}

    def only(part: Labelled) -> Labelled:
        rows = np.flatnonzero(np.isin(part.labels, list(label)))
        labels = np.array([label[int(old)] for old in part.labels[rows]], np.int64)
        return Labelled(Lazy(part.pictures.__getitem__, [int(row) for row in rows]), labels)

    return Dataset("cifar100_pairs", only(whole.train), only(whole.test), names)
