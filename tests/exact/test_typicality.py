"""What shows none of the known classes is called so, and few pictures of known classes are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ilap import Exposure, Learner
from ilap.backbones.prior import Prior
from ilap.backbones.stored import Cached
from ilap.checks.digits import Pixels
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.core.rule import RULE
from ilap.exact import exact, leave_one_out
from ilap.exact.exact import Exact
from ilap.exact.typicality import usual

KNOWN = range(5)


@pytest.fixture(scope="module")
def five_digits(lite0: Cached, exposures: dict[int, list[Exposure]]) -> tuple[Learner, Exact]:
    learner = Learner(backbone=lite0)
    for label in KNOWN:
        learner.teach(exposures[label][0])
        for shown in exposures[label][1:3]:
            learner.teach(shown, label)
    classifier = learner.state.classifier
    assert isinstance(classifier, Exact)
    return learner, classifier


def typical(learned: tuple[Learner, Exact], shown: list[Exposure]) -> np.ndarray:
    learner, classifier = learned
    return classifier.typicality(np.concatenate([learner.samples(e.pictures) for e in shown]))


def test_one_in_twenty_of_the_known_and_most_of_the_others_are_none_of_these(
    five_digits: tuple[Learner, Exact], exposures: dict[int, list[Exposure]]
) -> None:
    known = typical(five_digits, [exposures[label][3] for label in KNOWN])
    others = typical(five_digits, [exposures[label][3] for label in range(5, 10)])
    assert (known < 0.05).mean() < 0.12
    assert (others < 0.05).mean() > 0.8


def test_pictures_of_known_classes_are_as_typical_as_any_share(
    five_digits: tuple[Learner, Exact], exposures: dict[int, list[Exposure]]
) -> None:
    known = typical(five_digits, [exposures[label][3] for label in KNOWN])
    for share in (0.25, 0.5, 0.75):
        assert (known < share).mean() == pytest.approx(share, abs=0.12)


def test_where_very_many_were_learned_some_are_compared(
    five_digits: tuple[Learner, Exact],
) -> None:
    _, classifier = five_digits
    model = classifier.model
    for most in (200, 15, 7, 1):
        fewer = replace(RULE, naming=replace(RULE.naming, compared=most))
        some = usual(replace(model, frame=replace(model.frame, rule=fewer)))
        assert 0 < len(some.strangeness) <= most


def test_few_pictures_tell_by_their_spread(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0)
    for label in (0, 1):
        learner.teach(exposures[label][0].pictures[:8])
    classifier = learner.state.classifier
    assert isinstance(classifier, Exact)
    assert len(classifier.usual.strangeness) < RULE.naming.counted
    noise = [np.random.default_rng(i).integers(0, 256, (32, 32, 3), dtype=np.uint8) for i in range(5)]
    assert classifier.typicality(learner.samples(noise)).max() < 0.05
    own = classifier.typicality(learner.samples(exposures[0][1].pictures))
    assert np.median(own) > 0.05


def test_classes_of_one_picture_tell_nothing(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0)
    learner.teach(exposures[0][0].pictures[:1])
    classifier = learner.state.classifier
    assert isinstance(classifier, Exact)
    assert classifier.typicality(learner.samples(exposures[1][0].pictures)).tolist() == [1.0] * 30


def test_distances_left_out_are_those_of_a_classifier_that_has_not_seen_the_picture(pixels: Pixels) -> None:
    """Up to a factor that all classes share."""
    rng = np.random.default_rng(0)
    dim = pixels.dim
    ones = np.ones(dim, np.float32)
    prior = Prior(np.zeros(dim, np.float32), np.eye(dim, dtype=np.float32), separation=80.0, between=ones)
    shown = [rng.normal(size=(30, dim)) + rng.normal(size=dim) for _ in range(4)]

    def learned(without: int | None) -> Exact:
        classifier = exact.with_prior(pixels, prior)
        for number, class_id in enumerate((0, 1, 0, 2)):
            rows = shown[number]
            rows = rows[np.arange(len(rows)) != without] if number == 0 else rows
            seen = Samples(number, rows, validation_mask(len(rows)))
            classifier = classifier.learn(seen, class_id, Memory(40, 10), seed=0)
        return classifier

    whole, part = learned(None).model, learned(4).model
    exposure = whole.exposures[0].sums
    x, source = whole.frame.whiten(shown[0][[4]]), whole.frame.whiten(exposure.mean[None])
    weight = leave_one_out.picture_weight(np.array([float(exposure.count)]), whole.metric.weight)
    own = np.array([0])
    closed = leave_one_out.distances(x, x - source, weight, whole.means(), whole.counts[own], own)[0]
    away = part.frame.whiten(shown[0][[4]]) - part.means()
    factors = closed / (away**2).sum(1)
    np.testing.assert_allclose(factors, factors[0], rtol=1e-9)
