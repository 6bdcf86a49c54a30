"""Training by gradient descent: one function for detection, update, and whatever else learns from samples.

The paper trains with Adam, in batches of 16, for at most 15 epochs, and stops early by a validation loss (4.1).
The best epoch's weights are kept. Every training starts with a fresh optimiser. A
``Schedule`` says how long and how fast: by the settings, in an update and in a trial.
"""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from ilap.network.parameters import Parameters


@dataclass(frozen=True)
class Schedule:
    """Adam's rates, batches, and when to stop."""

    epochs: int = 15
    batch: int = 16
    patience: int = 5
    head_rate: float = 2e-4
    feature_rate: float = 2e-5
    weight_decay: float = 0.0
    freeze_norm: bool = False
    autocast: bool = False
    steps: int = 0  # at least so many, in as many epochs more as that takes

    def epochs_for(self, samples: int) -> int:
        """The most epochs over so many samples.

        >>> Schedule(epochs=15, batch=64, steps=200).epochs_for(128)
        100
        """
        return max(self.epochs, math.ceil(self.steps * self.batch / samples))


def schedule_of(parameters: Parameters, head_rate: float, feature_rate: float) -> Schedule:
    """That of an update; the rates are the backbone's own, which hold where nothing else is said."""
    return Schedule(
        parameters.epochs,
        parameters.batch,
        parameters.patience,
        head_rate if parameters.head_rate is None else parameters.head_rate,
        feature_rate if parameters.feature_rate is None else parameters.feature_rate,
        parameters.weight_decay,
        parameters.freeze_norm,
        parameters.autocast,
    )


def in_trials(usual: Schedule, parameters: Parameters) -> Schedule:
    """That of a trial: the update's, where nothing else is said."""
    own = parameters
    return replace(
        usual,
        head_rate=usual.head_rate if own.trial_rate is None else own.trial_rate,
        batch=usual.batch if own.trial_batch is None else own.trial_batch,
        patience=usual.patience if own.trial_patience is None else own.trial_patience,
        steps=own.trial_steps,
    )


EVALUATE = 256  # samples a batch where no gradient is needed
SMALL = 1_000_000  # weights


@dataclass(frozen=True)
class Labelled:
    """Samples with the places of their classes and the weights that they have in the loss."""

    samples: Tensor
    labels: Tensor
    weights: Tensor

    def __len__(self) -> int:
        return len(self.labels)


class Classified(nn.Module):
    """Features and a linear head."""

    def __init__(self, features: nn.Module, head: nn.Linear) -> None:
        super().__init__()
        self.features = features
        self.head = head

    def forward(self, samples: Tensor) -> Tensor:
        """Logits."""
        logits: Tensor = self.head(self.features(samples))
        return logits


@dataclass(frozen=True)
class Lesson:
    """A model to be trained, what it learns from, what stops it, and how."""

    model: Classified
    data: Labelled
    validation: Labelled
    schedule: Schedule
    seed: int


Loss = Callable[[Classified, Tensor, Tensor, Tensor], Tensor]


def cross_entropy(model: Classified, samples: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """The mean over samples, each with its weight."""
    losses = functional.cross_entropy(model(samples), labels, reduction="none")
    return (losses * weights).sum() / weights.sum()


def train(
    model: Classified,
    data: Labelled,
    validation: Labelled,
    schedule: Schedule,
    seed: int,
    loss: Loss = cross_entropy,
) -> list[float]:
    """Train a model in place, leave it with the weights of its best epoch, and tell the validation loss of
    each epoch. Without validation samples the last epoch counts."""
    features = list(model.features.parameters())
    inside = set(map(id, features))
    optimiser = torch.optim.Adam(
        [
            {"params": [p for p in model.parameters() if id(p) not in inside], "lr": schedule.head_rate},
            {"params": features, "lr": schedule.feature_rate},
        ],
        weight_decay=schedule.weight_decay,
    )
    generator = torch.Generator().manual_seed(seed)
    device = data.samples.device.type
    history: list[float] = []
    best: dict[str, Tensor] = {}
    with steady(seed, small=sum(p.numel() for p in model.parameters()) < SMALL):
        for _ in range(schedule.epochs_for(len(data))):
            mode(model, schedule.freeze_norm)
            for rows in batches(len(data), schedule.batch, generator):
                rows = rows.to(data.samples.device)
                with torch.autocast(device, enabled=schedule.autocast):
                    value = loss(model, data.samples[rows], data.labels[rows], data.weights[rows])
                optimiser.zero_grad(set_to_none=True)
                value.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            history.append(validation_loss(model, validation) if len(validation) else -float(len(history)))
            if history[-1] <= min(history):
                best = copy.deepcopy(model.state_dict())
            elif len(history) - 1 - history.index(min(history)) >= schedule.patience:
                break
    model.load_state_dict(best)
    model.eval()
    return history


def batches(count: int, size: int, generator: torch.Generator) -> Iterator[Tensor]:
    """A shuffled pass over all samples. A last batch of one is left out: BatchNorm cannot normalise it."""
    for rows in torch.split(torch.randperm(count, generator=generator), size):
        if len(rows) > 1 or count == 1:
            yield rows


def mode(model: Classified, freeze_norm: bool) -> None:
    """Training mode, with BatchNorm's statistics kept as they are if asked for."""
    model.train()
    if freeze_norm:
        for part in model.modules():
            if isinstance(part, nn.modules.batchnorm._BatchNorm):
                part.eval()


def validation_loss(model: Classified, validation: Labelled) -> float:
    """The weighted mean of the cross entropy."""
    logits = logits_of(model, validation.samples)
    losses = functional.cross_entropy(logits, validation.labels, reduction="none")
    return float((losses * validation.weights).sum() / validation.weights.sum())


def logits_of(model: nn.Module, samples: Tensor) -> Tensor:
    """What a model says, in evaluation mode and without gradients."""
    model.eval()
    with torch.no_grad():
        return torch.cat([model(part) for part in torch.split(samples, EVALUATE)])


@contextlib.contextmanager
def steady(seed: int, small: bool) -> Iterator[None]:
    """Randomness inside (dropout) from the seed. A small network runs on one thread of the CPU: it gains
    nothing from more, and loses much on a busy machine."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        if small:
            torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
