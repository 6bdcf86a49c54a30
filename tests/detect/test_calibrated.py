"""The likeliest answer is given, with the probability that it is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from ilap.core.exemplars import Memory
from ilap.core.rule import RULE
from ilap.detect.calibrated import Calibrated, Parameters, bridged, novelty
from ilap.exact.evidence import Evidence
from ilap.exact.exact import Exact
from ilap.exact.statistics import Traits
from modelled import DIM, shown, world

MEMORY = Memory(40, 10)
ASK = Calibrated(Parameters())


def seen(touch: list[float] | None, burst: float) -> Evidence:
    columns = np.arange(3)
    held = None if touch is None else np.array(touch)
    return Evidence(columns, np.zeros(3), 0.5, burst, held, 1.0, np.zeros((2, DIM)), Traits())


def test_probabilities_are_those_of_the_evidence_and_the_error_is_what_is_left() -> None:
    learned, centres, rng = world(6, 12, 0)
    for label in range(6):
        exposure = shown(99, centres[label], 12, rng)
        found = ASK(learned, exposure, MEMORY, 0)
        shares = learned.evidence(exposure).posterior(6)
        assert found.probabilities is not None
        np.testing.assert_allclose(found.probabilities, shares)
        assert found.error == pytest.approx(1 - shares.max())
        assert (found.kind, found.column) == ("known", label)


def test_what_is_far_from_all_is_new_and_scores_higher_than_a_repeat() -> None:
    learned, centres, rng = world(6, 12, 1)
    new = ASK(learned, shown(99, centres[0] + 8, 12, rng), MEMORY, 0)
    known = ASK(learned, shown(98, centres[0], 12, rng), MEMORY, 0)
    assert (new.kind, new.column) == ("new", None)
    assert new.score > 0 > known.score
    assert new.error is not None
    assert new.error < 0.05


def test_the_first_exposure_is_new_without_doubt() -> None:
    learned, _, rng = world(0, 12, 0)
    found = ASK(learned, shown(0, np.zeros(DIM), 12, rng), MEMORY, 0)
    assert (found.kind, found.error, found.drops.shape) == ("new", 0.0, (0,))


def mixed_class() -> tuple[Exact, np.ndarray, np.ndarray, np.random.Generator]:
    """Class 0 holds an exposure of its own thing and one of another that is not far; gives both means."""
    learned, centres, rng = world(5, 10, 1)
    other = centres[0].copy()
    other[:4] += 2.0
    return learned.learn(shown(50, other, 20, rng), 0, MEMORY, 0), centres[0], other, rng


def test_a_class_that_falls_in_two_gives_up_what_goes_with_the_exposure() -> None:
    learned, _, other, rng = mixed_class()
    found = ASK(learned, shown(51, other, 20, rng), MEMORY, 0)
    assert (found.kind, found.column) == ("new", None)
    assert found.leaving == (50,)
    assert "falls in two" in found.reason


def test_a_class_that_falls_in_two_keeps_its_founder() -> None:
    learned, own, _, rng = mixed_class()
    found = ASK(learned, shown(51, own, 20, rng), MEMORY, 0)
    assert (found.kind, found.column) == ("known", 0)
    assert found.leaving == (50,)


def test_lambda_changes_the_drops_that_are_told_and_no_decision() -> None:
    learned, centres, rng = world(6, 12, 2)
    exposure = shown(99, centres[3], 12, rng)
    low, high = (Calibrated(Parameters(imbalance))(learned, exposure, MEMORY, 0) for imbalance in (0.0, 0.9))
    assert (low.kind, low.column, low.error, low.score) == (high.kind, high.column, high.error, high.score)
    assert low.drops[3] < high.drops[3]


def test_novelty_is_cut_where_a_number_tells_no_more() -> None:
    assert novelty(np.array([1.0, 0.0]), largest=50.0) == 50.0
    assert novelty(np.array([0.0, 1.0]), largest=50.0) == -50.0


def test_a_burst_that_surely_touches_two_classes_makes_no_mistake_with_either() -> None:
    shares = np.array([0.1, 0.5, 0.3, 0.1])
    assert bridged(seen([5.0, 4.0, -1.0], burst=1.0), shares, 0, RULE.answer) == pytest.approx(0.3)
    assert bridged(seen([5.0, 2.0, -1.0], burst=1.0), shares, 0, RULE.answer) == 0.0
    assert bridged(seen([2.0, 4.0, -1.0], burst=1.0), shares, 0, RULE.answer) == 0.0
    assert bridged(seen([5.0, 4.0, -1.0], burst=0.4), shares, 0, RULE.answer) == 0.0
    assert bridged(seen(None, burst=0.0), shares, 0, RULE.answer) == 0.0
