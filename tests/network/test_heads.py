from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from ilap.network.heads import train_heads
from ilap.network.training import Classified, Labelled, Lesson, Schedule, train


def problem(count: int, seed: int, classes: int = 3, noise: float = 1.0) -> Labelled:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % classes
    samples = nn.functional.one_hot(labels, 8).float() + noise * torch.randn(count, 8, generator=generator)
    return Labelled(samples, labels, 0.5 + torch.rand(count, generator=generator))


def lesson(seed: int, schedule: Schedule, validation: int = 24) -> Lesson:
    torch.manual_seed(seed)
    model = Classified(nn.Identity(), nn.Linear(8, 3))
    return Lesson(model, problem(60, seed), problem(validation, 100 + seed), schedule, seed)


@pytest.mark.parametrize("validation", [24, 0])
@pytest.mark.parametrize("patience", [2, 30])
def test_heads_side_by_side_are_as_if_each_was_trained_alone(patience: int, validation: int) -> None:
    schedule = Schedule(epochs=30, batch=16, patience=patience, head_rate=0.05, weight_decay=0.01)
    together = [lesson(seed, schedule, validation) for seed in range(4)]
    alone = copy.deepcopy(together)
    train_heads(together)
    lengths = {len(train(one.model, one.data, one.validation, schedule, one.seed)) for one in alone}
    assert validation == 0 or patience == 30 or len(lengths) > 1  # they stop at different epochs
    for one, other in zip(alone, together, strict=True):
        torch.testing.assert_close(one.model.head.weight, other.model.head.weight)
        torch.testing.assert_close(one.model.head.bias, other.model.head.bias)


def test_a_head_with_fewer_samples_learns_nothing_from_what_fills_up() -> None:
    """Its own samples say class 0 or 1; what fills up has the label 0 at the origin."""
    few, many = lesson(0, Schedule(epochs=60, head_rate=0.05)), lesson(1, Schedule(epochs=60, head_rate=0.05))
    far = Labelled(few.data.samples[:12] + 5, torch.ones(12, dtype=torch.long), torch.ones(12))
    few = Lesson(few.model, far, far, few.schedule, 0)
    train_heads([few, many])
    with torch.no_grad():
        assert (few.model(far.samples).argmax(1) == 1).all()
        assert int(few.model(torch.zeros(1, 8)).argmax()) == 1


def test_so_many_steps_are_made_at_least() -> None:
    made = []
    for steps in (0, 200):
        one = lesson(0, Schedule(epochs=2, batch=20, patience=99, head_rate=1e-3, steps=steps))
        made.append(len(train(one.model, one.data, one.validation, one.schedule, one.seed)))
    assert made == [2, 67]  # three steps an epoch
