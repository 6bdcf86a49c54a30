from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from ilap import Exposure, Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures, Pixels
from ilap.core.errors import BadExposure, BadFeatures
from ilap.core.exemplars import Memory
from ilap.core.exposure import Picture
from ilap.core.metrics import decision_is_right
from ilap.exact import exact

BOLD = 0.4
"""A risk at which nearly all is decided at once, for tests of what then follows."""

IGNORE_PRIOR = pytest.mark.filterwarnings("ignore:There is no prior")


def test_the_loop_sorts_digits(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0, risk=BOLD, caution=0)
    kinds = [
        learner.observe(exposures[label][place]) for label, place in ((3, 0), (8, 0), (3, 1), (5, 0), (8, 1))
    ]
    assert [(d.kind, d.class_id) for d in kinds] == [
        ("new", 0),
        ("new", 1),
        ("known", 0),
        ("new", 2),
        ("known", 1),
    ]
    assert [d.exposure for d in kinds] == [0, 1, 2, 3, 4]
    assert list(kinds[-1].drops) == [0, 1, 2]
    assert kinds[-1].drops[1] > 0.5 > max(kinds[-1].drops[0], kinds[-1].drops[2])
    assert all(d.seconds > 0 and d.reason for d in kinds)

    classes = learner.classes
    assert {k: known.exposures for k, known in classes.items()} == {0: (0, 2), 1: (1, 4), 2: (3,)}
    assert classes[0].pictures == 60

    named = learner.predict(exposures[5][1].pictures)
    assert named.classes == (0, 1, 2)
    assert named.probabilities.shape == (30, 3)
    assert (named.class_ids == 2).mean() > 0.9


def test_told_that_pictures_are_drawn_at_random_it_decides_at_once(lite0: Cached, exposures: Exposures) -> None:
    order = [(label, place) for place in (0, 1) for label in range(10)]
    found = {}
    for sampling in ("auto", "random"):
        learner = Learner(backbone=lite0, sampling=sampling)
        found[sampling] = [learner.observe(exposures[label][place]).kind for label, place in order]
    assert found["random"] == ["new"] * 10 + ["known"] * 10
    assert "unsure" in found["auto"]


