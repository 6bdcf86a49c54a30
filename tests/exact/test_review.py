"""What was split early is proposed for a merge, what was merged wrongly is seen to be two; nothing else is."""

from __future__ import annotations

import pytest

from ilap import Exposure, Learner
from ilap.backbones.stored import Cached
from ilap.exact import review
from ilap.exact.exact import Exact
from ilap.exact.review import health, proposals


def exact_of(learner: Learner) -> Exact:
    return learner.exact


def taught(exposures: dict[int, list[Exposure]], lite0: Cached, labels: tuple[int, ...]) -> Learner:
    """A learner that was told two exposures of each of these digits, as a class of their own."""
    learner = Learner(backbone=lite0)
    for class_id, label in enumerate(labels):
        first = 2 * labels[:class_id].count(label)
        learner.teach(exposures[label][first])
        learner.teach(exposures[label][first + 1], class_id)
    return learner


@pytest.fixture
def split(exposures: dict[int, list[Exposure]], lite0: Cached) -> Learner:
    return taught(exposures, lite0, (3, 1, 4, 3, 0))


def test_two_classes_of_one_thing_are_proposed_and_no_others(split: Learner) -> None:
    (found,) = review.likely_one(split.exact)
    assert (found.class_id, found.other) == (0, 3)
    assert found.probability > 0.9
    assert proposals(split.exact, apart={(0, 3)}) == []


def test_a_learner_of_one_class_or_none_has_nothing_to_propose(
    exposures: dict[int, list[Exposure]], lite0: Cached
) -> None:
    learner = Learner(backbone=lite0)
    assert review.likely_one(learner.exact) == []
    assert health(learner.exact, learner.state.memory) == []
    learner.teach(exposures[3][0])
    assert review.likely_one(learner.exact) == []
    (only,) = health(learner.exact, learner.state.memory)
    assert (only.look_alike, only.parts, only.purity) == (None, None, 1.0)


def test_a_class_of_two_things_falls_in_two(split: Learner) -> None:
    mixed = split.exact.move([2, 3], 0)
    found = review.likely_two(mixed, 0)
    assert found.probability > 0.9
    assert sorted((sorted(found.together), sorted(found.apart))) == [[0, 1], [2, 3]]
    whole = split.exact.move([6, 7], 0)
    assert review.likely_two(whole, 0).probability < 0.1
