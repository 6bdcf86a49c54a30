"""Adapting a learner in memory: what is held out, what outputs speak for, and that decisions stay the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import small_networks
from ilap import Exposure, Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.errors import BadSetting
from ilap.learner.adapted import Adapted
from ilap.learner.adapting import held_out


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    small_networks.train_by(monkeypatch, small_networks.kernel)


def taught(
    lite0: Cached, exposures: Exposures, classes: int = 5, each: int = 3
) -> tuple[Learner, list[Exposure]]:
    learner, shown = Learner(backbone=lite0), list[Exposure]()
    ids = dict[int, int | None]()
    for turn in range(each):
        for label in range(classes):
            shown.append(Exposure(exposures[label][turn].pictures))
            ids[label] = learner.teach(shown[-1], ids.get(label)).class_id
    return learner, shown


def adapt(learner: Learner, shown: list[Exposure]) -> None:
    found = learner.adapt(pictures_of=lambda number: dict(enumerate(shown[number].pictures)))
    assert found.kept, found.plain()


def test_decisions_are_the_same_to_the_bit(lite0: Cached, exposures: Exposures) -> None:
    said = []
    for adapts in (False, True):
        learner, shown = taught(lite0, exposures)
        if adapts:
            adapt(learner, shown)
        decisions = [learner.observe(exposures[label][3].pictures) for label in (0, 3, 5, 6)]
        said.append([(d.kind, d.class_id, d.score, d.error, d.p_new, d.p_known) for d in decisions])
    assert said[0] == said[1]


def test_undo_takes_it_back_and_redo_brings_it_again(lite0: Cached, exposures: Exposures) -> None:
    learner, shown = taught(lite0, exposures)
    pictures = exposures[2][3].pictures
    frozen = learner.predict(pictures).probabilities
    adapt(learner, shown)
    both = learner.predict(pictures).probabilities
    assert np.abs(both - frozen).max() > 1e-3
    learner.undo()
    np.testing.assert_array_equal(learner.predict(pictures).probabilities, frozen)
    learner.redo()
    np.testing.assert_array_equal(learner.predict(pictures).probabilities, both)


def test_a_learner_in_memory_has_to_be_given_the_pictures(lite0: Cached, exposures: Exposures) -> None:
    with pytest.raises(BadSetting, match="pictures_of"):
        taught(lite0, exposures)[0].adapt()


def test_outputs_follow_their_exposures(lite0: Cached, exposures: Exposures) -> None:
    """Of a head that is always sure of its first output all is named as its exposures are now."""
    learner, _ = taught(lite0, exposures)
    outputs = {number: number % 5 for number in range(15)}

    class Stubborn(Adapted):
        def logits(self, pictures: object) -> np.ndarray:
            return np.tile([50.0, 0, 0, 0, 0], (4, 1))

    learner.state = replace(learner.state, adapted=Stubborn(b"", 8, outputs, 1, 1e6))
    pictures = exposures[3][3].pictures[:4]
    first, second, *_ = learner.classes
    assert set(learner.predict(pictures).class_ids) == {first}
    learner.merge(second, first)
    assert set(learner.predict(pictures).class_ids) == {second}
    learner.undo()
    learner.state = replace(learner.state, adapted=Stubborn(b"", 8, outputs, 1, 1e6))
    parts = {first, learner.split(learner.classes[first].exposures[:1])}
    assert set(learner.predict(pictures).class_ids) <= parts


def test_whole_exposures_are_held_out_where_a_class_has_three() -> None:
    groups = np.repeat(np.arange(40), 60)
    exposures = np.repeat(np.arange(120), 20)
    mask = held_out(groups, exposures, seed=0)
    shares = np.array([mask[exposures == number].mean() for number in range(120)])
    assert set(shares) == {0, 1}
    assert mask.mean() == pytest.approx(0.1, abs=0.01)
    assert max(shares.reshape(40, 3).sum(1)) == 1


def test_pictures_of_every_exposure_are_held_out_where_it_has_fewer_and_more_of_few_pictures() -> None:
    groups, exposures = np.repeat([0, 1], 60), np.repeat([0, 1, 2, 3], 30)
    mask = held_out(groups, exposures, seed=0)
    assert mask.sum() == 40
    assert all(0 < mask[groups == group].sum() < 60 for group in (0, 1))
