"""The cosine of two exposures is that of their things, whatever noise and few pictures do to the means."""

from __future__ import annotations

import numpy as np
import pytest

from ilap.core.rule import RULE
from ilap.exact.bands import Bands
from ilap.exact.cosine import Cosines, cosines

DIM = 200


def world(count: int, seed: int, spread: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Means of so many pictures of thirty things, two exposures each, and which thing each shows."""
    rng = np.random.default_rng(seed)
    things = np.repeat(rng.normal(size=(30, DIM)) * 0.5, 2, axis=0) * spread
    return things + rng.normal(size=(60, DIM)) / np.sqrt(count), np.repeat(np.arange(30), 2)


def of_means(means: np.ndarray, count: float) -> Cosines:
    """Of means of so many pictures each, in one band in which things differ by .25 and pictures by 1."""
    many, dim = means.shape
    one, even = np.ones(1), np.ones(many)
    centre = means.sum(0) / (many + RULE.bands.centre)
    noise = np.full((1, many), 1 / count)
    starts = np.zeros(1, np.intp)
    return cosines(
        Bands(means, centre, even, starts, noise, 0.25 * one, 0.25 * one, dim * one, one), RULE.pairs
    )


def found(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    means, things = world(count, seed)
    made = of_means(means, count)
    same = (things[:, None] == things) & ~np.eye(60, dtype=bool)
    return made.values, np.sqrt(made.variances), same


@pytest.mark.parametrize("count", [3, 10, 100])
def test_two_exposures_of_one_thing_have_a_cosine_of_one_however_few_pictures(count: int) -> None:
    values, _, same = found(count)
    assert values[same].mean() == pytest.approx(1, abs=0.08)
    others = ~same & ~np.eye(60, dtype=bool)
    assert abs(values[others].mean()) < 0.1


@pytest.mark.parametrize("count", [5, 20])
def test_its_standard_deviation_is_within_the_one_told(count: int) -> None:
    """Of one thing it is less: noise along the mean makes the product and the lengths larger alike."""
    values, sd, same = found(count)
    assert 0.25 * sd[same].mean() < (values - 1)[same].std() < 1.4 * sd[same].mean()
    others = ~same & ~np.eye(60, dtype=bool)
    true, _, _ = found(100_000)
    assert (values - true)[others].std() == pytest.approx(sd[others].mean(), rel=0.4)


def test_the_length_of_a_mean_does_not_matter() -> None:
    """A dark or blurred exposure lies nearer to the centre in the same direction."""
    means, _ = world(1000, 1)
    dark = means.copy()
    dark[0] *= 0.4
    first, second = of_means(means, 1000), of_means(dark, 1000)
    assert first.values[0, 1] == pytest.approx(second.values[0, 1], abs=0.05)


def test_one_exposure_alone_and_equal_ones_are_no_error() -> None:
    for means in (np.ones((1, 4)), np.ones((3, 4)), np.zeros((2, 4))):
        made = of_means(means, 1)
        assert np.isfinite(made.values).all()
        assert np.isfinite(made.variances).all()
