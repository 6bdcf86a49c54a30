"""ODIN: the softmax at a temperature, after a small step of the picture towards what the network takes it for.

    S_T(x)  = softmax(o(x) / T),   y = argmax_k o(x)_k
    x'      = x - epsilon sign(-d log S_T(x)_y / dx)       a gradient of 0 counts as positive
    score   = 1 - max_k S_T(x')_k

Liang, Li and Srikant, "Enhancing The Reliability of Out-of-distribution Image Detection in Neural Networks"
(ICLR 2018). Epsilon is in units of pixels between 0 and 1: the step is taken there, in front of the network's
own normalisation, so that at the normalised input it is epsilon / std of each channel, as in the authors'
code.

The gradient is that at the pixels: the whole network runs in torch, even where activations are kept for
training. The paper's T and epsilon, 2 and .0012, are the defaults. They were found by the lowest FPR of a grid
(A.1); ``GRID`` and ``best`` do that where scores and truths are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ilap.core.classifier import Array, Classifier
from ilap.core.errors import BadSetting
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.metrics import auroc, fpr95
from ilap.core.parameters import at_least
from ilap.detect.capabilities import GivesGradients, require
from ilap.detect.contract import Finding, Threshold, judge, too_few

BATCH = 32
GRID = tuple((t, e) for t in (1.0, 2.0, 10.0, 100.0, 1000.0) for e in (0.0, 0.0006, 0.0012, 0.0024, 0.004))
"""Temperatures and steps that are tried on request."""

Network = Callable[[Tensor], Tensor]


def stepped(network: Network, pixels: Tensor, temperature: float, step: float) -> Tensor:
    """Pictures moved by ``step`` in every pixel, so that the likeliest class gets likelier.

    >>> stepped(lambda x: x * torch.tensor([1.0, -1.0]), torch.tensor([[3.0, 1.0]]), 2.0, 0.5).tolist()
    [[3.5, 1.5]]
    """
    pixels = pixels.detach().clone().requires_grad_()
    logits = network(pixels) / temperature
    loss = functional.cross_entropy(logits, logits.argmax(1), reduction="sum")
    (gradient,) = torch.autograd.grad(loss, pixels)
    return pixels.detach() - step * torch.where(gradient >= 0, 1.0, -1.0)


def doubts(network: Network, pixels: Tensor, temperature: float, step: float) -> tuple[Array, NDArray[np.intp]]:
    """The score of every picture, and the class that the network takes it for."""
    moved = stepped(network, pixels, temperature, step) if step else pixels
    with torch.no_grad():
        softened = functional.softmax(network(moved).double() / temperature, 1)
    largest, named = softened.max(1)
    return (1 - largest).cpu().numpy(), named.cpu().numpy()


def best(
    scores: Mapping[tuple[float, float], Sequence[float]], novel: Sequence[bool]
) -> tuple[float, float] | None:
    """The temperature and step with the lowest FPR95, and of equals that with the highest AUROC.

    >>> best({(1.0, 0.0): [0.1, 0.5, 0.4], (2.0, 0.0012): [0.1, 0.2, 0.4]}, [False, False, True])
    (2.0, 0.0012)
    """
    found = {pair: (fpr95(values, novel), auroc(values, novel)) for pair, values in scores.items()}
    ranked = [(f, -a, pair) for pair, (f, a) in found.items() if f is not None and a is not None]
    return min(ranked)[2] if ranked else None


@dataclass(frozen=True)
class Parameters(Threshold):
    """The paper's (A.1)."""

    temperature: float = 2.0  # [T] divides the logits
    epsilon: float = 0.0012  # [epsilon] the step at the pixels, which lie between 0 and 1

    def __post_init__(self) -> None:
        at_least("epsilon", self.epsilon, 0)
        if self.temperature <= 0:
            raise BadSetting(f"temperature is {self.temperature}: take more than 0.")


@dataclass(frozen=True)
class Odin:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"gradients"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the mean doubt after the step."""
        network: GivesGradients = require("odin", self.needs, classifier)
        if few := too_few(classifier, 2):
            return few
        parts = torch.split(network.pixels(exposure), BATCH)
        step = 255 * self.parameters.epsilon
        found = [doubts(network.from_pixels, part, self.parameters.temperature, step) for part in parts]
        scores = np.concatenate([scores for scores, _ in found])
        return judge(
            scores, np.concatenate([named for _, named in found]), classifier, self.parameters.threshold
        )


create = Odin
