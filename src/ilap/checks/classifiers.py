"""What every classifier has to keep, and a learner that is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ilap.backbones.contract import Backbone
from ilap.backbones.load import Given, Named
from ilap.checks.digits import Exposures, Pixels, exposures, samples, taught, without_prior
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.errors import NothingLearned
from ilap.core.settings import resolve
from ilap.learner.learner import Learner

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
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "network": TRAINED,
    "bic": HEAD,
    "confident": {**HEAD, "head_rate": 0.002},
}
"""The settings with which ours are checked, where they are not those of the fast preset."""

MakeLearner = Callable[..., Learner]


BOLD = 0.4  # a risk at which nearly all is decided at once


def make_classifier(name: str, backbone: Backbone, **changes: Any) -> Classifier:
    """A classifier that is cheap to check, on this backbone if its settings name none."""
    given = {**CHANGES.get(name, {}), **changes}
    settings = resolve("fast", {"classifier": name, **given})
    source = Named(settings.backbone) if "backbone" in given else Given(backbone)
    classifier: Classifier = registry.find("classifier", name)(settings.classifier.parameters, source, 0)
    return classifier


def make_learner(name: str, backbone: Backbone, **changes: Any) -> Learner:
    """A learner with this classifier that is cheap to check."""
    given = {"backbone": backbone, **CHANGES.get(name, {}), **changes}
    return Learner(classifier=name, **given)


def check_classifier(name: str, **changes: Any) -> None:
    """All checks, on the classifier of this name; ``changes`` are settings with which it is checked."""
    with without_prior():
        for check in CLASSIFIER_CHECKS:
            check(make_classifier(name, Pixels(), **changes), exposures())
        for whole in LEARNER_CHECKS:
            whole(partial(make_learner, name, Pixels(), **changes), exposures())


def knows_nothing_at_first(classifier: Classifier, shown: Exposures) -> None:
    """A new classifier has no class."""
    assert classifier.classes == ()


def has_the_basic_capabilities(classifier: Classifier, shown: Exposures) -> None:
    """Every classifier gives probabilities, features and trials."""
    assert {"probabilities", "features", "trial"} <= classifier.capabilities


def learning_leaves_the_old_one_as_it_was(classifier: Classifier, shown: Exposures) -> None:
    """A classifier is a value."""
    old, memory = taught(classifier, shown, [0, 1, 2])
    rows = old.samples(shown[3][0].pictures)
    before = old.probabilities(rows)
    new = old.learn(samples(old, shown[3][0], 3), 3, memory, seed=0)
    assert old.classes == (0, 1, 2)
    assert new.classes == (0, 1, 2, 3)
    np.testing.assert_array_equal(old.probabilities(rows), before)


def a_trial_changes_nothing(classifier: Classifier, shown: Exposures) -> None:
    """The copy that is trained is thrown away."""
    learned, memory = taught(classifier, shown, [0, 1, 2])
    rows = learned.samples(shown[0][1].pictures)
    before = learned.probabilities(rows)
    learned.trial(samples(learned, shown[0][1], 3), memory, 0.5, seed=0)
    assert learned.classes == (0, 1, 2)
    np.testing.assert_array_equal(learned.probabilities(rows), before)


def the_same_seed_gives_the_same_trial(classifier: Classifier, shown: Exposures) -> None:
    """To the bit."""
    learned, memory = taught(classifier, shown, [0, 1, 2])
    again = samples(learned, shown[1][1], 3)
    first, second = (learned.trial(again, memory, 0.5, seed=7) for _ in range(2))
    np.testing.assert_array_equal(first.after, second.after)
    np.testing.assert_array_equal(first.evidence, second.evidence)


def names_what_it_learned(classifier: Classifier, shown: Exposures) -> None:
    """Four pictures in five, of digits that it was taught once."""
    learned, _ = taught(classifier, shown, [0, 1, 2, 3])
    for label in range(4):
        probabilities = learned.probabilities(learned.samples(shown[label][2].pictures))
        np.testing.assert_allclose(probabilities.sum(1), 1)
        assert (probabilities.argmax(1) == label).mean() > 0.8


def a_discarded_class_is_gone_and_ids_stay(classifier: Classifier, shown: Exposures) -> None:
    """Columns follow the ids that are left."""
    learned, memory = taught(classifier, shown, [0, 1, 2])
    left = learned.discard(1)
    assert left.classes == (0, 2)
    probabilities = left.probabilities(left.samples(shown[2][1].pictures))
    assert probabilities.shape[1] == 2
    assert (probabilities.argmax(1) == 1).mean() > 0.8
    assert left.accuracies(memory.discard(1), (0, 2)).min() > 0.8


def accuracies_are_those_asked_for(classifier: Classifier, shown: Exposures) -> None:
    """In the order that was asked."""
    learned, memory = taught(classifier, shown, [0, 1, 2])
    assert {2} <= set(learned.affected(2)) <= {0, 1, 2}
    accuracies = learned.accuracies(memory, (2, 0))
    assert accuracies.shape == (2,)
    assert ((accuracies >= 0) & (accuracies <= 1)).all()


CLASSIFIER_CHECKS: list[Callable[[Classifier, Exposures], None]] = [
    knows_nothing_at_first,
    has_the_basic_capabilities,
    learning_leaves_the_old_one_as_it_was,
    a_trial_changes_nothing,
    the_same_seed_gives_the_same_trial,
    names_what_it_learned,
    a_discarded_class_is_gone_and_ids_stay,
    accuracies_are_those_asked_for,
]


def naming_before_learning_says_so(make: MakeLearner, shown: Exposures) -> None:
    """By name, in a sentence that says what to do."""
    try:
        make().predict(shown[0][0].pictures)
    except NothingLearned as error:
        assert "observe an exposure first" in str(error)
    else:
        raise AssertionError("a learner that knows nothing named a picture")


def the_order_of_pictures_does_not_matter(make: MakeLearner, shown: Exposures) -> None:
    """Unless it is said that they are in order."""
    forward, backward = make(), make()
    for label in (0, 1, 0, 2):
        pictures = list(shown[label][0].pictures)
        a, b = forward.observe(pictures), backward.observe(pictures[::-1])
        assert (a.kind, a.class_id, a.score, a.drops) == (b.kind, b.class_id, b.score, b.drops)
    assert forward.classes == backward.classes


def the_same_seed_gives_the_same_decisions(make: MakeLearner, shown: Exposures) -> None:
    """To the bit."""
    first, second = make(), make()
    for label, place in ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1)):
        a, b = first.observe(shown[label][place]), second.observe(shown[label][place])
        assert (a.kind, a.class_id, a.score, a.drops) == (b.kind, b.class_id, b.score, b.drops)


def two_learners_are_independent(make: MakeLearner, shown: Exposures) -> None:
    """What one learns the other does not know."""
    one, other = make(), make()
    one.observe(shown[0][0])
    assert len(one.classes) == 1
    assert len(other.classes) == 0


def memory_stays_bounded(make: MakeLearner, shown: Exposures) -> None:
    """However often a class comes."""
    learner = make(exemplars=40, risk=BOLD, caution=0)
    for place in range(4):
        for label in (0, 1):
            learner.observe(shown[label][place])
            memory = learner.state.memory
            assert all(len(pool) <= 32 for pool in memory.train.values())
            assert all(len(pool) <= 8 for pool in memory.val.values())
    assert max(len(known.exposures) for known in learner.classes.values()) > 1


def a_single_picture_is_no_error(make: MakeLearner, shown: Exposures) -> None:
    """Whatever is decided."""
    learner = make()
    for label in range(3):
        learner.observe(shown[label][0])
    decision = learner.observe([shown[0][1].pictures[0]])
    assert decision.kind in ("new", "known", "unsure")
    assert len(learner.classes) >= 1


def copies_of_one_picture_are_no_error(make: MakeLearner, shown: Exposures) -> None:
    """They have no spread to measure."""
    learner = make()
    for label in (0, 1, 0):
        learner.observe([shown[label][0].pictures[0]] * 10)
    assert learner.observe(shown[2][0]).kind in ("new", "known", "unsure")
    assert np.isfinite(learner.predict(shown[0][1].pictures).probabilities).all()


LEARNER_CHECKS: list[Callable[[MakeLearner, Exposures], None]] = [
    copies_of_one_picture_are_no_error,
    naming_before_learning_says_so,
    the_order_of_pictures_does_not_matter,
    the_same_seed_gives_the_same_decisions,
    two_learners_are_independent,
    memory_stays_bounded,
    a_single_picture_is_no_error,
]
