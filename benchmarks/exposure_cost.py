"""What one exposure costs, as a ratio to one forward pass of its pictures through the backbone.

    python benchmarks/exposure_cost.py

An exposure of 200 pictures is decided and learned by a learner that knows 10, 100 or 1,000 classes, one
forward pass included. The many classes are synthetic (normal features in the prior's coordinates); the forward
pass and everything else is real. Both are timed in turns in one run, and the median of the ratios counts:
machines are shared, and seconds do not compare.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ilap import Exposure, Learner
from ilap.backbones.load import load
from ilap.core.exposure import Picture
from synthetic import exact_of, teach

SPREAD = 0.7  # of synthetic class means, in standard deviations within a class


class Timed:
    """The real backbone, with a clock."""

    def __init__(self, resolution: int) -> None:
        self._backbone = load("lite0", resolution=resolution, taps=(7, 10))
        self.key, self.dim = self._backbone.key, self._backbone.dim
        self.seconds = 0.0

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """Forward, timed."""
        started = time.perf_counter()
        rows = self._backbone.features(pictures)
        self.seconds = time.perf_counter() - started
        return rows


def learner_of(classes: int, backbone: Timed) -> Learner:
    """A learner that has seen one exposure of 200 pictures of every class."""
    learner = Learner(backbone=backbone)
    dim = exact_of(learner).model.prior.dim
    teach(learner, np.random.default_rng(2).normal(size=(classes, dim)) * SPREAD, 200, kept=200)
    return learner


def main() -> None:
    """Time and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--classes", type=int, nargs="*", default=[10, 100, 1000])
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--resolution", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    backbone = Timed(arguments.resolution)
    rng = np.random.default_rng(1)
    exposures = [
        Exposure(rng.integers(0, 256, (arguments.pictures, 64, 64, 3), np.uint8))
        for _ in range(arguments.rounds + 1)
    ]
    rows = []
    for classes in arguments.classes:
        learner = learner_of(classes, backbone)
        ratios, forward, decide = [], [], []
        for exposure in exposures:
            started = time.perf_counter()
            learner.observe(exposure)
            whole = time.perf_counter() - started
            ratios.append(whole / backbone.seconds)
            forward.append(backbone.seconds)
            decide.append(whole - backbone.seconds)
        middle = [
            float(np.median(values[1:])) for values in (ratios, forward, decide)
        ]  # the first one warms up
        rows.append(
            {"classes": classes, "ratio": middle[0], "forward_seconds": middle[1], "rest_seconds": middle[2]}
        )
    if arguments.json:
        print(
            json.dumps(
                {"cores": os.cpu_count(), "machine": platform.processor() or platform.machine(), "rows": rows}
            )
        )
        return
    print(f"{arguments.pictures} pictures of {arguments.resolution} px, {os.cpu_count()} cores")
    print("classes  exposure / forward pass  forward pass  decision and update")
    for row in rows:
        print(
            f"{row['classes']:7}  {row['ratio']:23.2f}  "
            f"{row['forward_seconds']:10.3f} s  {row['rest_seconds']:17.3f} s"
        )


if __name__ == "__main__":
    main()
