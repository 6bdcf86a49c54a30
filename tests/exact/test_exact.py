from __future__ import annotations

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from ilap.backbones.prior import Prior
from ilap.checks.digits import Pixels
from ilap.core.exemplars import Memory, merge
from ilap.core.exposure import Samples, validation_mask
from ilap.core.rule import RULE
from ilap.exact import exact
from ilap.exact.noise import noise_of
from ilap.exact.trial import share_taken

DIM = 12
IDENTITY = Prior(
    np.zeros(DIM, np.float32), np.eye(DIM, dtype=np.float32), separation=80.0, between=np.ones(DIM, np.float32)
)


def overlapping(number: int, class_id: int, count: int = 30) -> Samples:
    """Classes at random places, near enough to be confused, with unequal spread."""
    centre = np.random.default_rng(class_id).normal(size=DIM) * 0.4
    noise = np.random.default_rng(1000 + number).normal(size=(count, DIM)) * np.linspace(0.5, 2, DIM)
    return Samples(number, centre + noise, validation_mask(count))


def learned(order: list[tuple[int, int]]) -> tuple[exact.Exact, Memory]:
    classifier, memory = exact.with_prior(Pixels(), IDENTITY), Memory(40, 10)
    for number, class_id in order:
        seen = overlapping(number, class_id)
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    return classifier, memory


STREAM = [(0, 0), (1, 1), (2, 0), (3, 2), (4, 1), (5, 3), (6, 0)]


def test_another_order_gives_the_same_classifier() -> None:
    rows = overlapping(99, 0, 50).rows
    straight, _ = learned(STREAM)
    turned, _ = learned(STREAM[::-1])
    assert straight.classes == turned.classes
    np.testing.assert_allclose(straight.probabilities(rows), turned.probabilities(rows), rtol=0, atol=1e-10)
    a, b = (c.trial(overlapping(50, 2), Memory(40, 10), 0.5, seed=0) for c in (straight, turned))
    np.testing.assert_allclose(a.after, b.after, atol=1e-10)


def test_it_equals_training_on_all_at_once() -> None:
    """The discriminant of pooled data, written down without any of the classifier's code."""
    classifier, _ = learned(STREAM)
    rows = overlapping(99, 0, 50).rows
    seen = {number: overlapping(number, class_id).rows for number, class_id in STREAM}
    scatter = sum((r - r.mean(0)).T @ (r - r.mean(0)) for r in seen.values())
    dof = sum(len(r) - 1 for r in seen.values())
    precision = np.linalg.inv((RULE.metric.trust * np.eye(DIM) + scatter) / (RULE.metric.trust + dof))
    tr = np.trace(precision @ scatter) / dof
    tr /= 1 - tr / (RULE.metric.trust + dof)
    scores = []
    for class_id in range(4):
        own = np.concatenate([seen[number] for number, k in STREAM if k == class_id])
        away = rows - own.mean(0)
        scores.append(-0.5 * ((away @ precision * away).sum(1) - tr / len(own)))
    expected = scipy.special.softmax(np.stack(scores, 1) / RULE.naming.temperature, axis=1)
    np.testing.assert_allclose(classifier.probabilities(rows), expected, atol=1e-9)


def test_leaving_one_out_in_closed_form_equals_learning_without_it() -> None:
    classifier, memory = learned(STREAM)
    closed = classifier.accuracies(memory, (0, 1, 2, 3))
    for class_id in range(4):
        right = 0
        pool = merge(memory.val[class_id], memory.train[class_id]).first(10)
        for number, row in pool.origins.tolist():
            without = exact.with_prior(Pixels(), IDENTITY)
            for other, k in STREAM:
                seen = overlapping(other, k)
                kept = np.arange(len(seen)) != (row if other == number else -1)
                seen = Samples(other, seen.rows[kept], seen.held_out[kept])
                without = without.learn(seen, k, memory, seed=0)
            x = overlapping(number, class_id).rows[[row]]
            right += without.probabilities(x).argmax() == class_id
        assert closed[class_id] == pytest.approx(right / len(pool))
    assert 0.2 < closed.mean() < 0.95  # hard enough to tell


