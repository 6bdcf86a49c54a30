from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ilap.backbones.prior import Prior
from ilap.checks.digits import Pixels
from ilap.core.classifier import Trial
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.detect.confusion import Confusion, Parameters, collapsed, relative_drop
from ilap.detect.contract import Finding
from ilap.exact import exact

SHARES = arrays(float, 6, elements=st.floats(0, 1))


def blob(number: int, centre: float, count: int = 200, dim: int = 16, seed: int = 0) -> Samples:
    rows = np.random.default_rng([seed, number]).normal(size=(count, dim))
    rows[:, 0] += centre
    return Samples(number, rows, validation_mask(count))


def found(imbalance: float, centre: float, statistic: str = "drop") -> Finding:
    """Classes at 0 and at 20; the exposure is at ``centre``."""
    identity = Prior(
        np.zeros(16, np.float32), np.eye(16, dtype=np.float32), separation=80.0, between=np.ones(16, np.float32)
    )
    classifier, memory = exact.with_prior(Pixels(), identity), Memory(160, 40)
    for class_id, at in enumerate((0.0, 20.0)):
        seen = blob(class_id, at)
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    detector = Confusion(Parameters(imbalance, 0.12, statistic=statistic))
    return detector(classifier, blob(2, centre), memory, seed=0)


def drops(imbalance: float, centre: float) -> np.ndarray:
    return found(imbalance, centre).drops


@pytest.mark.parametrize(("imbalance", "expected"), [(0.5, 1.0), (0.0, 0.5)])
def test_the_same_distribution_twice_breaks_its_class(imbalance: float, expected: float) -> None:
    lost = drops(imbalance, centre=0.0)
    assert lost[0] == pytest.approx(expected, abs=0.05)
    assert lost[1] < 0.01


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
    lost = relative_drop(before, after)
    assert ((lost >= 0) & (lost <= 1)).all()
    assert (lost[after >= before] == 0).all()


@given(SHARES, st.floats(0, 1))
def test_the_class_named_has_the_largest_drop_and_it_exceeds_theta(lost: np.ndarray, theta: float) -> None:
    named = collapsed(lost, theta, np.zeros(len(lost)))
    if named is None:
        assert lost.max() <= theta
    else:
        assert lost[named] == lost.max() > theta


@pytest.mark.parametrize("centre", [0.0, 20.0, 3.0, -20.0])
def test_in_closed_form_drop_and_preference_say_the_same(centre: float) -> None:
    drop, preference = found(0.5, centre), found(0.5, centre, "preference")
    assert (drop.kind, drop.column) == (preference.kind, preference.column)
    np.testing.assert_allclose(drop.drops, preference.drops)


class Tried:
    """A classifier whose trial has come out already: class 0 lost its accuracy to a third class, class 1 gave
    most of its exemplars to the newcomer."""

    classes = (4, 7)

    def trial(self, *_: object) -> Trial:
        after = np.array([0.1, 0.2])
        return Trial(
            before=np.ones(2),
            after=after,
            after_at_least=after,
            evidence=np.zeros(2),
            resolved=np.ones(2, bool),
            prefers=np.array([0.1, 0.7]),
            newcomer=np.array([0.1, 0.6]),
        )


@pytest.mark.parametrize(("statistic", "column", "score"), [("drop", 0, -0.9), ("preference", 1, -0.7)])
def test_the_class_that_lost_most_and_the_class_that_the_newcomer_took_may_differ(
    statistic: str, column: int, score: float
) -> None:
    detector = Confusion(Parameters(0.5, 0.6, statistic=statistic))
    finding = detector(Tried(), blob(2, 0.0), Memory(1, 1), seed=0)  # type: ignore[arg-type]
    assert (finding.kind, finding.column, finding.score) == ("known", column, pytest.approx(score))
    strict = Confusion(Parameters(0.5, 0.95, statistic=statistic))
    assert strict(Tried(), blob(2, 0.0), Memory(1, 1), seed=0).kind == "new"  # type: ignore[arg-type]
