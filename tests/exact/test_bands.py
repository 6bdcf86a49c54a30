from __future__ import annotations

import numpy as np
import pytest

from ilap.core.rule import RULE
from ilap.exact.bands import learned_spread

SIZES = np.array([4.0, 200.0])
EXPECTED = np.array([1.0, 0.1])


def squares(spread: np.ndarray, noise: float, count: int, lengths: np.ndarray | float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(0)
    rows = [
        rng.normal(size=(int(size), count)) * np.sqrt(own + noise)
        for size, own in zip(SIZES, spread, strict=True)
    ]
    return np.stack([(own**2).mean(0) for own in rows]) * lengths


def test_variances_are_the_priors_before_anything_is_seen_and_the_streams_afterwards() -> None:
    truth = np.array([0.3, 0.2])
    found = {
        count: learned_spread(
            squares(truth, 0.1, count), np.full((2, count), 0.1), EXPECTED, SIZES, RULE.bands
        )[0]
        for count in (1, 3000)
    }
    assert found[3000] == pytest.approx(truth, rel=0.1)
    assert np.all(np.abs(np.log(found[1] / EXPECTED)) < 0.2)


def test_an_exposure_that_is_too_long_is_shortened() -> None:
    lengths = np.where(np.arange(100) < 50, 4.0, 1.0)
    noise = np.full((2, 100), 0.01)
    _, factor = learned_spread(squares(EXPECTED, 0.01, 100, lengths), noise, EXPECTED, SIZES, RULE.bands)
    assert (factor * lengths) == pytest.approx(np.full(100, np.mean(factor * lengths)), rel=0.5)
    assert factor[:50].mean() == pytest.approx(factor[50:].mean() / 4, rel=0.1)
