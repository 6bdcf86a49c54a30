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
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ilap import Exposure, Learner
from ilap.backbones.load import load_backbone
from ilap.core.exposure import Picture, Samples, validation_mask
from ilap.exact.evidence import Traits
from ilap.exact.exact import Exact
from ilap.exact.metric import Metric
from ilap.exact.statistics import Learned, Member

SPREAD = 0.7  # of synthetic class means, in standard deviations within a class


class Timed:
    """The real backbone, with a clock."""

    def __init__(self, resolution: int) -> None:
        self._backbone = load_backbone("lite0", resolution, (7, 10))
        self.key, self.dim = self._backbone.key, self._backbone.dim
        self.seconds = 0.0

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """Forward, timed."""
        started = time.perf_counter()
        rows = self._backbone.features(pictures)
        self.seconds = time.perf_counter() - started
        return rows


def learner_of(classes: int, backbone: Timed) -> Learner:
    """A learner that has seen one exposure of 200 pictures of every class. The scatter is drawn once and
    scaled, so that a thousand classes are ready in seconds."""
    rng = np.random.default_rng(0)
    learner = Learner(backbone=backbone)
    state = learner._state
    classifier = state.classifier
    assert isinstance(classifier, Exact)
    dim = classifier.prior.dim
    rows = rng.normal(size=(2000, dim))
    exposures, memory = {}, state.memory
    for class_id in range(classes):
        mean = rng.normal(size=dim) * SPREAD
        learned = Learned(200, 200 * (mean + rng.normal(size=dim) / np.sqrt(200)))
        kept = Samples(class_id, (mean + rng.normal(size=(200, dim))).astype(np.float16), validation_mask(200))
        exposures[class_id] = Member(class_id, learned, kept.rows[:20], Traits(0.0, np.log(3 / dim)))
        memory = memory.remember(class_id, kept, classifier.features)
    learner._state = replace(
        state,
        classifier=replace(
            classifier,
            metric=Metric(rows.T @ rows * (199 * classes / 2000), 199 * classes, prior_known=True),
            exposures=exposures,
            by_class={class_id: member.learned for class_id, member in exposures.items()},
        ),
        memory=memory,
        sizes=(200,) * classes,
        members={class_id: (class_id,) for class_id in range(classes)},
        founded=classes,
    )
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
