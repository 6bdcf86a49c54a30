from __future__ import annotations

import numpy as np
import pytest
import torch

import tiny
from ilap.detect.gram import Gram, Parameters, row_sums, see

SUMS = [
    [1.48, 0.16, 1.0696, 0.1265],  # A: F = [[1, .6], [0, .2]], its channels add up to [1, .8]
    [0.20, 0.96, 0.1649, 0.6788],  # B: F = [[.2, 0], [.8, .4]], [1, .4]
    [0.64, 0.64, 0.3200, 0.3200],  # C: F = .4 everywhere, [.8, .8]
]


def memory() -> tiny.Memory:
    """P_train: A is of class 0, B of class 1. P_val: C and B."""
    return tiny.memory((tiny.pool(tiny.A), tiny.pool(tiny.B)), (tiny.pool(tiny.C), tiny.pool(tiny.B)))


def test_row_sums_of_both_powers() -> None:
    seen = see(tiny.network(), tiny.exposure().rows, powers=2)
    assert len(seen.layers) == 2  # the convolution, and the same through the rectifier
    for layer in seen.layers:
        np.testing.assert_allclose(layer, SUMS, atol=1e-4)


def test_row_sums_are_those_of_the_gram_matrix() -> None:
    maps = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for p in (1, 2, 3):
        gram = maps**p @ (maps**p).transpose(1, 2)
        sums = gram.sum(2)
        expected = sums.sign() * sums.abs() ** (1 / p)
        np.testing.assert_allclose(row_sums(maps, 3)[:, 3 * (p - 1) : 3 * p], expected, rtol=1e-12)


def test_the_tenth_power_of_large_activations_is_finite() -> None:
    assert torch.isfinite(row_sums(torch.full((1, 4, 9), 1e6), 10)).all()


def test_the_deviation_of_a_picture_from_its_predicted_class() -> None:
    """C is taken for class 0, which is A: .84 / 1.48 + .48 / .16 + .7496 / 1.0696 + .1935 / .1265 = 5.798, and
    that twice over, since the network is half sure."""
    train, seen = (see(tiny.network(), rows, 2) for rows in (np.stack([tiny.A, tiny.B]), tiny.C[None]))
    found = seen.deviations(train, np.array([0, 1]), mean=False)
    assert found.tolist() == [pytest.approx([11.596, 11.596], abs=2e-3)]


def test_an_exposure_scores_the_mean_of_sums_over_layers() -> None:
    """The mean deviation of P_val is that of C and of B, (11.596 + 0) / 2. C then scores 2 in each of two
    layers, A and B nothing."""
    finding = Gram(Parameters(1.0, "bounds", 2))(tiny.network(), tiny.exposure(), memory(), seed=0)
    assert finding.score == pytest.approx(4 / 3, abs=1e-4)
    assert finding.kind == "new"


def test_the_mean_variant_compares_with_the_mean_of_the_class() -> None:
    """Of A and C in class 0 the mean of the first number is 1.06: C is .42 / 1.06 below it, and so on."""
    train, seen = (see(tiny.network(), rows, 1) for rows in (np.stack([tiny.A, tiny.C]), tiny.C[None]))
    found = seen.deviations(train, np.array([0, 0]), mean=True)
    assert found.tolist() == [pytest.approx([2 * (0.42 / 1.06 + 0.24 / 0.40)] * 2, abs=1e-4)]


def test_a_class_that_no_training_picture_is_taken_for_is_compared_with_its_own() -> None:
    pools = (tiny.pool(tiny.A), tiny.pool(tiny.C))  # C is of class 1 but taken for class 0
    finding = Gram(Parameters(1.0, "bounds", 2))(
        tiny.network(), tiny.exposure(tiny.B), tiny.memory(pools, pools), seed=0
    )
    assert np.isfinite(finding.score)
    assert finding.score > 0
