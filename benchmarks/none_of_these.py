"""How often `ilap identify` calls a picture none of these: of known classes, and of others (needs ILAP_DATA).

    python benchmarks/none_of_these.py [--seeds 3]

A share of the classes is learned, told by a person, from a few exposures each; then single pictures that were
not learned are named, of the known classes and of as many others.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from ilap import Learner
from ilap.data.load import load
from ilap.keep.identify import identify

# data set, known classes, exposures of each, pictures in an exposure
STREAMS = (
    ("digits", 5, 3, 30),
    ("mnist", 5, 3, 50),
    ("mnist", 5, 3, 10),
    ("cifar10", 5, 3, 50),
    ("cifar10", 5, 3, 10),
    ("cifar100", 20, 2, 50),
    ("coil20", 10, 3, 12),
)
NAMED = 300  # pictures that are named, of known classes and of others


def shares(name: str, known: int, repeats: int, size: int, seed: int) -> tuple[float, float, float]:
    """The share of pictures called none of these, of known classes and of others, and the share of the former
    that is named right where it is named."""
    train = load(name).train
    rng = np.random.default_rng(seed)
    classes = rng.permutation(np.unique(train.labels))[: 2 * known]
    asked: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as folder, Learner.open(Path(folder) / "a.ilap") as learner:
        for place, label in enumerate(classes):
            rows = rng.permutation(np.flatnonzero(train.labels == label))
            for repeat in range(repeats if place < known else 0):
                own = rows[repeat * size : (repeat + 1) * size]
                learner.teach([train.pictures[int(row)] for row in own], place if repeat else None)
            rest = rows[repeats * size :][: NAMED // known]
            asked += [(place, int(row)) for row in rest]
        answers = identify(learner, [train.pictures[row] for _, row in asked])
    places = np.array([place for place, _ in asked])
    none = np.array([answer.class_id is None for answer in answers])
    right = np.array([answer.class_id == place for answer, place in zip(answers, places, strict=True)])
    inside = places < known
    return float(none[inside].mean()), float(none[~inside].mean()), float(right[inside & ~none].mean())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    print(
        f"{'data':<10}{'classes':>8}{'pictures':>12}{'known, none':>14}{'others, none':>14}{'named right':>13}"
    )
    for name, known, repeats, size in STREAMS:
        found = np.array([shares(name, known, repeats, size, seed) for seed in range(given.seeds)])
        told = "".join(f"{mean:>{width}.3f}" for mean, width in zip(found.mean(0), (14, 14, 13), strict=True))
        print(f"{name:<10}{known:>8}{f'{repeats} x {size}':>12}{told}", flush=True)


if __name__ == "__main__":
    main()
