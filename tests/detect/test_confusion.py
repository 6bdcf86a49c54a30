from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ilap.backbones.prior import Prior
from ilap.checks.digits import Pixels
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.detect.confusion import Confusion, Parameters, collapsed, relative_drop
from ilap.exact import exact

SHARES = arrays(float, 6, elements=st.floats(0, 1))


def blob(number: int, centre: float, count: int = 200, dim: int = 16, seed: int = 0) -> Samples:
    rows = np.random.default_rng([seed, number]).normal(size=(count, dim))
    rows[:, 0] += centre
    return Samples(number, rows, validation_mask(count))


def drops(imbalance: float, centre: float) -> np.ndarray:
    """Classes at 0 and at 20; the exposure is at ``centre``."""
    identity = Prior(
        np.zeros(16, np.float32), np.eye(16, dtype=np.float32), separation=80.0, between=np.ones(16, np.float32)
    )
    classifier, memory = exact.with_prior(Pixels(), identity), Memory(160, 40)
    for class_id, at in enumerate((0.0, 20.0)):
        seen = blob(class_id, at)
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    return Confusion(Parameters(imbalance, 0.12))(classifier, blob(2, centre), memory, seed=0).drops


@pytest.mark.parametrize(("imbalance", "expected"), [(0.5, 1.0), (0.0, 0.5)])
def test_the_same_distribution_twice_breaks_its_class(imbalance: float, expected: float) -> None:
    found = drops(imbalance, centre=0.0)
    assert found[0] == pytest.approx(expected, abs=0.05)
    assert found[1] < 0.01


@pytest.mark.parametrize("imbalance", [0.0, 0.5])
def test_a_distribution_of_its_own_breaks_nothing(imbalance: float) -> None:
    assert drops(imbalance, centre=-20.0).max() < 0.01


def test_imbalance_widens_the_gap_between_repeated_and_new() -> None:
    gaps = []
    for imbalance in (0.0, 0.3, 0.5):
        gaps.append(drops(imbalance, centre=0.0)[0] - drops(imbalance, centre=-20.0).max())
    assert gaps == sorted(gaps)
    assert gaps[-1] > gaps[0] + 0.3


@given(SHARES, SHARES)
def test_a_drop_is_a_share(before: np.ndarray, after: np.ndarray) -> None:
    found = relative_drop(before, after)
    assert ((found >= 0) & (found <= 1)).all()
    assert (found[after >= before] == 0).all()


@given(SHARES, st.floats(0, 1))
def test_the_class_named_has_the_largest_drop_and_it_exceeds_theta(found: np.ndarray, theta: float) -> None:
    named = collapsed(found, theta, np.zeros(len(found)))
    if named is None:
        assert found.max() <= theta
    else:
        assert found[named] == found.max() > theta
