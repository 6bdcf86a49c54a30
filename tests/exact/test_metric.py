from __future__ import annotations

import numpy as np
import pytest

from ilap.exact.metric import SMALL, Metric, inverse_factor


def seen(count: int, dim: int, spread: float = 1.0, prior_known: bool = True) -> Metric:
    metric = Metric(np.zeros((dim, dim)), 0, prior_known)
    rows = np.random.default_rng(0).normal(size=(count, dim)) * spread
    return metric.add(rows - rows.mean(0)) if count else metric


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


def test_removing_what_was_added_gives_the_metric_before() -> None:
    metric = seen(50, 5)
    rows = np.random.default_rng(7).normal(size=(6, 5))
    residuals = rows - rows.mean(0)
    again = metric.add(residuals).remove(residuals)
    np.testing.assert_allclose(again.scatter, metric.scatter, atol=1e-12)
    assert again.freedom == metric.freedom


def test_removing_the_last_leaves_nothing_behind() -> None:
    rows = np.random.default_rng(7).normal(size=(6, 5))
    residuals = rows - rows.mean(0)
    empty = seen(0, 5).add(residuals).remove(residuals)
    assert empty.freedom == 0
    assert not empty.scatter.any()
