from __future__ import annotations

import numpy as np
import pytest

from ilap.bench.learners.vbx import SHIPPED, Parameters, mixed
from ilap.core.errors import BadSetting

BETWEEN = np.array([9.0, 9.0])
COUNTS = np.full(8, 20.0)
VECTORS = np.repeat([[5.0, 0.0], [-5.0, 0.0]], 4, axis=0) + np.random.default_rng(0).normal(0, 0.1, (8, 2))


@pytest.mark.parametrize("setting", SHIPPED)
def test_two_that_are_far_apart_stay_two(setting: str) -> None:
    groups = mixed(VECTORS, COUNTS, BETWEEN, np.repeat([0, 1], 4), *Parameters(setting).scales)
    assert len(set(groups[:4])) == len(set(groups[4:])) == 1
    assert groups[0] != groups[4]


def test_of_two_groups_that_are_near_one_is_given_up_where_fb_asks_for_it() -> None:
    start = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    near = np.array([[5.0, 0.0]] * 2 + [[5.0, 1.0]] * 2 + [[-5.0, 0.0]] * 4)
    found = [len(set(mixed(near, COUNTS, BETWEEN, start, 0.4, fb))) for fb in (64.0, 17.0, 6.0, 1.0)]
    assert found == [2, 2, 3, 3]


@pytest.mark.parametrize("fb", [0.01, 1.0, 64.0])
def test_a_group_that_lies_where_another_does_is_always_given_up(fb: float) -> None:
    start = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    assert len(set(mixed(VECTORS, COUNTS, BETWEEN, start, 0.4, fb))) == 2


def test_settings_are_named_and_fb_goes_before_them() -> None:
    assert Parameters("ami").scales == (0.4, 64.0)
    assert Parameters("ami", fb=2.0).scales == (0.4, 2.0)
    with pytest.raises(BadSetting, match="take ami or callhome"):
        Parameters("nist")
