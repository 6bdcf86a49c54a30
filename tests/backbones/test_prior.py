from __future__ import annotations

import numpy as np
import pytest

from ilap.backbones import prior


def labelled(classes: int = 12, each: int = 50, dim: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(dim, dim))
    means = rng.normal(size=(classes, dim)) * 3
    rows = np.concatenate([mean + rng.normal(size=(each, dim)) for mean in means]) @ mixing
    return rows, np.repeat(np.arange(classes), each)


def test_differences_within_classes_are_alike_in_every_direction() -> None:
    rows, labels = labelled()
    made = prior.make(rows, labels, 20)
    projected = made.project(rows)
    residuals = projected - np.stack([projected[labels == label].mean(0) for label in labels])
    variances = residuals.var(0)
    assert variances.max() < 1.3
    correlations = np.corrcoef(residuals.T) - np.eye(20)
    assert np.abs(correlations).mean() < 0.1  # not 0: the shrinkage mixes them a little


def test_the_leading_directions_tell_classes_apart() -> None:
    rows, labels = labelled()
    projected = prior.make(rows, labels, 20).project(rows)
    means = np.stack([projected[labels == label].mean(0) for label in range(12)])
    between = means.var(0)
    assert between[:5].mean() > 4 * between[-5:].mean()


def test_separation_is_the_distance_of_neighbours_freed_of_noise() -> None:
    rng = np.random.default_rng(1)
    counts = np.full(40, 5)
    true = np.arange(40)[:, None] * np.array([[6.0] + [0.0] * 29])
    noisy = true + rng.normal(size=true.shape) / np.sqrt(5)
    assert prior.nearest(noisy, counts, noise=30.0) == pytest.approx(36, rel=0.3)


def test_without_a_prior_features_pass_as_they_are() -> None:
    with pytest.warns(UserWarning, match=r"ilap prior"):
        unknown = prior.load("nobody", 5)
    rows = np.arange(10, dtype=np.float32).reshape(2, 5)
    np.testing.assert_array_equal(unknown.project(rows), rows)
    assert not unknown.known
