from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ilap.learner.risk import part_at_once, sure_enough

errors = st.lists(st.floats(0, 1), min_size=1, max_size=300)
risks = st.floats(0.001, 0.5)


def test_what_is_certain_is_always_taken() -> None:
    assert sure_enough(0.0, risk=0.001)


@given(errors, risks)
def test_whatever_comes_the_expected_share_of_wrong_answers_is_within_the_risk(
    errors: list[float], risk: float
) -> None:
    """At any time, and of any part of those that were taken."""
    taken = [error for error in errors if sure_enough(error, risk)]
    for start in range(len(taken)):
        assert np.mean(taken[start:]) <= risk + 1e-12
        assert np.mean(taken[: start + 1]) <= risk + 1e-12


def test_falling_errors_are_no_way_around_the_risk() -> None:
    falling = [0.49 - 0.001 * place for place in range(100)]
    assert not any(sure_enough(error, risk=0.01) for error in falling)


@given(st.floats(0, 1), risks)
def test_a_smaller_error_is_taken_wherever_a_larger_one_is(error: float, risk: float) -> None:
    if sure_enough(error, risk):
        assert sure_enough(error / 2, risk)


@given(st.integers(0, 10_000))
def test_the_part_of_the_risk_that_is_taken_at_once_grows_with_what_was_seen(seen: int) -> None:
    assert 0 <= part_at_once(seen, 20.0) < part_at_once(seen + 1, 20.0) < part_at_once(seen + 1, 0.0) == 1
