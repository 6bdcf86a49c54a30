from __future__ import annotations

import numpy as np
import pytest

from ilap.backbones.prior import Prior
from ilap.core.rule import RULE
from ilap.exact.frame import Frame
from ilap.exact.metric import Metric
from ilap.exact.statistics import Statistics, Sums, Traits


def seen(count: int, dim: int, spread: float = 1.0, prior_known: bool = True) -> Frame:
    """The frame of a metric that has seen so many residuals."""
    metric = Metric(np.zeros((dim, dim)), 0, prior_known)
    rows = np.random.default_rng(0).normal(size=(count, dim)) * spread
    ones = np.ones(dim, np.float32)
    prior = Prior(0 * ones, np.eye(dim, dtype=np.float32), separation=80.0, between=ones, known=prior_known)
    return Frame(metric.add(rows - rows.mean(0)) if count else metric, prior, RULE)


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
    frame = seen(count, dim)
    fresh = frame.whiten(np.random.default_rng(2).normal(size=(2000, dim)))
    assert frame.tr == pytest.approx((fresh**2).sum(1).mean(), rel=0.05)


@pytest.mark.parametrize("count", [20, 200, 2000])
def test_variances_in_every_direction_are_those_of_pictures_not_seen(count: int) -> None:
    dim = 300
    frame = seen(count, dim)
    fresh = frame.whiten(np.random.default_rng(2).normal(size=(2000, dim)))
    assert frame.residual_variances.sum() == pytest.approx((fresh**2).sum(1).mean(), rel=0.05)


def test_without_a_prior_the_scale_is_learned() -> None:
    frame = seen(1000, 20, spread=0.01, prior_known=False)
    assert frame.tr == pytest.approx(20, rel=0.1)


def test_a_mean_is_whitened_again_only_if_its_class_has_changed() -> None:
    frame = seen(50, 6)
    one, other = Sums(2, np.arange(6.0)), Sums(3, np.ones(6))
    first = frame.means({0: one, 1: other})
    np.testing.assert_allclose(first, frame.whiten(np.stack([one.mean, other.mean])))
    assert frame.means({0: one})[0] is not None
    grown = one + other
    np.testing.assert_allclose(frame.means({0: grown})[0], frame.whiten(grown.mean[None])[0])
    assert frame.known_means[1][0] is other


def test_the_mean_of_an_exposure_is_whitened_once() -> None:
    frame = seen(50, 6)
    rng = np.random.default_rng(1)
    exposures = {n: Statistics(0, Sums(4, rng.normal(size=6)), Traits()) for n in (3, 5)}
    alone = frame.seen({3: exposures[3]})
    both = frame.seen(exposures)
    np.testing.assert_array_equal(alone[0], both[0])
    np.testing.assert_allclose(both, frame.whiten(np.stack([own.sums.mean for own in exposures.values()])))
