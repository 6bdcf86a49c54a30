from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import pytest
import torch

import tiny
from ilap import Learner
from ilap.backbones.load import Given, Named
from ilap.bench.learners.load import settings_of
from ilap.checks import digits as checks
from ilap.core.errors import BadSetting
from ilap.core.exemplars import Memory
from ilap.core.settings import resolve
from ilap.detect.confusion import relative_drop
from ilap.network import network, training
from ilap.network.bias import fit_bias
from ilap.network.heads import head_of
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
    grown = head_of(head, [0, 1, 2], 2, seed=1)
    assert torch.equal(grown.weight[:3], head.weight)
    assert torch.equal(grown.bias[:3], head.bias)
    assert grown.weight.shape == (5, 4)
    assert torch.equal(grown.weight, head_of(head, [0, 1, 2], 2, seed=1).weight)
    assert torch.equal(head_of(head, [2, 0], 0, seed=1).weight, head.weight[[2, 0]])
    zero = head_of(head, [], 5, seed=1, zero=True)
    assert not zero.weight.any()
    assert not zero.bias.any()


@pytest.mark.parametrize(("start", "kept"), [("warm", True), ("random", False)])
def test_an_update_starts_from_its_own_head_or_a_random_one(
    start: str, kept: bool, exposures: checks.Exposures
) -> None:
    """Without learning, so that only where it starts from can change a row."""
    old, memory = checks.taught(create(update_head=start, epochs=1, head_rate=0.0), exposures, [0, 1])
    new = old.learn(checks.samples(old, exposures[2][0], 2), 2, memory, seed=3)
    assert isinstance(old, network.Network)
    assert isinstance(new, network.Network)
    assert torch.equal(new.model.head.weight[:2], old.model.head.weight) == kept


@pytest.mark.parametrize(("start", "kept"), [("copy", True), ("random", False), ("zero", False)])
def test_a_trial_starts_from_a_copy_a_random_head_or_nothing(
    start: str, kept: bool, exposures: checks.Exposures
) -> None:
    old, memory = checks.taught(create(trial_head=start, epochs=1), exposures, [0, 1])
    assert isinstance(old, network.Network)
    still = replace(old, parameters=replace(old.parameters, trial_rate=0.0))
    confused = still.confused(checks.samples(old, exposures[2][0], 2), memory, 0.5, seed=3)
    assert torch.equal(confused.model.head.weight[:2], old.model.head.weight) == kept
    assert bool(confused.model.head.weight.any()) == (start != "zero")


def test_few_validation_samples_do_not_condemn_a_class() -> None:
    """Of ten validation samples one was hit: the paper's rule would give the class up at 20 %."""
    classifier = tiny.network()
    memory = tiny.memory(
        (tiny.pool(tiny.A), tiny.pool(tiny.B)), (tiny.pool(*[tiny.B] * 9, tiny.A), tiny.pool(*[tiny.A] * 40))
    )
    assert classifier.accuracies(memory, (0, 1)).tolist() == pytest.approx([0.2, 1 / 40])


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
    assert (paper.loop.ranking, paper.loop.exemplars, asked.statistic) == ("herding", None, "drop")
    assert (trained.trial_head, trained.update_head, trained.judge, trained.trials) == (
        "copy",
        "warm",
        "validation",
        1,
    )
    without = resolve("paper-noci", {}).detector.parameters
    assert (without.imbalance, without.theta) == (0.0, 0.4)
    authors = resolve("authors-code", {})
    trained, asked = authors.classifier.parameters, authors.detector.parameters
    assert (asked.theta, asked.sure_above, asked.several_above) == (0.6, 0.9, 0.7)
    assert authors.loop.accept_above == 0.5
    assert (trained.update_head, trained.trial_head, trained.thinning) == ("random", "random", "first")
    assert (trained.bias_layer, trained.repeat_weight, trained.patience) == (True, 0.5, 15)


@pytest.mark.parametrize("preset", ["paper", "authors-code", "paper-cpu"])
def test_the_twin_of_a_preset_differs_by_the_imbalance_alone(preset: str) -> None:
    own, twin = resolve(preset, {}), resolve(f"{preset}-noci", {})
    assert (twin.detector.parameters.imbalance, twin.detector.parameters.theta) == (0.0, 0.4)
    assert replace(twin.detector.parameters, imbalance=0.5, theta=0.6) == own.detector.parameters
    assert (twin.classifier, twin.backbone, twin.loop) == (own.classifier, own.backbone, own.loop)


@pytest.mark.parametrize(
    "name", ["paper-cpu-noci", "paper-cpu-drop", "iolfcv", "iolfcv_means", "bic", "replay"]
)
def test_all_that_train_a_head_on_frozen_features_train_it_alike(name: str) -> None:
    own, other = resolve("paper-cpu", {}), settings_of(name, {})
    assert other is not None
    for parameter in ("trainable", "epochs", "batch", "patience", "head_rate", "weight_decay", "update_head"):
        assert getattr(other.classifier.parameters, parameter) == getattr(own.classifier.parameters, parameter)
    assert (other.backbone, other.loop) == (own.backbone, own.loop)


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
