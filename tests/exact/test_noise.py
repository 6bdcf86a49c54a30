from __future__ import annotations

import numpy as np
import pytest

from ilap.core.rule import RULE
from ilap.exact.noise import Expected, estimate, noise_of, scales
from ilap.exact.statistics import Traits
from modelled import DIM


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


def test_the_noise_of_one_or_two_pictures_is_that_usual_in_the_stream() -> None:
    total = 12.0
    expected = Expected(total, white=0.05)
    usual = [Traits(log_tr=np.log(2.0), log_ratio=np.log(2.0))] * 5
    one = estimate(np.zeros((1, DIM)), expected, usual, RULE.noise).noise
    assert one.tr == pytest.approx(2 * total)
    assert one.tr2 == pytest.approx(0.1 * one.tr**2)
    many = estimate(np.random.default_rng(0).normal(size=(200, DIM)) * 3, expected, usual, RULE.noise)
    assert many.noise.tr == pytest.approx(9 * DIM, rel=0.1)  # 200 pictures speak for themselves
    assert many.log_tr == pytest.approx(np.log(9 * DIM / total), abs=0.1)


def test_a_single_picture_has_a_wider_margin_than_many() -> None:
    usual = [Traits(log_tr=0.0, log_ratio=0.0)] * 5
    rows = np.random.default_rng(3).normal(size=(400, 100))
    alone = estimate(np.zeros((1, 100)), Expected(100.0, 0.01), usual, RULE.noise).noise
    many = estimate(rows - rows.mean(0), Expected(100.0, 0.01), usual, RULE.noise).noise
    assert alone.tr == pytest.approx(many.tr, rel=0.1)
    assert alone.tr2 == pytest.approx(many.tr2, rel=0.3)
    share = np.array([1.0])
    assert alone.spread(share)[0] > 1.5 * many.spread(share)[0]


def test_two_pictures_move_the_estimate_towards_their_own_noise() -> None:
    usual = [Traits(log_tr=0.0, log_ratio=0.0)] * 5
    pair = np.random.default_rng(4).normal(size=(2, 100)) * 2
    found = estimate(pair - pair.mean(0), Expected(100.0, 0.01), usual, RULE.noise)
    assert 150 < found.noise.tr < 400
    assert found.log_ratio is None  # two pictures tell no tr2
    assert found.log_tr == pytest.approx(np.log(4), abs=0.3)


def test_copies_of_one_picture_have_no_noise_and_are_no_error() -> None:
    found = estimate(np.zeros((5, 10)), Expected(10.0, 0.1), [], RULE.noise)
    assert np.isfinite([found.noise.tr, found.noise.tr2, found.noise.tr_error]).all()


def test_before_any_exposure_the_expected_length_is_the_noise() -> None:
    assert estimate(np.zeros((1, 10)), Expected(7.0, 0.1), [], RULE.noise).noise.tr == 7.0


def test_what_was_seen_before_keeps_the_noise_that_it_had_then() -> None:
    """Its residuals are part of the metric by now, and look shorter than they were."""
    usual = [Traits(log_tr=0.0, log_ratio=0.0)] * 5
    shrunk = np.random.default_rng(6).normal(size=(50, 100)) * 0.5
    known = Traits(log_tr=float(np.log(1.2)), log_ratio=0.1)
    found = estimate(shrunk, Expected(100.0, 0.01), usual, RULE.noise, known)
    assert found.log_tr == pytest.approx(np.log(1.2))
    assert found.log_ratio == 0.1
    assert 100 < found.noise.tr < 125


def test_the_noise_of_many_exposures_is_that_of_each() -> None:
    traits = [Traits(np.log(2.0), 0.0), Traits(np.log(0.5), 0.0), Traits()]
    counts = np.array([200.0, 200.0, 1.0])
    found, ratio = scales(traits, counts, 0.01, RULE.noise)
    np.testing.assert_allclose(found, [2.0, 0.5, 1.0], rtol=0.01)
    assert ratio == pytest.approx(0.01)
