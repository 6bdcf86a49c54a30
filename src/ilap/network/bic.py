"""BiC: incremental learning with distillation and a correction of the bias towards new classes.

Wu et al., "Large Scale Incremental Learning" (CVPR 2019), in two stages. With n old classes and m new ones:

1.  L = lambda Ld + (1 - lambda) Lc,  lambda = n / (n + m): cross entropy Lc over all classes, and distillation

        Ld = - sum_k softmax(o'/T)_k log softmax(o/T)_k,  T = 2,

    over the old outputs, on all samples; o' are the old network's logits, corrected as they were last.
2.  With the network fixed, the new class's logit becomes alpha o + beta, fitted on held-out samples in which
    all classes weigh the same, with .05 beta^2 added. Only the latest pair is applied: earlier ones have
    reached the network through distillation.

One class comes at a time, so m = 1. Where a known class comes again, it is the "new" one: the n others are
distilled, its logit is corrected. Samples for stage 2 (P_val and E_val) are never trained on. Where one old
class is left there is nothing to distil, and cross entropy stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ilap.backbones.load import Source
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import share
from ilap.network import parameters as network_parameters
from ilap.network.bias import fit_bias
from ilap.network.network import Network, create_network
from ilap.network.training import Classified, Loss, cross_entropy, logits_of

TEMPERATURE = 2.0
STEPS = 200
SHIFT_PENALTY = 0.05  # half of 0.1, which the authors' code gives to beta^2 / 2


@dataclass(frozen=True)
class Parameters(network_parameters.Parameters):
    """The network's, and one of its own."""

    distill_at_most: float = 1.0  # the largest weight of distillation against cross entropy

    def __post_init__(self) -> None:
        super().__post_init__()
        share("distill_at_most", self.distill_at_most)


class Bic(Network):
    """The paper's network, taught in BiC's way."""

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Bic:
        """Both stages."""
        new = class_id not in self.classes
        column = len(self.classes) if new else self.classes.index(class_id)
        loss = self._distilling([other for other in range(len(self.classes)) if other != column])
        learned = self._trained(self._lesson(exposure, column, memory.train, memory.val, seed), loss)
        held_out = self._labelled(memory.val, exposure, True, column, np.ones(len(self.classes) + new))
        classes = (*self.classes, class_id) if new else self.classes
        if len(classes) < 2 or not len(held_out):
            return replace(learned, classes=classes)
        counts = torch.bincount(held_out.labels, minlength=len(classes)).float()
        bias = fit_bias(
            logits_of(learned.model, held_out.samples),
            held_out.labels,
            (1 / counts.clamp(min=1))[held_out.labels],
            STEPS,
            free=[column],
            shift_penalty=SHIFT_PENALTY,
        )
        return replace(learned, classes=classes, bias=bias)

    def _distilling(self, old: list[int]) -> Loss:
        """The loss of stage 1."""
        if len(old) < 2:
            return cross_entropy
        most = self.parameters.distill_at_most if isinstance(self.parameters, Parameters) else 1.0
        weight = min(len(old) / (len(old) + 1), most)

        def loss(model: Classified, samples: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
            with torch.no_grad():
                teacher = self.model(samples)
                teacher = (self.bias(teacher) if self.bias else teacher)[:, old]
            logits = model(samples)
            classified = functional.cross_entropy(logits, labels, reduction="none")
            each = weight * distillation(teacher, logits[:, old]) + (1 - weight) * classified
            return (each * weights).sum() / weights.sum()

        return loss


def distillation(teacher: Tensor, student: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """How far a student's logits are from a teacher's, for every sample: the cross entropy of the two softened.

    >>> equal = distillation(torch.tensor([[0.0, 2.0]]), torch.tensor([[5.0, 7.0]]))
    >>> [round(float(value), 4) for value in equal]  # the entropy of softmax([0, 1]): nothing to gain
    [0.5822]
    """
    target = functional.softmax(teacher / temperature, 1)
    return -(target * functional.log_softmax(student / temperature, 1)).sum(1)


def create(parameters: Parameters, source: Source, seed: int) -> Bic:
    """A network that knows no class yet."""
    return create_network(Bic, parameters, source, seed)
