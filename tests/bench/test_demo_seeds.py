from __future__ import annotations

import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.bench.learners.preset import Preset
from ilap.bench.run import Run
from ilap.bench.stream import make
from ilap.data.contract import Dataset


@pytest.mark.slow
@pytest.mark.parametrize("exposure_size", [10, 20, 40])
@pytest.mark.parametrize("seed", [0, 1, 2, *range(100, 110)])
def test_the_embedded_digits_are_sorted_right(
    seed: int, exposure_size: int, lite0: Cached, digits: Dataset
) -> None:
    run = Run(Preset(Learner(seed=seed, backbone=lite0)), make(digits, exposure_size, repeats=3, seed=seed))
    for _ in run:
        pass
    summary = run.summary()
    assert summary["right_at_end"] >= 0.95 * summary["exposures"]
    assert summary["unique_classes"] == summary["true_classes"] == 10
    lowest = {40: 0.95, 20: 0.92, 10: 0.9}  # a class split in two counts half
    assert summary["accuracy"] >= lowest[exposure_size]
