from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import pytest
import torch

from ilap import Learner
from ilap.backbones.load import Given, Named
from ilap.checks import digits as checks
from ilap.core.errors import BadSetting
from ilap.core.exemplars import Memory
from ilap.core.settings import resolve
from ilap.detect.confusion import relative_drop
from ilap.network import network, training
from ilap.network.bias import fit_bias
from ilap.network.parameters import Parameters

SMALL = {"backbone": "small", "resolution": 16}


def create(**changes: Any) -> network.Network:
    settings = resolve("paper", {**SMALL, **changes})
    return network.create(settings.classifier.parameters, Named(settings.backbone), seed=0)


def test_from_pixels_exemplars_are_bytes(exposures: checks.Exposures) -> None:
    rows = create().samples(exposures[0][0].pictures)
    assert rows.dtype == np.uint8
    assert rows.shape == (30, 16, 16, 3)


def test_above_a_frozen_part_exemplars_are_activations_and_name_the_same(exposures: checks.Exposures) -> None:
    whole, above = create(), create(trainable="last")
    rows = above.samples(exposures[0][0].pictures)
    assert rows.dtype == np.float16
    assert rows.shape == (30, 32, 4, 4)
    np.testing.assert_allclose(
        above.features(rows), whole.features(whole.samples(exposures[0][0].pictures)), atol=1e-2
    )
    below = sum(parameter.numel() for parameter in above.model.parameters())
    assert below < sum(parameter.numel() for parameter in whole.model.parameters())


@pytest.mark.filterwarnings("ignore:There is no prior")
def test_with_the_head_alone_frozen_features_are_trained_on(pixels: Any, exposures: checks.Exposures) -> None:
    head = network.create(Parameters(trainable="head"), Given(pixels), seed=0)
    rows = head.samples(exposures[0][0].pictures)
    assert rows.shape == (30, 64)
    np.testing.assert_allclose(head.features(rows), rows)
    assert sum(parameter.numel() for parameter in head.model.features.parameters()) == 0


def test_a_frozen_object_cannot_be_trained(pixels: Any) -> None:
    with pytest.raises(BadSetting, match="take trainable=head"):
        network.create(Parameters(), Given(pixels), seed=0)


def test_an_unknown_stage_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadSetting, match="take all, head, or one of stem, middle, last, features"):
        create(trainable="layer9")


def test_the_head_grows_and_keeps_its_rows() -> None:
    head = torch.nn.Linear(4, 3)
    grown = network.head_of(head, [0, 1, 2], 2, seed=1)
    assert torch.equal(grown.weight[:3], head.weight)
    assert torch.equal(grown.bias[:3], head.bias)
    assert grown.weight.shape == (5, 4)
    assert torch.equal(grown.weight, network.head_of(head, [0, 1, 2], 2, seed=1).weight)
    assert torch.equal(network.head_of(head, [2, 0], 0, seed=1).weight, head.weight[[2, 0]])


@pytest.mark.parametrize("fresh", [False, True])
def test_a_fresh_head_keeps_no_row(fresh: bool, exposures: checks.Exposures) -> None:
    """Without learning, so that only the re-creation can change a row."""
    old, memory = checks.taught(create(fresh_head=fresh, epochs=1, head_rate=0.0), exposures, [0, 1])
    new = old.learn(checks.samples(old, exposures[2][0], 2), 2, memory, seed=3)
    assert isinstance(old, network.Network)
    assert isinstance(new, network.Network)
    assert torch.equal(new.model.head.weight[:2], old.model.head.weight) != fresh


def test_one_class_is_not_trained(exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "train", lambda *_: pytest.fail("there is nothing to tell apart"))
    classifier = create()
    seen = checks.samples(classifier, exposures[0][0], 0)
    assert classifier.learn(seen, 0, Memory(24, 6), seed=0).classes == (0,)


