from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ilap.backbones.load import Given
from ilap.checks.digits import Exposures, Pixels, samples
from ilap.core.exemplars import Memory
from ilap.data.contract import Dataset
from ilap.network.bias import fit_bias
from ilap.network.bic import STEPS, Bic, Parameters, distillation
from ilap.network.bic import create as create_bic

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


def create(pixels: Pixels, **changes: Any) -> Bic:
    given = {"trainable": "head", "epochs": 12, "batch": 16, "head_rate": 5e-2, **changes}
    return create_bic(Parameters(**given), Given(pixels), 0)


def taught(bic: Bic, exposures: Exposures, labels: list[int]) -> tuple[Bic, Memory]:
    """What is left after a sequence of labelled exposures, the n-th of a label being its n-th exposure."""
    memory = Memory(24, 6)
    for number, label in enumerate(labels):
        seen = samples(bic, exposures[label][labels[:number].count(label)], number)
        bic = bic.learn(seen, label, memory, seed=number)
        memory = memory.remember(label, seen, bic.features)
    return bic, memory


def balanced_accuracy(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    said = scores.argmax(1)
    return float(np.mean([(said[labels == k] == k).mean() for k in np.unique(labels)]))


def test_the_correction_restores_balanced_accuracy_after_a_constructed_imbalance() -> None:
    """Two classes one standard deviation either side of 0. A model that saw one of them 20 times as often
    shifts its logit by ln 20 and scales it; the best balanced accuracy there is, Phi(1) = .841, comes back."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 4000)
    x = rng.normal(np.where(labels == 1, 1.0, -1.0), 1.0)
    biased = torch.tensor(np.stack([-x, 1.6 * (x + np.log(20) / 2)], 1), dtype=torch.float32)
    truth = torch.from_numpy(labels)
    held_out = torch.arange(0, 8000, 2)
    bias = fit_bias(biased[held_out], truth[held_out], torch.ones(4000), 2000, free=[1])
    before = balanced_accuracy(biased.numpy(), labels)
    after = balanced_accuracy(bias(biased).numpy(), labels)
    assert before < 0.78
    assert abs(after - 0.841) < 0.015
    assert bias.scale[0] == 1
    assert bias.shift[0] == 0
    assert 0.4 < float(bias.scale[1]) < 0.8
    assert float(bias.shift[1]) < 0


def test_two_hundred_steps_and_the_penalty_still_take_most_of_the_bias_away() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 40)
    x = rng.normal(np.where(labels == 1, 1.0, -1.0), 1.0)
    biased = torch.tensor(np.stack([-x, x + np.log(20)], 1), dtype=torch.float32)
    bias = fit_bias(biased, torch.from_numpy(labels), torch.ones(80), STEPS, free=[1], shift_penalty=0.05)
    before = balanced_accuracy(biased.numpy(), labels)
    assert balanced_accuracy(bias(biased).numpy(), labels) > before + 0.1


def test_distillation_is_least_where_old_logits_are_held() -> None:
    teacher = torch.tensor([[2.0, 0.0, -1.0]])
    held = distillation(teacher, teacher + 3.0)  # a softmax knows no common shift
    for other in ([0.0, 0.0, 0.0], [2.0, 1.0, -1.0], [4.0, 0.0, -2.0]):
        assert float(distillation(teacher, torch.tensor([other]))) > float(held)
    # softmax([1, 0, -.5]) = .6285, .2312, .1402: the entropy
    np.testing.assert_allclose(float(held), 0.9060, atol=1e-3)


def test_distillation_holds_old_logits_while_a_new_class_is_learned(
    digits: Dataset, exposures: Exposures, pixels: Pixels
) -> None:
    """Most of the weight on distillation against none: old pictures keep the old network's soft answers."""
    drift = {}
    for most in (1.0, 0.0):
        bic = create(pixels, distill_at_most=most)
        old, memory = taught(bic, exposures, [0, 1, 2, 3, 4, 5])
        new = old.learn(samples(old, exposures[6][0], 6), 6, memory, seed=6)
        rows = torch.from_numpy(np.concatenate([old.samples(exposures[k][3].pictures) for k in range(6)]))
        with torch.no_grad():
            teacher = old.model(rows)
            teacher = (old.bias(teacher) if old.bias else teacher) / 2
            student = new.model(rows)[:, :6] / 2
        drift[most] = float((teacher.softmax(1) - student.softmax(1)).abs().sum(1).mean())
    assert drift[1.0] < drift[0.0] / 2


def test_a_class_that_repeats_at_once_does_not_crash_and_gets_no_second_output(
    exposures: Exposures, pixels: Pixels
) -> None:
    bic = create(pixels)
    learned, _ = taught(bic, exposures, [3, 3, 3, 5, 5, 3])
    assert learned.classes == (3, 5)
    for label in (3, 5):
        rows = learned.samples(exposures[label][3].pictures)
        assert (learned.probabilities(rows).argmax(1) == learned.classes.index(label)).mean() > 0.9


def test_only_the_class_that_came_last_is_corrected(exposures: Exposures, pixels: Pixels) -> None:
    bic = create(pixels)
    learned, _ = taught(bic, exposures, [0, 1, 2, 1])
    assert learned.bias is not None
    np.testing.assert_array_equal(learned.bias.scale[[0, 2]], 1)
    np.testing.assert_array_equal(learned.bias.shift[[0, 2]], 0)
    assert float(learned.bias.scale[1]) != 1


def test_held_out_samples_are_never_trained_on(exposures: Exposures, pixels: Pixels) -> None:
    """Whatever is held out may be anything: stage 1 ends with the same weights, given one epoch and no teacher
    whose correction was fitted to it."""
    weights = []
    for noise in (0.0, 1.0):
        bic = create(pixels, epochs=1)
        memory = Memory(24, 6)
        for label in (0, 1):
            seen = samples(bic, exposures[label][0], label)
            seen.rows[seen.held_out] += noise
            bic = bic.learn(seen, label, memory, seed=label)
            memory = memory.remember(label, seen, bic.features)
        weights.append(bic.model.head.weight.detach().numpy())
    np.testing.assert_array_equal(*weights)
