from __future__ import annotations

import numpy as np
import pytest

from ilap.exact.features import features, lead
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
    for name in ("joint", "cosine", "shortfall", "stands_out", "excess", "distance", "members", "over_halves"):
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
    for name in ("joint", "cosine", "stands_out", "lead", "over_shares"):
        values = np.where(found.empty, -np.inf, found.values[name])
        assert (values.argmax(1) == right).mean() > 0.8, name


def test_a_lead_is_over_the_best_other() -> None:
    np.testing.assert_allclose(lead(np.array([[0.9, 0.2, 0.5]]), -0.5), [[0.4, -0.7, -0.4]])
    np.testing.assert_allclose(lead(np.array([[0.3]]), -0.5), [[0.8]])
