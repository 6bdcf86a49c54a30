from __future__ import annotations

import numpy as np
import pytest

from ilap.exact.metric import SMALL, Metric, inverse_factor, noise_of


def seen(count: int, dim: int, spread: float = 1.0, prior_known: bool = True) -> Metric:
    metric = Metric(np.zeros((dim, dim)), 0, prior_known)
    rows = np.random.default_rng(0).normal(size=(count, dim)) * spread
    return metric.add(rows - rows.mean(0)) if count else metric


def test_before_anything_is_seen_the_prior_is_the_metric() -> None:
    rows = np.random.default_rng(1).normal(size=(3, 8))
    np.testing.assert_allclose(seen(0, 8).whiten(rows), rows)


def test_what_is_seen_often_becomes_the_metric() -> None:
    white = seen(100_000, 4, spread=3.0).whiten(np.eye(4) * 3)
    np.testing.assert_allclose(white @ white.T, np.eye(4), atol=0.03)


@pytest.mark.parametrize("count", [20, 200, 2000])
def test_tr_is_that_of_pictures_not_seen(count: int) -> None:
    """Also while few have been seen, when those seen look much nearer than they are."""
    dim = 300
    metric = seen(count, dim)
    fresh = metric.whiten(np.random.default_rng(2).normal(size=(2000, dim)))
    assert metric.tr == pytest.approx((fresh**2).sum(1).mean(), rel=0.05)


def test_a_single_picture_is_taken_to_be_like_those_before_it_with_a_wide_margin() -> None:
    metric = seen(500, 100)
    alone, many = (
        metric.noise(np.zeros((1, 100))),
        metric.noise(metric.whiten(np.random.default_rng(3).normal(size=(400, 100)))),
    )
    assert alone.tr == pytest.approx(many.tr, rel=0.1)
    assert alone.tr2 == pytest.approx(many.tr2, rel=0.3)
    share = np.array([1.0])
    assert alone.spread(share)[0] > 1.5 * many.spread(share)[0]


def test_two_pictures_tell_their_own_noise() -> None:
    metric = seen(500, 100)
    pair = np.random.default_rng(4).normal(size=(2, 100)) * 2
    assert metric.noise(pair - pair.mean(0)).tr == pytest.approx(400, rel=0.3)


@pytest.mark.parametrize("count", [10, 100])
def test_noise_is_measured_without_bias(count: int) -> None:
    rng = np.random.default_rng(5)
    scale = np.linspace(0.2, 2, 50)
    found = []
    for _ in range(300):
        rows = rng.normal(size=(count, 50)) * scale
        found.append(noise_of(rows - rows.mean(0)))
    assert np.mean([noise.tr for noise in found]) == pytest.approx((scale**2).sum(), rel=0.05)
    assert np.mean([noise.tr2 for noise in found]) == pytest.approx((scale**4).sum(), rel=0.15)


def test_without_a_prior_the_scale_is_learned() -> None:
    metric = seen(1000, 20, spread=0.01, prior_known=False)
    assert metric.tr == pytest.approx(20, rel=0.1)


def test_adding_leaves_the_old_metric_as_it_was() -> None:
    metric = seen(50, 5)
    scatter = metric.scatter.copy()
    metric.add(np.ones((4, 5)))
    np.testing.assert_array_equal(metric.scatter, scatter)
    assert metric.freedom == 49


@pytest.mark.parametrize("dim", [1, 5, 2 * SMALL - 1, 2 * SMALL, 301, 1024])
def test_factoring_by_halves_is_factoring(dim: int) -> None:
    rows = np.random.default_rng(3).normal(size=(dim + 20, dim))
    sigma = rows.T @ rows / len(rows) + 0.01 * np.eye(dim)
    whitener = inverse_factor(sigma)
    np.testing.assert_array_equal(whitener, np.tril(whitener))
    np.testing.assert_allclose(whitener @ np.linalg.cholesky(sigma), np.eye(dim), atol=1e-10)
