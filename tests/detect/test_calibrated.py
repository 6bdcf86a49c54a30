"""The likeliest answer is given, with the probability that it is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from ilap.core.exemplars import Memory
from ilap.detect.calibrated import Calibrated, Parameters, novelty
from modelled import DIM, shown, world

MEMORY = Memory(40, 10)
ASK = Calibrated(Parameters())


def test_probabilities_are_those_believed_and_the_error_is_what_is_left() -> None:
    learned, centres, rng = world(6, 12, 0)
    for label in range(6):
        exposure = shown(99, centres[label], 12, rng)
        found = ASK(learned, exposure, MEMORY, 0)
        believed = learned.belief(exposure)
        assert believed is not None
        assert found.probabilities is not None
        np.testing.assert_allclose(found.probabilities, [believed.new, *believed.known])
        assert found.error == pytest.approx(1 - found.probabilities.max())
        assert (found.kind, found.column) == ("known", label)


def test_what_is_far_from_all_is_new_and_scores_higher_than_a_repeat() -> None:
    learned, centres, rng = world(6, 12, 1)
    new = ASK(learned, shown(99, centres[0] + 8, 12, rng), MEMORY, 0)
    known = ASK(learned, shown(98, centres[0], 12, rng), MEMORY, 0)
    assert (new.kind, new.column) == ("new", None)
    assert new.score > 0 > known.score


def test_the_first_exposure_is_new_without_doubt() -> None:
    learned, _, rng = world(0, 12, 0)
    found = ASK(learned, shown(0, np.zeros(DIM), 12, rng), MEMORY, 0)
    assert (found.kind, found.error, found.drops.shape) == ("new", 0.0, (0,))


def test_lambda_changes_the_drops_that_are_told_and_no_decision() -> None:
    learned, centres, rng = world(6, 12, 2)
    exposure = shown(99, centres[3], 12, rng)
    low, high = (Calibrated(Parameters(imbalance))(learned, exposure, MEMORY, 0) for imbalance in (0.0, 0.9))
    assert (low.kind, low.column, low.error, low.score) == (high.kind, high.column, high.error, high.score)
    assert low.drops[3] < high.drops[3]


def test_novelty_is_cut_where_a_number_tells_no_more() -> None:
    assert novelty(np.array([1.0, 0.0]), largest=50.0) == 50.0
    assert novelty(np.array([0.0, 1.0]), largest=50.0) == -50.0
