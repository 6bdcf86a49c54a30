"""The network with a confidence branch: it learns to say how sure it is.

DeVries and Taylor, "Learning Confidence for Out-of-Distribution Detection in Neural Networks" (2018). Beside
the head, one linear unit on the same features gives c = sigmoid(g(x)), and training may ask for hints:

    p' = c p + (1 - c) y        the prediction, mixed with the answer as far as the network is not confident
    L  = -log p'_y + lambda (-log c)

Hints are given to a random half of every batch, else the network would lean on them; -log c counts for all.
Lambda starts at .1 and keeps -log c near a budget of .3: after every batch it is divided by 1.01 where the mean
of -log c is below the budget, else by .99. All probabilities stay within 1e-12 of 0 and 1.

The branch changes what the features become, so this is a classifier of its own. A trial trains without hints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ilap.backbones.load import Source
from ilap.core.classifier import Array
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.network.network import Network, create_network
from ilap.network.parameters import Parameters
from ilap.network.training import Classified, logits_of

BUDGET = 0.3
FIRST_LAMBDA = 0.1
HINTED = 0.5  # the share of samples that get hints
CLAMP = 1e-12


class Branched(Classified):
    """Features, a head, and the confidence unit."""

    def __init__(self, features: nn.Module, head: nn.Linear, confidence: nn.Linear) -> None:
        super().__init__(features, head)
        self.confidence = confidence

    def both(self, samples: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and the confidence of each sample."""
        features = self.features(samples)
        return self.head(features), torch.sigmoid(self.confidence(features))[:, 0]


@dataclass
class Hinted:
    """The loss, for one training: lambda moves from batch to batch."""

    weight: float = FIRST_LAMBDA

    def __call__(self, model: Classified, samples: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
        """The loss of a batch; hints are drawn from torch's random numbers."""
        assert isinstance(model, Branched)
        logits, confidence = model.both(samples)
        hints = torch.bernoulli(torch.full_like(confidence, HINTED)).bool()
        own = torch.softmax(logits.float(), 1).gather(1, labels[:, None])[:, 0]
        told, doubt = parts(own, confidence.float(), hints)
        shares = weights / weights.sum()
        doubted = float((doubt.detach() * shares).sum())
        loss = (told * shares).sum() + self.weight * (doubt * shares).sum()
        self.weight = adjusted(self.weight, doubted)
        return loss


def parts(own: Tensor, confidence: Tensor, hints: Tensor) -> tuple[Tensor, Tensor]:
    """-log p'_y and -log c of every sample; ``own`` is the probability of the right class, p_y.

    >>> told, doubt = parts(torch.tensor([0.2, 0.2]), torch.tensor([0.5, 0.5]), torch.tensor([True, False]))
    >>> told.exp().reciprocal().tolist()  # .5 x .2 + .5, and .2 without a hint
    [0.6000000238418579, 0.20000000298023224]
    """
    own, confidence = own.clamp(CLAMP, 1 - CLAMP), confidence.clamp(CLAMP, 1 - CLAMP)
    trusted = torch.where(hints, confidence, torch.ones_like(confidence))
    return -torch.log(trusted * own + (1 - trusted)), -torch.log(confidence)


def adjusted(weight: float, doubt: float) -> float:
    """Lambda after a batch whose mean -log c was ``doubt``.

    >>> round(adjusted(0.1, 0.29), 6), round(adjusted(0.1, 0.31), 6)
    (0.09901, 0.10101)
    """
    return weight / 1.01 if doubt < BUDGET else weight / 0.99


class Confident(Network):
    """The network, with the branch trained along in every update."""

    @property
    def capabilities(self) -> frozenset[str]:
        """The confidence too."""
        return super().capabilities | {"confidence"}

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Confident:
        """Train with hints on all exemplars and the exposure under its label."""
        new = class_id not in self.classes
        column = len(self.classes) if new else self.classes.index(class_id)
        learned = self._trained(self._lesson(exposure, column, memory.train, memory.val, seed), Hinted())
        return replace(learned, classes=(*self.classes, class_id)) if new else learned

    def confidences(self, samples: NDArray[Any]) -> Array:
        """How sure the network says it is of every sample, between 0 and 1."""
        branch = self.model
        assert isinstance(branch, Branched)
        features = logits_of(branch.features, self._tensor(samples))
        with torch.no_grad():
            confidence: Array = torch.sigmoid(branch.confidence(features))[:, 0].double().cpu().numpy()
        return confidence


def create(parameters: Parameters, source: Source, seed: int) -> Confident:
    """A network that knows no class yet, and how sure it is of nothing."""
    plain = create_network(Confident, parameters, source, seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        unit = nn.Linear(plain.parts.dim, 1)
    branched = Branched(plain.model.features, plain.model.head, unit).to(plain.device)
    return replace(plain, model=branched)
