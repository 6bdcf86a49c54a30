from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tiny
from ilap.backbones.resnet18 import Normalised
from ilap.checks.classifiers import make_classifier
from ilap.checks.digits import Exposures, Pixels
from ilap.core.errors import BadSetting
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.detect import odin
from ilap.detect.odin import Odin, Parameters, doubts, stepped


def test_the_paper_s_temperature_and_step_are_the_defaults() -> None:
    assert (Parameters().temperature, Parameters().epsilon) == (2.0, 0.0012)


def test_without_a_step_it_is_the_softmax_at_a_temperature() -> None:
    network = tiny.network()
    found, named = doubts(network.from_pixels, network.pixels(tiny.exposure()), temperature=2.0, step=0.0)
    assert found.tolist() == pytest.approx([1 - 0.6682, 1 - 0.6225, 0.5], abs=1e-4)  # of .7, .5 and 0
    assert named.tolist() == [0, 1, 0]


def test_a_step_of_four_hundredths_worked_by_hand() -> None:
    """A: red grows by .04 in both pixels, green falls by .04 where it is not 0 and by nothing through the
    rectifier where it is: features .84 and .08, half their doubled difference .76. B in the same way: .56.
    C: .44 and .36, .08."""
    network = tiny.network()
    found, _ = doubts(network.from_pixels, network.pixels(tiny.exposure()), temperature=2.0, step=255 * 0.04)
    assert found.tolist() == pytest.approx([1 - 0.6814, 1 - 0.6365, 1 - 0.5200], abs=1e-4)


def test_an_exposure_scores_the_mean_and_nothing_is_changed() -> None:
    network, memory = tiny.network(), tiny.memory((tiny.pool(tiny.A),) * 2, (tiny.pool(tiny.A),) * 2)
    finding = Odin(Parameters(0.5, 2.0, 0.04))(network, tiny.exposure(), memory, seed=0)
    assert finding.score == pytest.approx(0.3874, abs=1e-4)
    assert all(weight.grad is None for weight in network.model.parameters())


def test_a_gradient_of_nought_counts_as_positive() -> None:
    moved = stepped(lambda x: x * torch.tensor([1.0, 0.0, -1.0]), torch.tensor([[3.0, 0.0, 1.0]]), 1.0, 0.5)
    assert moved.tolist() == [[3.5, -0.5, 1.5]]


def test_a_step_at_the_pixels_is_a_step_by_the_std_of_each_channel_at_the_normalised_input() -> None:
    pixels = torch.full((1, 1, 1, 3), 128.0)
    normalised = Normalised()
    moved = stepped(lambda x: normalised(x).flatten(1), pixels, 2.0, 255 * 0.0012)
    away = (normalised(moved) - normalised(pixels)).flatten().abs()
    assert away.tolist() == pytest.approx([0.0012 / 0.229, 0.0012 / 0.224, 0.0012 / 0.225], rel=1e-3)


def test_the_whole_network_runs_where_activations_are_kept(exposures: Exposures) -> None:
    """Frozen part and trained part together give at the pixels what they give apart."""
    classifier: Any = make_classifier("network", Pixels(), trainable="last")
    pictures = exposures[0][0].pictures
    rows = classifier.samples(pictures)
    classifier = classifier.learn(Samples(0, rows, validation_mask(len(rows))), 0, Memory(24, 6), seed=0)
    held = Samples(0, rows, validation_mask(len(rows)), pictures)
    assert rows.dtype == np.float16
    with torch.no_grad():
        whole = classifier.from_pixels(classifier.pixels(held)).numpy()
    np.testing.assert_allclose(whole, classifier.logits(rows), atol=2e-3)
    with pytest.raises(BadSetting, match="take trainable=all, or samples that hold their pictures"):
        classifier.pixels(Samples(0, rows, validation_mask(len(rows))))


def test_the_grid_is_searched_by_the_lowest_fpr() -> None:
    novel = [False, False, True, True]
    scores = {
        (1.0, 0.0): [0.1, 0.6, 0.5, 0.9],
        (2.0, 0.0012): [0.1, 0.4, 0.5, 0.9],
        (10.0, 0.0): [0.9, 0.8, 0.1, 0.2],
    }
    assert odin.best(scores, novel) == (2.0, 0.0012)
    assert odin.best({}, novel) is None
    assert (2.0, 0.0012) in odin.GRID
