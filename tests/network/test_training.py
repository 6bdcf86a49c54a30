from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from ilap.network.training import Classified, Labelled, Schedule, batches, logits_of, mode, train


def model(seed: int = 0, norm: bool = False) -> Classified:
    torch.manual_seed(seed)
    features = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16) if norm else nn.Identity(), nn.ReLU())
    return Classified(features, nn.Linear(16, 2))


def problem(count: int = 64, seed: int = 1, noise: float = 0.3) -> Labelled:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % 2
    samples = labels[:, None] * 2.0 - 1 + noise * torch.randn(count, 4, generator=generator)
    return Labelled(samples, labels, torch.ones(count))


FAST = Schedule(epochs=15, head_rate=1e-2, feature_rate=1e-2)


def test_it_learns() -> None:
    trained = model()
    history = train(trained, problem(), problem(seed=2), FAST, seed=0)
    assert history[-1] < history[0]
    test = problem(seed=3)
    assert (logits_of(trained, test.samples).argmax(1) == test.labels).float().mean() > 0.95


def test_the_weights_of_the_best_epoch_are_kept() -> None:
    """Validation labels contradict training: the first epoch is the best and has to come back."""
    data, validation = problem(), problem(seed=2)
    validation = Labelled(validation.samples, 1 - validation.labels, validation.weights)
    one, many = model(), model()
    train(one, data, validation, Schedule(epochs=1, head_rate=1e-2, feature_rate=1e-2), seed=0)
    history = train(
        many, data, validation, Schedule(epochs=15, patience=4, head_rate=1e-2, feature_rate=1e-2), seed=0
    )
    assert history.index(min(history)) == 0
    assert len(history) == 5  # one and patience
    for a, b in zip(one.state_dict().values(), many.state_dict().values(), strict=True):
        torch.testing.assert_close(a, b)


def test_the_same_seed_gives_the_same_weights_and_leaves_the_global_generator_alone() -> None:
    first, second, other = model(), model(), model()
    before = torch.get_rng_state()
    train(first, problem(), problem(seed=2), FAST, seed=5)
    assert torch.equal(torch.get_rng_state(), before)
    train(second, problem(), problem(seed=2), FAST, seed=5)
    train(other, problem(), problem(seed=2), FAST, seed=6)
    assert torch.equal(first.head.weight, second.head.weight)
    assert not torch.equal(first.head.weight, other.head.weight)


def test_a_rate_of_zero_leaves_the_features_as_they_were() -> None:
    trained = model()
    before = copy.deepcopy(trained.features.state_dict())
    train(trained, problem(), problem(seed=2), Schedule(head_rate=1e-2, feature_rate=0.0), seed=0)
    for name, tensor in trained.features.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_weights_count_in_the_loss() -> None:
    """Two labels on one cluster: the heavier one wins."""
    samples = torch.zeros(40, 4)
    labels = torch.arange(40) % 2
    weights = torch.where(labels == 0, 3.0, 1.0)
    trained = model()
    data = Labelled(samples, labels, weights)
    train(trained, data, data, FAST, seed=0)
    probabilities = logits_of(trained, samples[:1]).softmax(1)[0]
    assert probabilities[0].item() == pytest.approx(0.75, abs=0.1)


def test_a_batch_of_one_is_left_out() -> None:
    sizes = [len(rows) for rows in batches(33, 16, torch.Generator().manual_seed(0))]
    assert sizes == [16, 16]
    assert [len(rows) for rows in batches(1, 16, torch.Generator())] == [1]


def test_frozen_batch_norm_keeps_its_statistics() -> None:
    for frozen in (False, True):
        trained = model(norm=True)
        norm = trained.features[1]
        assert isinstance(norm, nn.BatchNorm1d)
        before = norm.running_mean.clone()  # type: ignore[union-attr]
        schedule = Schedule(epochs=2, freeze_norm=frozen)
        train(trained, problem(), problem(seed=2), schedule, seed=0)
        assert torch.equal(norm.running_mean, before) == frozen  # type: ignore[arg-type]


def test_without_validation_samples_the_last_epoch_counts() -> None:
    none = Labelled(torch.zeros(0, 4), torch.zeros(0, dtype=torch.long), torch.zeros(0))
    assert len(train(model(), problem(), none, Schedule(epochs=7, patience=2), seed=0)) == 7


@pytest.mark.parametrize("device", ["cpu", "meta", "cuda"])
def test_the_model_runs_on_any_device(device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("there is no CUDA device here")
    moved = model().to(device)
    mode(moved, freeze_norm=True)
    assert moved(torch.zeros(3, 4, device=device)).shape == (3, 2)
    if device != "meta":
        data = problem()
        here = Labelled(data.samples.to(device), data.labels.to(device), data.weights.to(device))
        assert len(train(moved, here, here, Schedule(epochs=2), seed=0)) == 2
