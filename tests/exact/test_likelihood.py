from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from ilap.core.rule import RULE
from ilap.exact.likelihood import chance_of_new, log_different, log_same, mean_distance

RULES = RULE.likelihood
ONE = np.array([1.0])


def same(distance: float, sd: float = 1.0) -> float:
    return float(log_same(np.array([distance]), np.array([sd]), RULES.strays, RULES.stray_width)[0])


def different(distance: float, mean: float, known: int = 10, sd: float = 1.0) -> float:
    found = log_different(np.array([distance]), np.array([sd]), np.array([0.1]), mean, 0.5, known, RULES)
    return float(found[0])


def test_the_density_of_two_classes_is_one() -> None:
    """Without the constant of a normal, sqrt(2 pi)."""
    area, _ = quad(lambda t: np.exp(different(t, 30.0)) / np.sqrt(2 * np.pi), -10, 2000, limit=400, points=[30])
    assert area == pytest.approx(1, abs=0.01)


def test_a_repeat_is_likely_near_nought_and_a_new_class_near_the_mean() -> None:
    assert same(0.0) > different(0.0, 30.0)
    assert same(30.0) < different(30.0, 30.0)


def test_strays_make_the_tail_heavier_and_leave_the_middle() -> None:
    plain = log_same(np.array([0.0, 6.0]), np.array([1.0, 1.0]), 0.0, 1.0)
    mixed = log_same(np.array([0.0, 6.0]), np.array([1.0, 1.0]), 0.05, 2.5)
    assert mixed[1] > plain[1] + 5
    assert mixed[0] == pytest.approx(plain[0], abs=0.06)


@given(st.floats(-50, 0))
def test_a_distance_far_below_nought_tells_no_more_than_one_spread_below(distance: float) -> None:
    assert same(min(distance, -1.0)) == same(-1.0)


@given(st.floats(0.5, 60), st.floats(0.5, 60))
def test_the_farther_the_likelier_two_classes_up_to_the_mean(a: float, b: float) -> None:
    near, far = sorted((a, b))
    odds = [same(t) - different(t, 60.0) for t in (near, far)]
    assert odds[0] >= odds[1] - 1e-9


def test_early_on_the_spread_of_class_distances_is_wider() -> None:
    assert different(300.0, 30.0, known=1) > different(300.0, 30.0, known=50)


def test_the_mean_distance_goes_from_the_prior_to_what_was_seen() -> None:
    early, late = (mean_distance(6.0, 30.0, exposures, RULES) for exposures in (2, 45))
    assert 6 < late < early < 30
    assert mean_distance(6.0, 30.0, 0, RULES) == 30.0
    assert mean_distance(-100.0, 30.0, 30, RULES) == RULES.least_mean * 30.0


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_chance_of_a_new_class_stays_within_its_bounds(known: int, more: int) -> None:
    assert RULES.least_new <= chance_of_new(known, known + more, RULES) <= RULES.most_new
