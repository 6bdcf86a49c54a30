from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ilap.core.rule import RULE
from ilap.learner.risk import sure_enough

AT_MOST, CREDIT = RULE.risk.at_most, RULE.risk.credit

shares = st.floats(0, 1)


def test_what_is_certain_is_always_taken() -> None:
    assert sure_enough(0.0, [0.5] * 300, risk=0.001)


def test_what_is_more_likely_wrong_than_right_is_never_taken() -> None:
    assert not sure_enough(AT_MOST + 0.01, [0.0] * 300, risk=0.99)


@given(shares, st.integers(1, 150), st.floats(0.001, 0.5))
def test_equally_doubtful_answers_are_taken_until_the_risk_is_spent(
    error: float, count: int, risk: float
) -> None:
    taken = sum(sure_enough(error, [error] * place, risk) for place in range(count))
    assert error * taken <= risk * (count + CREDIT) + 1e-9


@given(shares, st.lists(shares, max_size=50), st.floats(0.001, 0.5))
def test_a_smaller_error_is_taken_wherever_a_larger_one_is(
    error: float, before: list[float], risk: float
) -> None:
    if sure_enough(error, before, risk):
        assert sure_enough(error / 2, before, risk)
