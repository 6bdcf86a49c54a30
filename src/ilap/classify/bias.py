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
STEPS = 10  # an epoch


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


def fit_bias(logits: Tensor, labels: Tensor, weights: Tensor, epochs: int) -> Bias:
    """Minimise the weighted cross entropy of corrected logits by Adam, all samples at once."""
    scale = torch.ones(logits.shape[1], device=logits.device, requires_grad=True)
    shift = torch.zeros(logits.shape[1], device=logits.device, requires_grad=True)
    optimiser = torch.optim.Adam([scale, shift], lr=RATE)
    for _ in range(epochs * STEPS):
        losses = functional.cross_entropy(logits * scale + shift, labels, reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return Bias(scale.detach(), shift.detach())
