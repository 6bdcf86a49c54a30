from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilap.core.rule import RULE
from ilap.exact.belief import softmax
from ilap.exact.effect import NO_EFFECT, OFFSETS, Effect, effect

RIGHT = np.array([[False, True, False]])
NONE = np.array([[True, False, False]])


def test_without_an_answer_nothing_is_moved() -> None:
    assert effect(np.empty((0, 3)), np.empty((0, 4), bool), RULE.effect) == NO_EFFECT
    np.testing.assert_array_equal(NO_EFFECT(np.array([1.0, -2.0])), [1.0, -2.0])


def test_repeats_that_were_thought_unlikely_raise_the_odds_of_all_and_the_other_way_round() -> None:
    doubted = np.tile([-1.0, -3.0], (8, 1))
    assert effect(doubted, np.tile(RIGHT, (8, 1)), RULE.effect).offset > 0.3
    believed = np.tile([1.0, -3.0], (8, 1))
    assert effect(believed, np.tile(NONE, (8, 1)), RULE.effect).offset < -0.3


def test_answers_that_are_all_as_expected_make_it_surer() -> None:
    odds = np.array([[2.0, -2.0]] * 20 + [[-2.0, -2.0]] * 20)
    right = np.concatenate([np.tile(RIGHT, (20, 1)), np.tile(NONE, (20, 1))])
    assert effect(odds, right, RULE.effect).slope > 1.1


@settings(derandomize=True, deadline=None)  # the same examples every time: the bound below is close
@given(st.floats(-1.0, 1.0), st.floats(0.7, 1.4), st.integers(0, 5))
def test_many_answers_tell_the_effect_under_which_they_were_given(
    offset: float, slope: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 3, (800, 2))
    shares = softmax(Effect(offset, slope)(odds))
    drawn = (rng.random((800, 1)) > shares.cumsum(1)).sum(1)
    wide = replace(RULE.effect, offset=3.0, slope=1.0, slips=1e-3)
    found = effect(odds, np.eye(3, dtype=bool)[np.minimum(drawn, 2)], wide)
    step = OFFSETS[1] - OFFSETS[0]  # so many answers choose one point of the grid, which may be the next one
    assert found.offset == pytest.approx(offset, abs=step + 0.1)
    assert found.slope == pytest.approx(slope, rel=0.25)


def test_a_group_that_has_nobody_says_nothing() -> None:
    odds = np.array([[1.0, -np.inf]])
    assert np.isfinite(effect(odds, np.array([[False, True, False]]), RULE.effect).offset)
