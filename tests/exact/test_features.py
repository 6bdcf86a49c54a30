from __future__ import annotations

import numpy as np
import pytest

from ilap.core.exemplars import Memory
from ilap.exact.calibration import shipped
from ilap.exact.features import LIKENESS, UNLIKENESS, features, lead, nearest
from ilap.exact.surroundings import Surroundings, alike, gathering
from modelled import shown, world


def twice(seed: int = 0) -> Surroundings:
    """Six classes of one exposure each, and one more of each that waits."""
    learned, centres, rng = world(6, 20, seed)
    for label in range(6):
        learned = learned.see(shown(10 + label, centres[label], 20, rng))
    return gathering(learned.model, alike(learned.model, learned.model.seen))


def test_an_exposure_is_left_out_of_its_own_group() -> None:
    """So what it has with its group does not change whether it is in it."""
    around = twice()
    at = around.row(10)
    here = around.labels[at]
    inside = features(around, np.array([at]))
    alone = around.labels.copy()
    alone[at] = alone.max() + 1
    outside = features(Surroundings(around.compared, around.classes, alone, ()), np.array([at]))
    for name in ("joint", "nearest_joint", "stands_out", "coherence", "whole*excess", "noise*cosine"):
        assert inside.values[name][0, here] == pytest.approx(outside.values[name][0, here]), name
    assert not inside.empty[0, here]
    assert outside.empty[0, -1]


def test_all_are_finite_with_the_least_that_can_be_seen() -> None:
    learned, centres, rng = world(1, 1, 0)
    around = learned.around(shown(5, centres[0], 1, rng))
    found = features(around, np.array([around.row(5)]))
    for name, values in found.values.items():
        assert np.isfinite(values[~found.empty]).all(), name


def test_the_group_of_its_thing_has_the_best_of_everything() -> None:
    around = twice()
    rows = np.array([around.row(10 + label) for label in range(6)])
    right = around.labels[[around.row(label) for label in range(6)]]
    found = features(around, rows)
    for name in ("joint", "nearest_joint", "stands_out", "lead", "alike*cosine", "genuine_nearness"):
        values = np.where(found.empty, -np.inf, found.values[name])
        assert (values.argmax(1) == right).mean() > 0.8, name


def test_every_weight_that_is_shipped_is_of_a_feature_and_of_the_sign_that_it_has_to_have() -> None:
    found = features(twice(), np.array([0]))
    weights = shipped().weights
    assert weights.keys() == found.values.keys()
    assert min(weights[name] for name in LIKENESS) >= 0
    assert max(weights[name] for name in UNLIKENESS) <= 0


def test_the_oldest_of_a_class_tells_whether_it_mixes_two_things() -> None:
    learned, centres, rng = world(6, 12, 1)
    mixed = learned
    for number in (50, 51, 52):
        mixed = mixed.learn(shown(number, centres[1], 12, rng), 0, Memory(40, 10), 0)
    around = mixed.around(shown(60, centres[1], 12, rng))
    row, group = np.array([around.row(60)]), around.labels[around.row(0)]
    assert features(around, row).values["oldest"][0, group] < -0.3


def test_the_nearest_is_the_largest_of_the_others() -> None:
    pairs = np.array([[9.0, 1.0, 2.0, 5.0], [1.0, 9.0, 3.0, 4.0], [2.0, 3.0, 9.0, 6.0], [5.0, 4.0, 6.0, 9.0]])
    labels, rows = np.array([1, 0, 1, 2]), np.array([0, 3])
    empty = np.array([[False, False, False], [False, False, True]])
    np.testing.assert_array_equal(nearest(pairs, labels, rows, empty), [[1.0, 2.0, 5.0], [4.0, 6.0, 0.0]])


def test_a_lead_is_over_the_best_other() -> None:
    np.testing.assert_allclose(lead(np.array([[0.9, 0.2, 0.5]]), -0.5), [[0.4, -0.7, -0.4]])
    np.testing.assert_allclose(lead(np.array([[0.3]]), -0.5), [[0.8]])
