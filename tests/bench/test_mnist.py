from __future__ import annotations

import os
from dataclasses import replace

import pytest

from ilap import Learner
from ilap.bench.learners.preset import Preset
from ilap.bench.run import Run
from ilap.bench.stream import make
from ilap.data import mnist
from ilap.data.contract import Labelled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("ILAP_DATA" not in os.environ, reason="ILAP_DATA does not name a folder with mnist/"),
]


@pytest.mark.parametrize(("preset", "changes"), [("paper", {"backbone": "small"}), ("fast", {})])
def test_mnist_is_sorted_without_labels(preset: str, changes: dict[str, str]) -> None:
    dataset = mnist.create()
    dataset = replace(dataset, test=Labelled(dataset.test.pictures[:1000], dataset.test.labels[:1000]))
    run = Run(Preset(Learner(preset, seed=0, **changes)), make(dataset, 100, repeats=3, seed=0))
    for _ in run:
        pass
    summary = run.summary()
    assert summary["right_at_end"] >= 27
    assert summary["unique_classes"] == 10
