from __future__ import annotations

import pytest
import torch

import tiny
from ilap.detect.confidence import Confidence, Parameters, doubts
from ilap.network.confident import Branched, Confident, Hinted, adjusted, parts


def confident() -> Confident:
    network = tiny.network(Confident)
    assert isinstance(network, Confident)
    return network


def test_the_doubt_of_each_picture() -> None:
    found = doubts(confident().confidences(tiny.exposure().rows))  # c of .4, .2 and .3
    assert found.tolist() == pytest.approx([1 - 0.5987, 1 - 0.5498, 1 - 0.5744], abs=1e-4)


def test_an_exposure_scores_the_mean() -> None:
    memory = tiny.memory((tiny.pool(tiny.A),) * 2, (tiny.pool(tiny.A),) * 2)
    assert Confidence(Parameters(0.5))(confident(), tiny.exposure(), memory, seed=0).score == pytest.approx(
        0.4257, abs=1e-4
    )


def test_the_loss_with_a_hint_for_the_first_picture_only() -> None:
    """A: p' = .5987 x .8022 + .4013 = .8816. B keeps its .7311. -log c is .5130 and .5982."""
    own, confidence = torch.tensor([0.8022, 0.7311]), torch.tensor([0.5987, 0.5498])
    told, doubt = parts(own, confidence, torch.tensor([True, False]))
    assert told.tolist() == pytest.approx([0.1260, 0.3132], abs=1e-4)
    assert doubt.tolist() == pytest.approx([0.5130, 0.5982], abs=1e-4)
    assert float(told.mean() + 0.1 * doubt.mean()) == pytest.approx(0.2752, abs=1e-4)


def test_without_confidence_the_answer_is_given_and_with_it_nothing_is() -> None:
    own = torch.tensor([0.2, 0.2])
    told, doubt = parts(own, torch.tensor([0.0, 1.0]), torch.tensor([True, True]))
    assert told.tolist() == pytest.approx([0.0, 1.6094], abs=1e-4)
    assert doubt.tolist() == pytest.approx([27.631, 0.0], abs=1e-3)  # -log 1e-12
    assert torch.isfinite(doubt).all()


def test_lambda_follows_the_budget_from_batch_to_batch() -> None:
    loss = Hinted()
    model = confident().model
    assert isinstance(model, Branched)
    samples, labels = torch.from_numpy(tiny.exposure(tiny.A, tiny.B).rows), torch.tensor([0, 1])
    loss(model, samples, labels, torch.ones(2))  # -log c is .5556 in the mean, over the budget of .3
    assert loss.weight == pytest.approx(0.10101, abs=1e-5)
    assert adjusted(0.1, 0.2999) < 0.1 < adjusted(0.1, 0.3)


def test_half_of_the_samples_get_hints() -> None:
    """With c = 0 and p_y near 0 a hinted sample costs nothing and another one 27.6: the mean tells how many."""
    model = confident().model
    assert isinstance(model, Branched)
    model.confidence.bias = torch.nn.Parameter(torch.tensor([-100.0]))
    model.head.weight = torch.nn.Parameter(1000 * torch.eye(2))
    samples = torch.from_numpy(tiny.exposure(tiny.A).rows).repeat(4000, 1, 1, 1)
    torch.manual_seed(0)
    told = Hinted(weight=0.0)(model, samples, torch.ones(4000, dtype=torch.long), torch.ones(4000))
    assert told.item() / 27.631 == pytest.approx(0.5, abs=0.03)
