"""The paper's classifier: a network that learns its own features, with a head that grows (section 3).

Detection trains a copy with the exposure as class K+1, on the exemplars thinned out to a share 1 - lambda of
the exposure's training part, and throws it away. The update starts again from the weights before detection,
on all exemplars. The copy includes BatchNorm's statistics.

Below the stage from which on it is trained (``trainable``), everything is frozen and computed once an exposure,
and the exemplars are kept as activations of the frozen part. From pixels, an exemplar takes side x side x 3
bytes: 200 of them 0.5 MB a class at 28 px, 30 MB at 224 px.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ilap.backbones import pictures as pixels
from ilap.backbones import runtime
from ilap.backbones.load import Source
from ilap.core.classifier import BASIC, Array, Trial
from ilap.core.errors import BadFeatures, BadSetting
from ilap.core.exemplars import Exemplars, Memory
from ilap.core.exposure import Picture, Samples
from ilap.core.rule import RULE
from ilap.network.bias import Bias, fit_bias
from ilap.network.frozen_part import Parts, parts_of
from ilap.network.maps import Reduce, reduced_maps
from ilap.network.parameters import Parameters
from ilap.network.training import Classified, Labelled, Loss, Schedule, cross_entropy, logits_of, train

BIAS_STEPS = 10  # an epoch


@dataclass(frozen=True)
class Network:
    """The classifier. Modules are never changed: training works on copies."""

    parts: Parts
    model: Classified
    parameters: Parameters
    schedule: Schedule
    device: str
    classes: tuple[int, ...] = ()
    bias: Bias | None = None

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """The pictures, or what the frozen part makes of them."""
        rows = self.parts.samples(pictures)
        if rows.dtype != np.uint8 and not np.isfinite(rows).all():
            raise BadFeatures(f"The frozen part of {self.parts.key} gave a number that is not finite.")
        return rows

    def features(self, samples: NDArray[Any]) -> NDArray[Any]:
        """The network's own features, as they are now."""
        features: NDArray[Any] = logits_of(self.model.features, self._tensor(samples)).cpu().numpy()
        return features

    def probabilities(self, samples: NDArray[Any]) -> Array:
        """The softmax of the head."""
        rows = self._probabilities(samples).astype(np.float64)
        probabilities: Array = rows / rows.sum(1, keepdims=True)
        return probabilities

    @property
    def capabilities(self) -> frozenset[str]:
        """Gradients and maps too, unless the backbone is frozen whole and run outside torch."""
        inside = {"gradients", "maps"} if self.parts.below is not None else set()
        return BASIC | {"logits"} | inside

    def logits(self, samples: NDArray[Any]) -> Array:
        """What the head says before the softmax."""
        return self._logits(samples).cpu().numpy().astype(np.float64)

    def pixels(self, exposure: Samples) -> Tensor:
        """The exposure's pictures as the whole network takes them, in numbers from 0 to 255."""
        if exposure.rows.dtype == np.uint8:
            return self._tensor(exposure.rows).float()
        if not len(exposure.pictures):
            raise BadSetting(
                "The exposure came as activations without its pictures, and gradients at the pixels are asked "
                "for: take trainable=all, or samples that hold their pictures."
            )
        return self._tensor(pixels.square(exposure.pictures, self.parts.side)).float()

    def from_pixels(self, pictures: Tensor) -> Tensor:
        """Logits of pictures by the whole network, frozen part and all, with gradients."""
        assert self.parts.below is not None
        logits: Tensor = self.model.eval()(self.parts.below(pictures))
        return self.bias(logits) if self.bias else logits

    def maps(self, samples: NDArray[Any], reduce: Reduce) -> list[NDArray[Any]]:
        """What ``reduce`` makes of the activations of every layer of the trained part."""
        return reduced_maps(self.model.eval().features, self._tensor(samples), reduce)

    def trial(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Trial:
        """What detection training does to the accuracy on P_val."""
        val = {class_id: memory.val[class_id] for class_id in self.classes}
        before = self._confidence(val)
        after = self.confused(exposure, memory, imbalance, seed)._confidence(val)
        return Trial(
            before=before[0],
            after=after[0],
            after_at_least=after[0],
            evidence=before[1] - after[1],
            resolved=np.ones(len(self.classes), bool),
        )

    def confused(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Self:
        """Detection training: a copy for which the exposure is one class more. Where the criterion is not
        plain, the validation loss that stops it gives each old class the weight against the exposure that it
        has in training. Otherwise the two labels of a repeated class would weigh the same, and training would
        stop where they are most ambiguous."""
        val = {class_id: memory.val[class_id] for class_id in self.classes}
        rng = np.random.default_rng(seed)
        fresh = {held_out: int((exposure.held_out == held_out).sum()) for held_out in (False, True)}
        wanted = max(1, round((1 - imbalance) * fresh[False]))
        thinned, weights = {}, []
        for class_id in self.classes:
            pool = memory.train[class_id]
            rows = rng.permutation(len(pool))[:wanted]
            thinned[class_id] = Exemplars(pool.samples[rows], pool.origins[rows])
            weights.append(len(rows) / fresh[False] * fresh[True] / max(len(val[class_id]), 1))
        weighted = self.parameters.criterion == "weighted" and fresh[True] > 0
        return self._trained(
            exposure, len(self.classes), thinned, val, seed, weights if weighted else [1.0] * len(weights)
        )

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Self:
        """Train a copy on all exemplars and the exposure under its label."""
        new = class_id not in self.classes
        column = len(self.classes) if new else self.classes.index(class_id)
        learned = self._trained(exposure, column, memory.train, memory.val, seed)
        return replace(learned, classes=(*self.classes, class_id)) if new else learned

    def discard(self, class_id: int) -> Self:
        """Take the class's row out of the head; nothing is trained."""
        kept = [column for column, other in enumerate(self.classes) if other != class_id]
        model = copy.deepcopy(self.model)
        model.head = head_of(model.head, kept, 0, seed=0)
        bias = self.bias.only(kept) if self.bias else None
        return replace(self, model=model, classes=tuple(self.classes[k] for k in kept), bias=bias)

    def affected(self, class_id: int) -> tuple[int, ...]:
        """All: a network may forget anything."""
        return self.classes

    def accuracies(self, memory: Memory, classes: Sequence[int]) -> Array:
        """Accuracy on P_val."""
        measured = self._confidence({class_id: memory.val[class_id] for class_id in self.classes})[0]
        few = [len(memory.val[class_id]) < RULE.naming.measurable for class_id in self.classes]
        by_class = dict(zip(self.classes, np.where(few, 1.0, measured), strict=True))
        return np.array([by_class[class_id] for class_id in classes])

    def _trained(
        self,
        exposure: Samples,
        column: int,
        train_pools: Mapping[int, Exemplars],
        val_pools: Mapping[int, Exemplars],
        seed: int,
        val_weights: Sequence[float] = (),
        loss: Loss = cross_entropy,
    ) -> Self:
        """A copy, trained on old samples and the exposure as the class in this column, which may be one more
        than there are. With one class there is nothing to tell apart, and nothing is trained."""
        old = list(range(len(self.classes)))
        grown = max(column + 1, len(old))
        kept = [] if self.parameters.fresh_head and grown > 1 else old
        model = copy.deepcopy(self.model)
        model.head = head_of(model.head, kept, grown - len(kept), seed).to(self.device)
        result = replace(self, model=model, bias=None)
        if grown == 1:
            model.eval()
            return result
        weights = np.ones(grown)
        weights[column] = self.parameters.repeat_weight if column in old else 1.0
        data = self._labelled(train_pools, exposure, False, column, weights)
        validation = self._labelled(val_pools, exposure, True, column, [*val_weights, *[1.0] * grown][:grown])
        train(model, data, validation, self.schedule, seed, loss)
        if self.parameters.bias_layer and len(validation):
            logits = logits_of(model, validation.samples)
            fitted = fit_bias(logits, validation.labels, validation.weights, self.schedule.epochs * BIAS_STEPS)
            result = replace(result, bias=fitted)
        return result

    def _labelled(
        self,
        pools: Mapping[int, Exemplars],
        exposure: Samples,
        held_out: bool,
        column: int,
        weights: Sequence[float] | Array,
    ) -> Labelled:
        """The pools of all classes and one part of the exposure, with a weight for every class."""
        parts = [(place, pools[class_id].samples) for place, class_id in enumerate(self.classes)]
        parts.append((column, exposure.rows[exposure.held_out == held_out]))
        labels = np.concatenate([np.full(len(rows), place) for place, rows in parts])
        return Labelled(
            self._tensor(np.concatenate([rows for _, rows in parts])),
            torch.from_numpy(labels).to(self.device),
            torch.from_numpy(np.asarray(weights, np.float32)[labels]).to(self.device),
        )

    def _confidence(self, pools: Mapping[int, Exemplars]) -> tuple[Array, Array]:
        """Of each class's samples the share named right and the mean probability of their class; 1 where
        there is no sample."""
        right, confidence = np.ones(len(self.classes)), np.ones(len(self.classes))
        for place, class_id in enumerate(self.classes):
            if len(pools[class_id]):
                probabilities = self._probabilities(pools[class_id].samples)
                right[place] = (probabilities.argmax(1) == place).mean()
                confidence[place] = probabilities[:, place].mean()
        return right, confidence

    def _probabilities(self, samples: NDArray[Any]) -> NDArray[Any]:
        probabilities: NDArray[Any] = functional.softmax(self._logits(samples), 1).cpu().numpy()
        return probabilities

    def _logits(self, samples: NDArray[Any]) -> Tensor:
        logits = logits_of(self.model, self._tensor(samples))
        return (self.bias(logits) if self.bias else logits).float()

    def _tensor(self, samples: NDArray[Any]) -> Tensor:
        tensor = torch.from_numpy(np.ascontiguousarray(samples)).to(self.device)
        return tensor if tensor.dtype == torch.uint8 else tensor.float()


def head_of(head: nn.Linear, kept: Sequence[int], fresh: int, seed: int) -> nn.Linear:
    """A head with some rows of another and ``fresh`` new ones after them, drawn from the seed."""
    new = empty_head(head.in_features)
    if fresh:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            new = nn.Linear(head.in_features, fresh)
    grown = copy.deepcopy(head)
    device = head.weight.device
    grown.weight = nn.Parameter(torch.cat([head.weight.detach()[list(kept)], new.weight.detach().to(device)]))
    grown.bias = nn.Parameter(torch.cat([head.bias.detach()[list(kept)], new.bias.detach().to(device)]))
    grown.out_features = len(kept) + fresh
    return grown


def empty_head(features: int) -> nn.Linear:
    """A head with no class."""
    head = nn.Linear(features, 1, device="meta")  # draws no random number
    head.weight, head.bias = nn.Parameter(torch.empty(0, features)), nn.Parameter(torch.empty(0))
    head.out_features = 0
    return head


Kind = TypeVar("Kind", bound=Network)


def create_network(kind: type[Kind], parameters: Parameters, source: Source, seed: int) -> Kind:
    """A network of this kind, which knows no class yet."""
    device = runtime.device(parameters.device)
    parts = parts_of(source, parameters.trainable, seed, device)
    schedule = Schedule(
        parameters.epochs,
        parameters.batch,
        parameters.patience,
        parts.head_rate if parameters.head_rate is None else parameters.head_rate,
        parts.feature_rate if parameters.feature_rate is None else parameters.feature_rate,
        parameters.weight_decay,
        parameters.freeze_norm,
        parameters.autocast,
    )
    model = Classified(parts.trained, empty_head(parts.dim)).to(device)
    return kind(parts, model, parameters, schedule, device)


def create(parameters: Parameters, source: Source, seed: int) -> Network:
    """A network that knows no class yet."""
    return create_network(Network, parameters, source, seed)
