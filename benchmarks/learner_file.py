"""A learner's file as it grows: 1,000 classes of 5 exposures each, synthetic features through the public API.

    python benchmarks/learner_file.py [--classes 1000] [--repeats 5] [--pictures 10]

Prints, at every fifth of the way, the size of the file, the time of an exposure with its commit, the time of a
decision alone (the same without the file) and the time to open; then how each grows from half to all.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilap import Exposure, Learner
from ilap.backbones import prior
from ilap.backbones.load import load


class Synthetic:
    """A backbone whose pictures carry their class and number: features with the statistics of the embedded
    backbone's, class means drawn with the prior's covariance between classes."""

    def __init__(self) -> None:
        real = load("lite0")
        self.key, self.dim = real.key, real.dim
        self.prior = prior.load(real.key, real.dim)
        self.back = np.linalg.pinv(self.prior.projection.astype(np.float64))

    def features(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = []
        for picture in pictures:
            class_id, number = np.frombuffer(picture.tobytes(), np.uint32)
            centre = np.random.default_rng([1, class_id]).normal(size=self.prior.dim)
            noise = np.random.default_rng([2, class_id, number]).normal(size=self.prior.dim)
            rows.append(centre * np.sqrt(self.prior.between) + noise)
        return (np.array(rows) @ self.back + self.prior.mean).astype(np.float32)


def exposure(class_id: int, repeat: int, pictures: int) -> Exposure:
    """Pictures of eight bytes: a class and a number."""
    pairs = np.array([(class_id, repeat * pictures + i) for i in range(pictures)], np.uint32)
    return Exposure([pair.view(np.uint8)[None] for pair in pairs])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pictures", type=int, default=10)
    parser.add_argument("--trial", type=int, default=20, help="exposures that are timed at every mark")
    given = parser.parse_args()
    backbone = Synthetic()
    order = np.random.default_rng(0).permutation(given.classes)
    total = given.classes * given.repeats
    marks = [round(total * part / 5) for part in range(1, 6)]
    heads = (("exposures", 10), ("classes", 9), ("MB", 9), ("ms/exposure", 13), ("ms/decision", 13))
    print("".join(f"{head:>{width}}" for head, width in (*heads, ("s to open", 11), ("right", 8))))
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.ilap"
        learner = Learner.open(path, backbone=backbone)
        right, seen, times, decisions = 0, dict[int, int](), list[float](), list[float]()
        for number in range(total):
            class_id, repeat = int(order[number // given.repeats]), number % given.repeats
            shown = exposure(class_id, repeat, given.pictures)
            timed = any(0 <= mark - number - 1 < given.trial for mark in marks)
            if timed:
                started = time.perf_counter()
                learner.detect(shown)
                decisions.append(time.perf_counter() - started)
            started = time.perf_counter()
            decision = learner.observe(shown)
            times.append(time.perf_counter() - started)
            right += decision.kind == ("known" if repeat else "new") and (
                not repeat or decision.class_id == seen[class_id]
            )
            if decision.class_id is not None:
                seen.setdefault(class_id, decision.class_id)
            if number + 1 in marks:
                known = len(learner.classes)
                learner.close()
                started = time.perf_counter()
                learner = Learner.open(path, backbone=backbone)
                opened = time.perf_counter() - started
                row = (
                    os.path.getsize(path) / 1e6,
                    1e3 * float(np.median(times[-given.trial :])),
                    1e3 * float(np.median(decisions[-given.trial :])),
                    opened,
                )
                figures.append(row)
                print(
                    f"{number + 1:>10}{known:>9}{row[0]:>9.1f}{row[1]:>13.0f}{row[2]:>13.0f}{row[3]:>11.2f}"
                    f"{right / (number + 1):>8.3f}",
                    flush=True,
                )
        learner.close()
    names = ("size", "time of an exposure", "time of a decision", "time to open")
    for i, name in enumerate(names):
        print(f"{name}: {figures[-1][i] / figures[1][i]:.2f} times from 2/5 to 5/5 (linear is 2.5)")


if __name__ == "__main__":
    main()
