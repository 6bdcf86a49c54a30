"""What every detector has to keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ilap.checks.classifiers import make_classifier
from ilap.checks.digits import Exposures, exposures, lite0, samples, taught
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Exposure, Samples
from ilap.core.metrics import auroc
from ilap.core.parameters import component
from ilap.detect.contract import Detector, Finding

Teach = Callable[[Sequence[int]], tuple[Classifier, Memory]]
"""Gives a classifier that has learned one exposure of each label, and its memory."""


@cache
def taught_once(classifier: str, labels: tuple[int, ...]) -> tuple[Classifier, Memory]:
    """Classifiers are values, so each is taught once for all checks."""
    return taught(make_classifier(classifier, lite0()), exposures(), labels)


def make_detector(name: str, **parameters: Any) -> Detector:
    """The detector of this name."""
    detector: Detector = registry.find("detector", name)(component("detector", name, parameters).parameters)
    return detector


def teach_for(detector: Detector) -> Teach:
    """The cheapest classifier that has the capabilities that a detector needs."""
    name = "exact"
    if "confidence" in detector.needs:
        name = "confident"
    elif detector.needs & {"logits", "gradients", "maps"}:
        name = "network"
    return lambda labels: taught_once(name, tuple(labels))


def check_detector(name: str, **parameters: Any) -> None:
    """All checks, on the detector of this name with these parameters."""
    detector = make_detector(name, **parameters)
    for check in DETECTOR_CHECKS:
        check(detector, teach_for(detector), exposures())


def found_by(detector: Detector, teach: Teach, shown: Exposures, labels: range) -> list[Finding]:
    """What a detector that knows 0, 1, 2 and 3 finds in a second exposure of some labels."""
    classifier, memory = teach([0, 1, 2, 3])
    return [detector(classifier, samples(classifier, shown[k][1], 4), memory, seed=0) for k in labels]


def everything_is_new_at_first(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """With nothing known."""
    classifier, memory = teach([])
    finding = detector(classifier, samples(classifier, shown[0][0], 0), memory, seed=0)
    assert finding.kind == "new"
    assert finding.column is None
    assert np.isfinite(finding.score)


def repeats_score_lower_than_new_classes(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """In the mean; and, but for what is read off a few epochs' logits or branch, nearly all of them."""
    repeats = [finding.score for finding in found_by(detector, teach, shown, range(4))]
    new = [finding.score for finding in found_by(detector, teach, shown, range(4, 10))]
    assert np.mean(repeats) < np.mean(new)
    ranked = auroc(repeats + new, [False] * 4 + [True] * 6)
    assert ranked is not None
    assert ranked >= (0.5 if detector.needs & {"logits", "confidence"} else 0.8)
    if detector.needs == {"trial"}:
        assert max(repeats) < min(new)


def a_finding_is_whole(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """A score, a share for every class, a reason, and a class where one is known."""
    for finding in found_by(detector, teach, shown, range(10)):
        assert np.isfinite(finding.score)
        assert finding.drops.shape == (4,)
        assert ((finding.drops >= 0) & (finding.drops <= 1)).all()
        assert (finding.column is not None) == (finding.kind == "known")
        assert finding.reason


def repeats_are_named(detector: Any, teach: Teach, shown: Exposures) -> None:
    """What decides by a drop has a threshold that always fits. What decides by a score is given one: above all
    scores everything is known, and repeats as the class that they are; below all everything is new."""
    parameters: Any = getattr(detector, "parameters", None)
    if not hasattr(parameters, "threshold"):
        named = found_by(detector, teach, shown, range(4))
        assert [(finding.kind, finding.column) for finding in named] == [("known", k) for k in range(4)]
        return
    generous, strict = (
        replace(detector, parameters=replace(parameters, threshold=mark)) for mark in (1e9, -1e9)
    )
    named = found_by(generous, teach, shown, range(4))
    assert [(finding.kind, finding.column) for finding in named] == [("known", k) for k in range(4)]
    assert {finding.kind for finding in found_by(strict, teach, shown, range(10))} == {"new"}


def the_same_seed_gives_the_same_finding(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """To the bit."""
    learned, memory = teach([0, 1, 2, 3])
    again = samples(learned, shown[1][1], 4)
    first, second = (detector(learned, again, memory, seed=7) for _ in range(2))
    assert (first.kind, first.column, first.score) == (second.kind, second.column, second.score)


def the_order_of_rows_does_not_matter(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """An exposure's score is a mean, or a trial in which the same pictures are held out."""
    learned, memory = teach([0, 1, 2, 3])
    forward = samples(learned, shown[1][1], 4)
    backward = Samples(4, forward.rows[::-1], forward.held_out[::-1])
    first, second = (detector(learned, one, memory, seed=0) for one in (forward, backward))
    np.testing.assert_allclose(first.score, second.score, rtol=1e-3, atol=1e-12)


def detecting_changes_nothing(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """Neither the classifier nor its memory."""
    learned, memory = teach([0, 1, 2, 3])
    rows = learned.samples(shown[1][1].pictures)
    before = learned.probabilities(rows)
    kept = {class_id: pool.origins.copy() for class_id, pool in memory.train.items()}
    detector(learned, samples(learned, shown[1][1], 4), memory, seed=0)
    np.testing.assert_array_equal(learned.probabilities(rows), before)
    for class_id, origins in kept.items():
        np.testing.assert_array_equal(memory.train[class_id].origins, origins)


def one_known_class_and_one_picture_are_no_error(detector: Detector, teach: Teach, shown: Exposures) -> None:
    """Whatever is found."""
    for labels in ([0], [0, 1, 2, 3]):
        learned, memory = teach(labels)
        one = Exposure([shown[1][1].pictures[0]])
        finding = detector(learned, samples(learned, one, len(labels)), memory, seed=0)
        assert np.isfinite(finding.score)
        assert finding.drops.shape == (len(labels),)


DETECTOR_CHECKS: list[Callable[[Detector, Teach, Exposures], None]] = [
    everything_is_new_at_first,
    repeats_score_lower_than_new_classes,
    a_finding_is_whole,
    repeats_are_named,
    the_same_seed_gives_the_same_finding,
    the_order_of_rows_does_not_matter,
    detecting_changes_nothing,
    one_known_class_and_one_picture_are_no_error,
]
