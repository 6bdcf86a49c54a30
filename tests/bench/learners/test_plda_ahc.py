from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap.bench.learners.plda_ahc import Array, agglomerated, log_odds, normalised

BETWEEN = np.array([4.0, 2.0, 1.0, 0.5])
MEANS = st.lists(st.floats(-5, 5), min_size=4, max_size=4).map(np.array)


def odds(one: Array, n: float, other: Array, m: float) -> float:
    return float(log_odds(one, n, other[None], np.array([float(m)]), BETWEEN)[0])


def test_two_identical_far_points_show_one_thing_and_opposite_ones_do_not() -> None:
    far = np.array([5.0, 4.0, 2.0, 1.0])
    assert odds(far, 10, far, 10) > 10
    assert odds(far, 10, -far, 10) < -10


def test_one_picture_tells_little_and_many_tell_more() -> None:
    point = np.array([3.0, 1.0, 1.0, 0.0])
    assert 0 < odds(point, 1, point, 1) < odds(point, 10, point, 10)


@given(MEANS, MEANS, st.integers(1, 50), st.integers(1, 50))
def test_it_does_not_matter_which_came_first(one: Array, other: Array, n: int, m: int) -> None:
    assert odds(one, n, other, m) == pytest.approx(odds(other, m, one, n), abs=1e-8)


@given(MEANS, MEANS, st.integers(1, 20), st.integers(1, 20))
def test_the_odds_are_those_of_the_joint_gaussian(one: Array, other: Array, n: int, m: int) -> None:
    together = 0.0
    for d, psi in enumerate(BETWEEN):
        joint = np.array([[psi + 1 / n, psi], [psi, psi + 1 / m]])
        apart = np.diag(np.diag(joint))
        pair = np.array([one[d], other[d]])
        together += 0.5 * (
            np.log(np.linalg.det(apart) / np.linalg.det(joint))
            + pair @ (np.linalg.inv(apart) - np.linalg.inv(joint)) @ pair
        )
    assert odds(one, n, other, m) == pytest.approx(together, abs=1e-6)


def test_lengths_are_those_that_the_model_expects() -> None:
    vectors = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    scaled = normalised(vectors, np.array([5.0, 5.0]), BETWEEN)
    assert (scaled[0] ** 2 / (BETWEEN + 1 / 5)).sum() == pytest.approx(4)
    np.testing.assert_array_equal(scaled[1], 0)


def test_the_best_pairs_are_merged_and_strangers_are_left_alone() -> None:
    rng = np.random.default_rng(0)
    centres = np.array([[6.0, 0, 0, 0], [-6.0, 0, 0, 0], [0, 5.0, 0, 0]])
    vectors = np.repeat(centres, [3, 2, 1], axis=0) + rng.normal(0, 0.1, (6, 4))
    groups = agglomerated(vectors, np.full(6, 20.0), BETWEEN, 0.0)
    assert len(set(groups)) == 3
    assert len(set(groups[:3])) == len(set(groups[3:5])) == 1
    assert len(set(agglomerated(vectors, np.full(6, 20.0), BETWEEN, 1e6))) == 6
    assert len(set(agglomerated(vectors, np.full(6, 20.0), BETWEEN, -1e6))) == 1
