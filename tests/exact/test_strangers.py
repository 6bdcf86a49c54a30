"""Pictures that do not belong are found where they are surely of another known class, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ilap.backbones.stored import Cached
from ilap.core.exemplars import Memory
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.rule import RULE
from ilap.exact.exact import Exact, with_prior
from ilap.exact.strangers import own_scores
from ilap.learner.learner import Learner
from modelled import DIM, PRIOR, Rows


def two_far_classes(rng: np.random.Generator) -> Exact:
    """At 0, and 12 standard deviations away."""
    learned = with_prior(Rows(), PRIOR)
    for class_id, at in enumerate((0.0, 12.0)):
        learned = learned.learn(around(class_id, at, 40, rng), class_id, Memory(40, 10), 0)
    return learned


def around(number: int, at: float, count: int, rng: np.random.Generator) -> Samples:
    rows = rng.normal(size=(count, DIM))
    rows[:, 0] += at
    return Samples(number, rows, validation_mask(count))


def mixed(first: int, second: int, rng: np.random.Generator) -> Samples:
    """So many pictures of the first class, then of the second."""
    rows = np.concatenate([around(9, 0.0, first, rng).rows, around(9, 12.0, second, rng).rows])
    return Samples(9, rows, validation_mask(first + second))


def test_those_of_another_known_class_are_found() -> None:
    rng = np.random.default_rng(0)
    found = two_far_classes(rng).strangers(mixed(17, 3, rng), 0)
    assert found.rows.tolist() == [17, 18, 19]
    assert found.class_id == 1


def test_a_pure_exposure_has_none_and_neither_has_one_that_is_too_small() -> None:
    rng = np.random.default_rng(1)
    learned = two_far_classes(rng)
    assert len(learned.strangers(around(9, 0.0, 20, rng), 0).rows) == 0
    few = RULE.strangers.enough - 1
    assert len(learned.strangers(mixed(few - 3, 3, rng), 0).rows) == 0


def test_without_a_class_the_majority_says_what_the_exposure_is() -> None:
    rng = np.random.default_rng(2)
    found = two_far_classes(rng).strangers(mixed(4, 16, rng), None)
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.class_id == 0


def test_a_burst_has_none() -> None:
    """Its pictures show one session, and are told from the class by more than noise."""
    rng = np.random.default_rng(3)
    learned = two_far_classes(rng)
    walk = np.cumsum(rng.normal(size=(20, DIM)) * 0.05, 0)
    exposure = Samples(9, walk, validation_mask(20), (), True)
    assert learned.sessions(exposure)
    assert len(learned.strangers(exposure, 0).rows) == 0


def test_nothing_known_nothing_strange() -> None:
    exposure = around(0, 0.0, 20, np.random.default_rng(4))
    assert len(with_prior(Rows(), PRIOR).strangers(exposure, None).rows) == 0


def test_a_picture_is_compared_with_the_mean_of_the_others() -> None:
    pictures = np.array([[0.0], [2.0], [4.0]])
    inside = np.array([True, True, False])
    # 0 with the mean 2 of the other, 2 with the mean 0, 4 with the mean 1 of both; tr is 0
    np.testing.assert_allclose(own_scores(pictures, inside, 0.0), [0 - 2.0, 0 - 0.0, 4 - 0.5])


def test_a_lower_certainty_finds_more() -> None:
    rng = np.random.default_rng(5)
    learned = two_far_classes(rng)
    near = around(9, 5.5, 20, rng)
    lax = replace(RULE, strangers=replace(RULE.strangers, sure=0.5))
    model = replace(learned.model, frame=replace(learned.model.frame, rule=lax))
    strict = learned.strangers(near, 1)
    assert len(replace(learned, model=model).strangers(near, 1).rows) >= len(strict.rows)


def test_strangers_are_found_and_left_out(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0, risk=0.5, caution=0)
    for label in range(5):
        learner.teach(exposures[label][0])
    pictures = [*exposures[0][1].pictures[:25], *exposures[3][1].pictures[:5]]
    decision = learner.observe(pictures)
    assert (decision.kind, decision.class_id) == ("known", 0)
    assert set(decision.strangers) <= set(range(25, 30))
    assert len(decision.strangers) >= 4
    assert learner.classes[0].pictures == 30 + 30  # the exposures' sizes; what was learned is less


def test_an_exposure_of_two_halves_is_unsure(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0)
    for label in range(5):
        learner.teach(exposures[label][0])
    decision = learner.observe([*exposures[1][1].pictures[:15], *exposures[4][1].pictures[:15]])
    assert decision.kind == "unsure"
    assert "two things" in decision.reason
