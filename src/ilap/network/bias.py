"""A scale and a shift of every class's logit, fitted to validation samples.

The authors' released code ends every training with it, as BiC does for new classes (Wu et al., "Large Scale
Incremental Learning", CVPR 2019). Only these numbers move: the network stays as it was trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

RATE = 1e-2


@dataclass(frozen=True)
class Bias:
    """logit_k becomes scale_k * logit_k + shift_k."""

    scale: Tensor
    shift: Tensor

    def __call__(self, logits: Tensor) -> Tensor:
        """Corrected logits."""
        return logits * self.scale + self.shift

    def only(self, kept: Sequence[int]) -> Bias:
        """For some of the classes."""
        return Bias(self.scale[list(kept)], self.shift[list(kept)])


def fit_bias(
    logits: Tensor,
    labels: Tensor,
    weights: Tensor,
    steps: int,
    free: Sequence[int] | None = None,
    shift_penalty: float = 0.0,
) -> Bias:
    """Minimise the weighted cross entropy of corrected logits by Adam, all samples at once. ``free`` are the
    columns that are corrected, all of them by default; ``shift_penalty`` times the shifts' squares is added."""
    moves = torch.zeros(logits.shape[1], device=logits.device)
    moves[list(range(logits.shape[1])) if free is None else list(free)] = 1
    scale = torch.ones_like(moves, requires_grad=True)
    shift = torch.zeros_like(moves, requires_grad=True)
    optimiser = torch.optim.Adam([scale, shift], lr=RATE)
    for _ in range(steps):
        losses = functional.cross_entropy(logits * scale + shift, labels, reduction="none")
        loss = (losses * weights).sum() / weights.sum() + shift_penalty * (shift**2).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for parameter in (scale, shift):
            if parameter.grad is not None:
                parameter.grad *= moves
        optimiser.step()
    return Bias(scale.detach(), shift.detach())
