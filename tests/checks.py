"""What every classifier and every detector has to keep. A new one joins by lying in its folder: the tests in
classify/test_every_classifier.py and detect/test_every_detector.py go through the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ilap.backbones.contract import Backbone
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.errors import NothingLearned
from ilap.core.exemplars import Memory
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.metrics import auroc
from ilap.core.settings import resolve
from ilap.detect.contract import Detector, Finding
from ilap.learner.learner import Learner

Cut = dict[int, list[Exposure]]

TRAINED = {
    "detector": "confusion",
    "backbone": "small",
    "resolution": 16,
    "imbalance": 0.5,
    "theta": 0.6,
    "epochs": 12,
}
HEAD = {
    "detector": "confusion",
    "trainable": "head",
    "imbalance": 0.5,
    "theta": 0.6,
    "epochs": 12,
    "head_rate": 0.05,
}
CHANGES: dict[str, dict[str, Any]] = {
    "network": TRAINED,
    "bic": HEAD,
    "confident": {**HEAD, "head_rate": 0.002},
}
"""The settings with which a classifier is checked, where they are not those of the fast preset."""


def make_classifier(name: str, backbone: Backbone) -> Classifier:
    """A classifier that is cheap to check, on this backbone if it names none of its own."""
    changes = CHANGES.get(name, {})
    settings = resolve("fast", {"classifier": name, **changes})
    classifier: Classifier = registry.find("classifier", name)(
        settings, 0, None if "backbone" in changes else backbone
    )
    return classifier


def make_learner(name: str, backbone: Backbone, **changes: Any) -> Learner:
    """A learner that is cheap to check."""
    given = {**CHANGES.get(name, {}), **changes}
    if "backbone" not in given:
        given["backbone"] = backbone
    return Learner(classifier=name, **given)


MakeLearner = Callable[..., Learner]


def samples(classifier: Classifier, exposure: Exposure, number: int) -> Samples:
    rows = classifier.samples(exposure.pictures)
    return Samples(number, rows, validation_mask(len(rows)))


def taught(classifier: Classifier, exposures: Cut, labels: list[int]) -> tuple[Classifier, Memory]:
    """A classifier that has learned one exposure of each label, and its memory."""
    memory = Memory(24, 6)
    for class_id, label in enumerate(labels):
        seen = samples(classifier, exposures[label][0], class_id)
        classifier = classifier.learn(seen, class_id, memory, seed=0)
        memory = memory.remember(class_id, seen, classifier.features)
    return classifier, memory


# Classifiers


def knows_nothing_at_first(classifier: Classifier) -> None:
    assert classifier.classes == ()


def learning_leaves_the_old_one_as_it_was(classifier: Classifier, exposures: Cut) -> None:
    old, memory = taught(classifier, exposures, [0, 1, 2])
    rows = old.samples(exposures[3][0].pictures)
    before = old.probabilities(rows)
    new = old.learn(samples(old, exposures[3][0], 3), 3, memory, seed=0)
    assert old.classes == (0, 1, 2)
    assert new.classes == (0, 1, 2, 3)
    np.testing.assert_array_equal(old.probabilities(rows), before)


def a_trial_changes_nothing(classifier: Classifier, exposures: Cut) -> None:
    taught_one, memory = taught(classifier, exposures, [0, 1, 2])
    rows = taught_one.samples(exposures[0][1].pictures)
    before = taught_one.probabilities(rows)
    taught_one.trial(samples(taught_one, exposures[0][1], 3), memory, 0.5, seed=0)
    assert taught_one.classes == (0, 1, 2)
    np.testing.assert_array_equal(taught_one.probabilities(rows), before)


def the_same_seed_gives_the_same_trial(classifier: Classifier, exposures: Cut) -> None:
    taught_one, memory = taught(classifier, exposures, [0, 1, 2])
    again = samples(taught_one, exposures[1][1], 3)
    first, second = (taught_one.trial(again, memory, 0.5, seed=7) for _ in range(2))
    np.testing.assert_array_equal(first.after, second.after)
    np.testing.assert_array_equal(first.evidence, second.evidence)


def names_what_it_learned(classifier: Classifier, exposures: Cut) -> None:
    taught_one, _ = taught(classifier, exposures, [0, 1, 2, 3])
    for label in range(4):
        probabilities = taught_one.probabilities(taught_one.samples(exposures[label][2].pictures))
        np.testing.assert_allclose(probabilities.sum(1), 1)
        assert (probabilities.argmax(1) == label).mean() > 0.8


def a_discarded_class_is_gone_and_ids_stay(classifier: Classifier, exposures: Cut) -> None:
    taught_one, memory = taught(classifier, exposures, [0, 1, 2])
    left = taught_one.discard(1)
    assert left.classes == (0, 2)
    probabilities = left.probabilities(left.samples(exposures[2][1].pictures))
    assert probabilities.shape[1] == 2
    assert (probabilities.argmax(1) == 1).mean() > 0.8
    assert left.accuracies(memory.discard(1), (0, 2)).min() > 0.8


def accuracies_are_those_asked_for(classifier: Classifier, exposures: Cut) -> None:
    taught_one, memory = taught(classifier, exposures, [0, 1, 2])
    assert set(taught_one.touched(2)) >= {2}
    assert set(taught_one.touched(2)) <= {0, 1, 2}
    accuracies = taught_one.accuracies(memory, (2, 0))
    assert accuracies.shape == (2,)
    assert ((accuracies >= 0) & (accuracies <= 1)).all()


CLASSIFIER_CHECKS = [
    learning_leaves_the_old_one_as_it_was,
    a_trial_changes_nothing,
    the_same_seed_gives_the_same_trial,
    names_what_it_learned,
    a_discarded_class_is_gone_and_ids_stay,
    accuracies_are_those_asked_for,
]


# Detectors


Teach = Callable[[list[int]], tuple[Classifier, Memory]]
"""Gives a classifier that has learned one exposure of each label, and its memory."""


def classifier_for(detector: Detector) -> str:
    """The cheapest classifier that gives what a detector needs."""
    if "confidence" in detector.needs:
        return "confident"
    return "network" if detector.needs & {"logits", "gradients", "maps"} else "exact"


def found_by(detector: Detector, teach: Teach, exposures: Cut, labels: range) -> list[Finding]:
    """What a detector that knows 0, 1, 2 and 3 finds in a second exposure of some labels."""
    classifier, memory = teach([0, 1, 2, 3])
    return [detector(classifier, samples(classifier, exposures[k][1], 4), memory, seed=0) for k in labels]


def everything_is_new_at_first(detector: Detector, teach: Teach, exposures: Cut) -> None:
    classifier, memory = teach([])
    finding = detector(classifier, samples(classifier, exposures[0][0], 0), memory, seed=0)
    assert finding.kind == "new"
    assert finding.column is None
    assert np.isfinite(finding.score)


def repeats_score_lower_than_new_classes(detector: Detector, teach: Teach, exposures: Cut) -> None:
    """In the mean; and, but for what is read off a few epochs' logits or branch, nearly all of them."""
    repeats = [finding.score for finding in found_by(detector, teach, exposures, range(4))]
    new = [finding.score for finding in found_by(detector, teach, exposures, range(4, 10))]
    assert np.mean(repeats) < np.mean(new)
    ranked = auroc(repeats + new, [False] * 4 + [True] * 6)
    assert ranked is not None
    assert ranked >= (0.5 if detector.needs & {"logits", "confidence"} else 0.8)
    if detector.needs == {"trial"}:
        assert max(repeats) < min(new)


