"""The linear head, with a row for every class, and several heads on frozen features, trained side by side.

The heads of a trial differ in what they are shown, not in how they are trained. So their weights are one
tensor, and a step moves all of them: each as if it were trained alone (training.py), in less time.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from ilap.network.training import SMALL, Labelled, Lesson, batches, steady


class Heads(nn.Module):
    """Heads with equally many classes: samples (heads, n, features) to logits (heads, classes, n)."""

    def __init__(self, heads: Sequence[nn.Linear]) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.stack([head.weight.detach() for head in heads]))
        self.bias = nn.Parameter(torch.stack([head.bias.detach() for head in heads])[:, :, None])

    def forward(self, samples: Tensor) -> Tensor:
        """Logits."""
        return torch.baddbmm(self.bias, self.weight, samples.transpose(1, 2))


def train_heads(lessons: Sequence[Lesson]) -> None:
    """Train the head of every lesson in place, all by the first one's schedule, and leave each with the weights
    of its best epoch. Without validation samples the last epoch counts."""
    heads, schedule = [lesson.model.head for lesson in lessons], lessons[0].schedule
    together = Heads(heads)
    samples = stacked([lesson.data for lesson in lessons])
    held_out = stacked([lesson.validation for lesson in lessons])
    optimiser = torch.optim.Adam(
        together.parameters(), lr=schedule.head_rate, weight_decay=schedule.weight_decay
    )
    generators = [torch.Generator().manual_seed(seed) for seed in (lesson.seed for lesson in lessons)]
    every = torch.arange(len(heads), device=samples.labels.device)
    lowest = torch.full((len(heads),), math.inf, device=every.device)
    waited = torch.zeros_like(every)
    best = [one.detach().clone() for one in together.parameters()]
    count = samples.labels.shape[1]
    with steady(lessons[0].seed, small=together.weight.numel() < SMALL):
        for _ in range(schedule.epochs_for(count)):
            for rows in zip(*(batches(count, schedule.batch, own) for own in generators), strict=True):
                batch = chosen(samples, torch.stack(rows).to(every.device))
                optimiser.zero_grad(set_to_none=True)
                losses(together, batch).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            with torch.no_grad():
                reached = losses(together, held_out) if held_out.labels.shape[1] else lowest - 1
            better = (reached <= lowest) & (waited < schedule.patience)
            lowest = torch.where(better, reached, lowest)
            waited = torch.where(better, 0, waited + 1)
            for kept, now in zip(best, together.parameters(), strict=True):
                kept[better] = now.detach()[better]
            if bool((waited >= schedule.patience).all()):
                break
    for head, weight, bias in zip(heads, *best, strict=True):
        head.weight, head.bias = nn.Parameter(weight), nn.Parameter(bias[:, 0])


def losses(heads: Heads, batch: Labelled) -> Tensor:
    """Of every head the mean cross entropy of its samples, each with its weight."""
    each = functional.cross_entropy(heads(batch.samples), batch.labels, reduction="none")
    return (each * batch.weights).sum(1) / batch.weights.sum(1).clamp(min=1e-12)


def stacked(sets: Sequence[Labelled]) -> Labelled:
    """Samples of all heads as one; where a head has fewer than another, samples of no weight fill up."""
    return Labelled(
        pad_sequence([own.samples for own in sets], batch_first=True),
        pad_sequence([own.labels for own in sets], batch_first=True),
        pad_sequence([own.weights for own in sets], batch_first=True),
    )


def chosen(sets: Labelled, rows: Tensor) -> Labelled:
    """Some samples of every head, by their rows (heads, n)."""
    heads, count = sets.labels.shape
    flat = (rows + count * torch.arange(heads, device=rows.device)[:, None]).flatten()
    samples = sets.samples.flatten(0, 1).index_select(0, flat).view(heads, rows.shape[1], -1)
    return Labelled(samples, sets.labels.gather(1, rows), sets.weights.gather(1, rows))


def head_of(head: nn.Linear, kept: Sequence[int], fresh: int, seed: int, zero: bool = False) -> nn.Linear:
    """A head with some rows of another and ``fresh`` new ones after them, drawn from the seed or zero."""
    new = empty_head(head.in_features)
    if fresh:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            new = nn.Linear(head.in_features, fresh)
    grown = copy.deepcopy(head)
    device = head.weight.device
    scale = 0.0 if zero else 1.0
    weight, bias = new.weight.detach().to(device) * scale, new.bias.detach().to(device) * scale
    grown.weight = nn.Parameter(torch.cat([head.weight.detach()[list(kept)], weight]))
    grown.bias = nn.Parameter(torch.cat([head.bias.detach()[list(kept)], bias]))
    grown.out_features = len(kept) + fresh
    return grown


def empty_head(features: int) -> nn.Linear:
    """A head with no class."""
    head = nn.Linear(features, 1, device="meta")  # draws no random number
    head.weight, head.bias = nn.Parameter(torch.empty(0, features)), nn.Parameter(torch.empty(0))
    head.out_features = 0
    return head