@pytest.mark.parametrize(("imbalance", "thinned"), [(0.0, 24), (0.5, 12), (0.9, 2)])
def test_imbalance_thins_out_the_old_classes(
    imbalance: float, thinned: int, exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught, memory = checks.taught(create(epochs=1), exposures, [0, 1])
    seen: list[training.Labelled] = []
    real = training.train
    monkeypatch.setattr(network, "train", lambda *given: (seen.append(given[1]), real(*given)))
    taught.trial(checks.samples(taught, exposures[2][0], 2), memory, imbalance, seed=0)
    assert torch.bincount(seen[0].labels).tolist() == [thinned, thinned, 24]


@pytest.mark.parametrize(("criterion", "weight"), [("weighted", 0.5), ("plain", 1.0)])
def test_the_trial_stops_by_a_loss_that_weighs_old_classes_as_the_samples_do(
    criterion: str, weight: float, exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught, memory = checks.taught(create(epochs=1, criterion=criterion), exposures, [0, 1])
    seen: list[training.Labelled] = []
    real = training.train
    monkeypatch.setattr(network, "train", lambda *given: (seen.append(given[2]), real(*given)))
    taught.trial(checks.samples(taught, exposures[2][0], 2), memory, 0.5, seed=0)
    weights, labels = seen[0].weights, seen[0].labels
    assert set(weights[labels < 2].tolist()) == {weight}
    assert set(weights[labels == 2].tolist()) == {1.0}


def test_the_update_starts_from_the_weights_before_detection(exposures: checks.Exposures) -> None:
    taught, memory = checks.taught(create(epochs=2), exposures, [0, 1])
    seen = checks.samples(taught, exposures[2][0], 2)
    straight = taught.learn(seen, 2, memory, seed=4)
    taught.trial(seen, memory, 0.5, seed=4)
    after_trial = taught.learn(seen, 2, memory, seed=4)
    assert isinstance(straight, network.Network)
    assert isinstance(after_trial, network.Network)
    for a, b in zip(straight.model.state_dict().values(), after_trial.model.state_dict().values(), strict=True):
        assert torch.equal(a, b)


def test_a_repeated_class_can_weigh_less(exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch) -> None:
    taught, memory = checks.taught(create(epochs=1, repeat_weight=0.5), exposures, [0, 1])
    seen: list[training.Labelled] = []
    real = training.train
    monkeypatch.setattr(network, "train", lambda *given: (seen.append(given[1]), real(*given)))
    taught.learn(checks.samples(taught, exposures[1][1], 2), 1, memory, seed=0)
    assert set(seen[0].weights[seen[0].labels == 1].tolist()) == {0.5}
    assert set(seen[0].weights[seen[0].labels == 0].tolist()) == {1.0}


def test_the_bias_layer_evens_out_a_favoured_class() -> None:
    generator = torch.Generator().manual_seed(0)
    labels = torch.arange(300) % 3
    logits = torch.nn.functional.one_hot(labels, 3) * 2.0 + torch.randn(300, 3, generator=generator)
    logits[:, 2] += 4
    assert (logits.argmax(1) == labels).float().mean() < 0.6
    corrected = fit_bias(logits, labels, torch.ones(300), steps=300)(logits)
    assert (corrected.argmax(1) == labels).float().mean() > 0.8


def test_ctrl_c_in_training_leaves_the_learner_as_it_was(
    exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Learner("paper", **SMALL, epochs=3)
    for label in range(2):
        learner.observe(exposures[label][0])
    classes = learner.classes
    probabilities = learner.predict(exposures[0][1].pictures).probabilities

    def interrupted(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    for place in ("validation_loss", "batches"):
        with monkeypatch.context() as patch:
            patch.setattr(training, place, interrupted)
            with pytest.raises(KeyboardInterrupt):
                learner.observe(exposures[2][0])
        assert learner.classes == classes
        np.testing.assert_array_equal(learner.predict(exposures[0][1].pictures).probabilities, probabilities)


def test_a_new_class_that_cannot_be_learned_is_unsure(
    exposures: checks.Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Learner("paper", **SMALL, epochs=2, accept_above=0.5, theta=0.99)
    learner.observe(exposures[0][0])
    monkeypatch.setattr(network.Network, "accuracies", lambda self, memory, classes: np.full(len(classes), 0.4))
    decision = learner.observe(exposures[1][0])
    assert (decision.kind, decision.class_id) == ("unsure", None)
    assert "could not be learned" in decision.reason
    assert list(learner.classes) == [0]


def test_the_settings_of_the_paper() -> None:
    paper = resolve("paper", {})
    trained, asked = paper.classifier.parameters, paper.detector.parameters
    assert (asked.imbalance, asked.theta, trained.epochs, trained.batch) == (0.5, 0.6, 15, 16)
    assert (paper.loop.discard_below, trained.criterion, trained.trainable) == (0.2, "weighted", "all")
    without = resolve("paper-noci", {}).detector.parameters
    assert (without.imbalance, without.theta) == (0.0, 0.4)
    authors = resolve("authors-code", {})
    trained, asked = authors.classifier.parameters, authors.detector.parameters
    assert (asked.theta, asked.sure_above, asked.several_above) == (0.6, 0.9, 0.7)
    assert authors.loop.accept_above == 0.5
    assert (trained.fresh_head, trained.bias_layer, trained.repeat_weight) == (True, True, 0.5)


def test_a_repeat_breaks_its_class_a_new_one_none_and_imbalance_makes_it_plain(
    exposures: checks.Exposures,
) -> None:
    taught, memory = checks.taught(create(), exposures, [0, 1, 2, 3])

    def drop(label: int, imbalance: float) -> float:
        seen = checks.samples(taught, exposures[label][1], 4)
        trial = taught.trial(seen, memory, imbalance, seed=0)
        found = relative_drop(trial.before, trial.after)
        assert label > 3 or imbalance == 0 or found.argmax() == label
        return float(found.max())

    repeated = {imbalance: np.mean([drop(label, imbalance) for label in range(4)]) for imbalance in (0.0, 0.5)}
    new = np.mean([drop(label, 0.5) for label in (4, 5, 6, 7)])
    assert repeated[0.5] > 0.75
    assert repeated[0.0] < repeated[0.5] - 0.15
    assert new < 0.3