def a_finding_is_whole(detector: Detector, teach: Teach, exposures: Cut) -> None:
    for finding in found_by(detector, teach, exposures, range(10)):
        assert np.isfinite(finding.score)
        assert finding.drops.shape == (4,)
        assert ((finding.drops >= 0) & (finding.drops <= 1)).all()
        assert (finding.column is not None) == (finding.kind == "known")
        assert finding.reason


def repeats_are_named(detector: Detector, teach: Teach, exposures: Cut) -> None:
    """What decides by a drop has a threshold that always fits. What decides by a score is given one: above all
    scores everything is known, and repeats as the class that they are; below all everything is new."""
    if not hasattr(detector, "threshold"):
        named = found_by(detector, teach, exposures, range(4))
        assert [(finding.kind, finding.column) for finding in named] == [("known", k) for k in range(4)]
        return
    generous, strict = (replace(detector, threshold=mark) for mark in (1e9, -1e9))  # type: ignore[type-var]
    named = found_by(generous, teach, exposures, range(4))
    assert [(finding.kind, finding.column) for finding in named] == [("known", k) for k in range(4)]
    assert {finding.kind for finding in found_by(strict, teach, exposures, range(10))} == {"new"}


def the_same_seed_gives_the_same_finding(detector: Detector, teach: Teach, exposures: Cut) -> None:
    taught_one, memory = teach([0, 1, 2, 3])
    again = samples(taught_one, exposures[1][1], 4)
    first, second = (detector(taught_one, again, memory, seed=7) for _ in range(2))
    assert (first.kind, first.column, first.score) == (second.kind, second.column, second.score)