def test_in_rounds_only_what_is_near_something_learned_is_asked_about_again(
    lite0: Cached, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Learner(backbone=lite0, risk=0.001)
    for place in (0, 1):
        for label in range(10):
            learner.observe(exposures[label][place])
    assert len(learner.waiting) > 1
    few = replace(learner.exact.rule, pairs=replace(learner.exact.rule.pairs, compared=5))
    model = learner.exact.model
    frame = replace(model.frame, rule=few)
    many = replace(learner.exact, model=replace(model, frame=frame))
    monkeypatch.setattr(exact, "NEAR", 1)
    number = learner.waiting[0]
    near = many.near_any([number])
    assert number in near
    assert len(near) == 2
    assert many.near_any([]) == set()
    assert learner.exact.near_any([number]) == set(range(20))  # few are all near


def test_exemplars_name_pictures_of_their_exposure(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0, exemplars=10)
    learner.observe(exposures[0][0])
    learner.observe(exposures[0][1])
    exemplars = learner.classes[0].exemplars
    assert len(exemplars) == 8
    assert len(set(exemplars)) == 8
    assert all(number in (0, 1) and row in range(30) for number, row in exemplars)


def test_a_single_picture_is_mostly_unsure(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0)
    for label in range(4):
        learner.observe(exposures[label][0])
    kinds = [learner.observe([exposures[label][2].pictures[i]]).kind for label in range(8) for i in range(3)]
    assert kinds.count("unsure") > len(kinds) / 2


def test_an_unsure_exposure_teaches_nothing_but_is_counted(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0, risk=0.001)
    learner.observe(exposures[0][0])
    learner.observe(exposures[1][0])
    before = learner.classes
    decision = learner.observe([exposures[0][1].pictures[0]])
    assert decision.kind == "unsure"
    assert decision.class_id is None
    assert decision.error is not None
    assert decision.error > learner.settings.risk
    assert "not sure enough" in decision.reason
    assert learner.classes == before
    assert learner.observe(exposures[2][0]).exposure == 3


def snapshot(learner: Learner, exposures: Exposures) -> tuple[Any, NDArray[np.float64]]:
    return learner.classes, learner.predict(exposures[0][3].pictures).probabilities


def broken(*_: Any, **__: Any) -> NoReturn:
    raise MemoryError("out of memory")


def interrupted(*_: Any, **__: Any) -> NoReturn:
    raise KeyboardInterrupt


@pytest.mark.parametrize("fault", [broken, interrupted])
@pytest.mark.parametrize(
    "place",
    [
        (exact.Exact, "samples"),
        (exact.Exact, "trial"),
        (exact.Exact, "learn"),
        (Memory, "remember"),
        (exact.Exact, "affected"),
        (exact.Exact, "accuracies"),
    ],
    ids=lambda place: place[1],
)
def test_whatever_fails_the_learner_is_as_it_was(
    place: tuple[type, str], fault: Any, lite0: Cached, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Learner(backbone=lite0, risk=BOLD, caution=0)
    untouched = Learner(backbone=lite0, risk=BOLD, caution=0)
    for label in range(3):
        learner.observe(exposures[label][0])
        untouched.observe(exposures[label][0])
    classes, probabilities = snapshot(learner, exposures)
    with monkeypatch.context() as patch:
        patch.setattr(*place, fault)
        with pytest.raises((MemoryError, KeyboardInterrupt)):
            learner.observe(exposures[4][0])
    after_classes, after_probabilities = snapshot(learner, exposures)
    assert after_classes == classes
    np.testing.assert_array_equal(after_probabilities, probabilities)
    again, expected = learner.observe(exposures[4][0]), untouched.observe(exposures[4][0])
    assert replace(again, seconds=0) == replace(expected, seconds=0)


@IGNORE_PRIOR
@pytest.mark.parametrize("bad", [[], [np.zeros((8, 8))], [np.zeros((8, 8, 5), np.uint8)]])
def test_a_bad_exposure_changes_nothing(bad: list[Any], pixels: Pixels, exposures: Exposures) -> None:
    learner = Learner(backbone=pixels)
    learner.observe(exposures[0][0])
    before = learner.classes
    with pytest.raises(BadExposure):
        learner.observe(bad)
    with pytest.raises(BadExposure):
        learner.predict(bad)
    assert learner.classes == before


@IGNORE_PRIOR
def test_features_that_are_not_finite_are_refused_by_picture(pixels: Pixels, exposures: Exposures) -> None:
    class Damaged(Pixels):
        def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
            rows = super().features(pictures)
            rows[[picture.max() == 77 for picture in pictures]] = np.nan
            return rows

    learner = Learner(backbone=Damaged())
    learner.observe(exposures[0][0])
    before = learner.classes
    pictures = [*exposures[1][0].pictures, np.full((8, 8), 77, np.uint8)]
    with pytest.raises(BadFeatures, match="picture 30: look at the picture"):
        learner.observe(Exposure(pictures, ordered=True))
    assert learner.classes == before
    assert learner.observe(exposures[1][0]).exposure == 1


def test_a_class_no_longer_recognised_is_discarded_and_its_id_not_used_again(
    lite0: Cached, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Learner(backbone=lite0, risk=0.8, caution=0)
    for label in (6, 4, 7):
        learner.observe(exposures[label][0])
    monkeypatch.setattr(
        exact.Exact,
        "accuracies",
        lambda self, memory, classes: np.array([0.19 if k == 1 else 0.2 for k in classes]),
    )
    monkeypatch.setattr(exact.Exact, "affected", lambda self, class_id: self.classes)
    decision = learner.observe(exposures[3][0])
    assert decision.class_id == 3
    assert decision.discarded == (1,)
    assert list(learner.classes) == [0, 2, 3]
    monkeypatch.undo()
    assert learner.observe(exposures[4][1]).class_id == 4


@IGNORE_PRIOR
def test_the_last_class_is_never_discarded(
    pixels: Pixels, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact.Exact, "accuracies", lambda self, memory, classes: np.zeros(len(classes)))
    learner = Learner(backbone=pixels)
    learner.observe(exposures[0][0])
    assert len(learner.classes) == 1
    learner.observe(exposures[1][0])
    assert len(learner.classes) == 1


def test_a_backbone_without_a_prior_is_less_sure_and_not_more_often_wrong(
    pixels: Pixels, exposures: Exposures
) -> None:
    """Nothing was fitted on such features: what is taken is right, and much is left open."""
    with pytest.warns(UserWarning, match="no prior for the backbone pixels"):
        learner = Learner(backbone=pixels)
    truth_of: dict[int, int] = {}
    right = wrong = 0
    for place in range(3):
        for label in range(4):
            decision = learner.observe(exposures[label][place])
            for answer in (decision, *decision.settled):
                correct = decision_is_right(answer, answer.exposure % 4, truth_of)
                right += correct
                wrong += answer.kind != "unsure" and not correct
                if answer.kind == "new" and answer.class_id is not None:
                    truth_of[answer.class_id] = answer.exposure % 4
    assert wrong == 0
    assert right >= 3
    assert len(learner.classes) + len(learner.state.waiting) > 0


def test_what_waits_is_asked_about_again_and_settled_without_repeating_a_question_for_ever(
    lite0: Cached, exposures: Exposures
) -> None:
    learner = Learner(backbone=lite0, risk=0.01)
    for place in range(3):
        for label in range(6):
            learner.observe(exposures[label][place])
    waiting = {samples.number for samples in learner.state.waiting}
    settled = learner.ask_again()
    assert {decision.exposure for decision in settled} <= waiting
    left = {samples.number for samples in learner.state.waiting}
    assert left == waiting - {decision.exposure for decision in settled}
    placed = {number for known in learner.classes.values() for number in known.exposures}
    assert placed | left == set(range(18))
    assert not placed & left
