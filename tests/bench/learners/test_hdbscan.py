from __future__ import annotations

import numpy as np

from ilap.bench.learners.hdbscan import Parameters, grouped


def around(*degrees: float) -> np.ndarray:
    angles = np.deg2rad(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], 1)


def test_what_points_the_same_way_is_a_group_and_noise_is_one_each() -> None:
    groups = grouped(around(0, 1, 2, 60, 61, 62, 200), Parameters())
    assert len(set(groups[:3])) == len(set(groups[3:6])) == 1
    assert groups[0] != groups[3]
    assert groups[6] not in groups[:6]


def test_groups_nearer_than_epsilon_are_one() -> None:
    apart = around(0, 1, 2, 30, 31, 32, 180, 181, 182)
    assert len(set(grouped(apart, Parameters()))) == 3
    assert len(set(grouped(apart, Parameters(cluster_selection_epsilon=0.3)))) == 2


def test_two_exposures_are_too_few_to_group() -> None:
    assert grouped(around(0, 1), Parameters()).tolist() == [0, 1]