def the_order_of_rows_does_not_matter(detector: Detector, teach: Teach, exposures: Cut) -> None:
    """An exposure's score is a mean, or a trial in which the same pictures are held out."""
    taught_one, memory = teach([0, 1, 2, 3])
    forward = samples(taught_one, exposures[1][1], 4)
    backward = Samples(4, forward.rows[::-1], forward.held_out[::-1])
    first, second = (detector(taught_one, one, memory, seed=0) for one in (forward, backward))
    assert first.score == pytest.approx(second.score, rel=1e-3)


def detecting_changes_nothing(detector: Detector, teach: Teach, exposures: Cut) -> None:
    taught_one, memory = teach([0, 1, 2, 3])
    rows = taught_one.samples(exposures[1][1].pictures)
    before = taught_one.probabilities(rows)
    kept = {class_id: pool.origins.copy() for class_id, pool in memory.train.items()}
    detector(taught_one, samples(taught_one, exposures[1][1], 4), memory, seed=0)
    np.testing.assert_array_equal(taught_one.probabilities(rows), before)
    for class_id, origins in kept.items():
        np.testing.assert_array_equal(memory.train[class_id].origins, origins)


def one_known_class_and_one_picture_are_no_error(detector: Detector, teach: Teach, exposures: Cut) -> None:
    for labels in ([0], [0, 1, 2, 3]):
        taught_one, memory = teach(labels)
        one = Exposure([exposures[1][1].pictures[0]])
        finding = detector(taught_one, samples(taught_one, one, len(labels)), memory, seed=0)
        assert np.isfinite(finding.score)
        assert finding.drops.shape == (len(labels),)


DETECTOR_CHECKS = [
    everything_is_new_at_first,
    repeats_score_lower_than_new_classes,
    a_finding_is_whole,
    repeats_are_named,
    the_same_seed_gives_the_same_finding,
    the_order_of_rows_does_not_matter,
    detecting_changes_nothing,
    one_known_class_and_one_picture_are_no_error,
]


# Whole learners, by classifier


def naming_before_learning_says_so(make: MakeLearner, exposures: Cut) -> None:
    with pytest.raises(NothingLearned, match="observe an exposure first"):
        make().predict(exposures[0][0].pictures)


def the_order_of_pictures_does_not_matter(make: MakeLearner, exposures: Cut) -> None:
    forward, backward = make(), make()
    for label in (0, 1, 0, 2):
        pictures = list(exposures[label][0].pictures)
        a, b = forward.observe(pictures), backward.observe(pictures[::-1])
        assert (a.kind, a.class_id, a.score, a.drops) == (b.kind, b.class_id, b.score, b.drops)
    assert forward.classes == backward.classes


def the_same_seed_gives_the_same_decisions(make: MakeLearner, exposures: Cut) -> None:
    first, second = make(), make()
    for label, place in ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1)):
        a, b = first.observe(exposures[label][place]), second.observe(exposures[label][place])
        assert (a.kind, a.class_id, a.score, a.drops) == (b.kind, b.class_id, b.score, b.drops)


def two_learners_are_independent(make: MakeLearner, exposures: Cut) -> None:
    one, other = make(), make()
    one.observe(exposures[0][0])
    assert len(one.classes) == 1
    assert len(other.classes) == 0


def memory_stays_bounded(make: MakeLearner, exposures: Cut) -> None:
    learner = make(exemplars=40)
    for place in range(4):
        for label in (0, 1):
            learner.observe(exposures[label][place])
            memory = learner._state.memory
            assert all(len(pool) <= 32 for pool in memory.train.values())
            assert all(len(pool) <= 8 for pool in memory.val.values())
    assert max(len(known.exposures) for known in learner.classes.values()) > 1


def a_single_picture_is_no_error(make: MakeLearner, exposures: Cut) -> None:
    learner = make()
    for label in range(3):
        learner.observe(exposures[label][0])
    decision = learner.observe([exposures[0][1].pictures[0]])
    assert decision.kind in ("new", "known", "unsure")
    assert len(learner.classes) >= 1


def copies_of_one_picture_are_no_error(make: MakeLearner, exposures: Cut) -> None:
    learner = make()
    for label in (0, 1, 0):
        learner.observe([exposures[label][0].pictures[0]] * 10)
    assert learner.observe(exposures[2][0]).kind in ("new", "known", "unsure")
    assert np.isfinite(learner.predict(exposures[0][1].pictures).probabilities).all()


LEARNER_CHECKS = [
    copies_of_one_picture_are_no_error,
    naming_before_learning_says_so,
    the_order_of_pictures_does_not_matter,
    the_same_seed_gives_the_same_decisions,
    two_learners_are_independent,
    memory_stays_bounded,
    a_single_picture_is_no_error,
]
