"""The head: a linear layer with a row for every class, which grows and shrinks with them."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import nn


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
