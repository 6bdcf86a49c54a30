from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ilap.backbones.load import Given
from ilap.checks import digits as checks
from ilap.core.classifier import Trial
from ilap.core.errors import BadSetting
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.core.settings import resolve
from ilap.detect.confusion import relative_drop
from ilap.network import network
from ilap.network.parameters import Parameters
from ilap.network.trial import Draw, averaged, draws, judges_of

UNSEEN = Parameters(trainable="head", trial_head="zero", judge="unseen", trials=5)


def numbered(number: int, count: int) -> Samples:
    """Every sample is a number of its own."""
    return Samples(number, np.arange(count)[:, None] + 1000.0 * number, validation_mask(count))


def memory_of(counts: tuple[int, ...]) -> Memory:
    memory = Memory(None, None)
    for class_id, count in enumerate(counts):
        memory = memory.remember(class_id, numbered(class_id, count), lambda rows: rows)
    return memory


def drawn(parameters: Parameters, imbalance: float, counts: tuple[int, ...] = (50, 50)) -> list[Draw]:
    classes = range(len(counts))
    return draws(classes, numbered(9, 50), memory_of(counts), imbalance, parameters, seed=3)


@pytest.mark.parametrize("imbalance", [0.0, 0.5])
@pytest.mark.parametrize("counts", [(50, 50), (50, 20), (7, 1)])
def test_unseen_are_exactly_the_exemplars_that_a_copy_did_not_train_on(
    imbalance: float, counts: tuple[int, ...]
) -> None:
    judges = judges_of(range(len(counts)), memory_of(counts), UNSEEN)
    for draw in drawn(UNSEEN, imbalance, counts):
        trained = {float(row) for pool in draw.train.values() for row in pool.samples[:, 0]}
        assert [float(row) not in trained for row in judges.samples[:, 0]] == draw.unseen.tolist()
        assert len(judges.samples) == sum(counts)


def test_validation_exemplars_judge_alone_where_nothing_else_is_said() -> None:
    memory = memory_of((50, 50))
    judges = judges_of((0, 1), memory, Parameters())
    assert set(judges.samples[:, 0]) == {*memory.val[0].samples[:, 0], *memory.val[1].samples[:, 0]}
    assert all(draw.unseen.all() for draw in drawn(Parameters(trials=3), 0.5))


def test_every_copy_has_its_own_half_of_the_exemplars_and_its_own_split_of_the_exposure() -> None:
    found = drawn(UNSEEN, 0.5)
    assert [len(draw.train[0]) for draw in found] == [20] * 5
    assert [int(draw.exposure.held_out.sum()) for draw in found] == [10] * 5
    assert len({draw.train[0].samples.tobytes() for draw in found}) == 5
    assert len({draw.exposure.held_out.tobytes() for draw in found}) == 5
    assert (found[0].exposure.held_out == validation_mask(50)).all()


def test_the_first_exemplars_can_be_taken_instead_of_random_ones() -> None:
    (draw,) = drawn(Parameters(thinning="first"), 0.5)
    pool = memory_of((50, 50)).train[1]
    np.testing.assert_array_equal(draw.train[1].samples, pool.samples[:20])


def test_without_imbalance_every_exemplar_is_left_out_by_one_copy_of_five() -> None:
    found = drawn(UNSEEN, 0.0)
    assert (np.sum([draw.unseen for draw in found], 0) == 1).all()
    assert [len(draw.train[0]) for draw in found] == [40] * 5
    for draw in found:
        assert not set(draw.train[0].samples[:, 0]) & set(draw.val[0].samples[:, 0])


def test_without_imbalance_validation_exemplars_stay_apart_where_they_judge_alone() -> None:
    memory = memory_of((50, 50))
    (draw,) = drawn(Parameters(), 0.0)
    assert set(draw.train[0].samples[:, 0]) == set(memory.train[0].samples[:, 0])
    assert set(draw.val[0].samples[:, 0]) == set(memory.val[0].samples[:, 0])


def test_probabilities_are_averaged_over_the_copies_that_did_not_train_on_the_exemplar() -> None:
    one, two = drawn(replace(UNSEEN, trials=2), 0.5)
    one, two = (
        replace(draw, unseen=np.array(unseen))
        for draw, unseen in ((one, [True, True, False]), (two, [True, False, False]))
    )
    said = np.array([[0.2, 0.8]] * 3), np.array([[0.6, 0.4]] * 3)
    mean, judged = averaged([one, two], said)
    np.testing.assert_allclose(mean[:2], [[0.4, 0.6], [0.2, 0.8]])
    assert judged.tolist() == [True, True, False]


@pytest.mark.parametrize("changes", [{"trial_head": "copy"}, {"trainable": "all"}, {"trainable": "last"}])
def test_exemplars_that_the_network_was_trained_on_are_no_judges(changes: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="take trainable=head with trial_head=zero or random"):
        resolve("paper-cpu", changes)


def test_the_exemplars_of_a_repeated_class_prefer_the_newcomer_and_no_others_do(
    exposures: checks.Exposures, lite0: Any
) -> None:
    """Without imbalance half of them do, as two labels stand for one thing; with it most."""
    parameters = resolve("paper-cpu", {}).classifier.parameters
    taught, memory = checks.taught(network.create(parameters, Given(lite0), 0), exposures, [0, 1, 2, 3])

    def tried(label: int, imbalance: float) -> Trial:
        return taught.trial(checks.samples(taught, exposures[label][1], 4), memory, imbalance, seed=0)

    means = []
    for imbalance in (0.0, 0.5):
        repeats = [tried(label, imbalance) for label in range(4)]
        assert [trial.newcomer.argmax() for trial in repeats] == [0, 1, 2, 3]
        assert [relative_drop(trial.before, trial.after).argmax() for trial in repeats] == [0, 1, 2, 3]
        assert max(tried(label, imbalance).prefers.max() for label in (4, 5, 6, 7)) < 0.2
        means.append(np.mean([trial.prefers.max() for trial in repeats]))
    assert means[0] == pytest.approx(0.5, abs=0.1)
    assert means[1] == pytest.approx(0.75, abs=0.1)