def test_remembered_means_are_those_of_the_class_as_it_is_now() -> None:
    """Moving an exposure changes two means and leaves the frame, which remembers means, as it was."""
    classifier, _ = learned(STREAM)
    every = np.arange(4)
    before = classifier.model.means(every)
    moved = classifier.move([STREAM[0][0]], STREAM[1][1]).model
    assert moved.frame is classifier.model.frame
    expected = moved.frame.whiten(np.stack([moved.by_class[k].mean for k in moved.classes]))
    np.testing.assert_allclose(moved.means(every), expected, atol=1e-12)
    np.testing.assert_array_equal(classifier.model.means(every), before)


def test_a_neighbour_that_loses_nothing_is_not_looked_at_again() -> None:
    classifier, memory = exact.with_prior(Pixels(), IDENTITY), Memory(40, 10)
    for class_id, place in enumerate((0.0, 2.0, 60.0)):
        rows = np.random.default_rng(class_id).normal(size=(25, DIM))
        rows[:, 0] += place
        classifier = classifier.learn(Samples(class_id, rows, validation_mask(25)), class_id, memory, seed=0)
    assert classifier.affected(0) == (0, 1)
    assert classifier.affected(2) == (2,)


def test_a_picture_does_not_vouch_for_itself() -> None:
    """Two classes drawn from one distribution: naming what was learned looks easy, leaving one out does not."""
    rng = np.random.default_rng(0)
    prior = Prior(
        np.zeros(200, np.float32),
        np.eye(200, dtype=np.float32),
        separation=80.0,
        between=np.ones(200, np.float32),
    )
    classifier, memory = exact.with_prior(Pixels(), prior), Memory(80, 20)
    for class_id in range(2):
        seen = Samples(class_id, rng.normal(size=(25, 200)), validation_mask(25))
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    resubstituted = (classifier.probabilities(memory.train[0].samples).argmax(1) == 0).mean()
    assert resubstituted > 0.95
    assert classifier.accuracies(memory, (0, 1)).mean() < 0.7


def test_repeats_have_no_distance_at_any_size_and_noise_of_the_size_foretold() -> None:
    rng = np.random.default_rng(3)
    dim = 100
    prior = Prior(
        np.zeros(dim, np.float32),
        np.eye(dim, dtype=np.float32),
        separation=80.0,
        between=np.ones(dim, np.float32),
    )
    for count in (5, 20, 100):
        found, spread = [], []
        for _ in range(60):
            base = exact.with_prior(Pixels(), prior)
            old, new = (Samples(n, rng.normal(size=(count, dim)), validation_mask(count)) for n in range(2))
            trial = base.learn(old, 0, Memory(8, 2), seed=0).trial(new, Memory(8, 2), 0.5, seed=0)
            found.append(-trial.evidence[0])
            noise = noise_of(new.rows - new.rows.mean(0))
            spread.append(noise.spread(np.array([2 / count]))[0])
        assert abs(np.mean(found)) < 3 * np.mean(spread) / np.sqrt(60)
        assert np.std(found) == pytest.approx(np.mean(spread), rel=0.35)


def test_moving_to_another_class_changes_means_but_not_the_scatter() -> None:
    one, _ = learned([(0, 0), (1, 1), (2, 0)])
    other, _ = learned([(0, 0), (1, 1), (2, 1)])
    np.testing.assert_allclose(one.model.metric.scatter, other.model.metric.scatter, atol=1e-9)
    assert one.model.by_class[0].count == 60
    assert other.model.by_class[0].count == 30


@given(st.floats(0, 300), st.floats(0, 300), st.floats(0, 0.95))
def test_what_is_nearer_loses_more(near: float, far: float, imbalance: float) -> None:
    near, far = sorted((near, far))
    shares = share_taken(np.array([near, far]), imbalance)
    assert shares[0] >= shares[1] - 1e-12
    assert ((shares >= 0) & (shares <= 1)).all()


@given(st.floats(0, 300), st.floats(0, 0.95), st.floats(0, 0.95))
def test_more_imbalance_takes_more(distance: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    at = np.array([distance])
    assert share_taken(at, high)[0] >= share_taken(at, low)[0] - 1e-12
