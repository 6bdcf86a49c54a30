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
from torch import Tensor
from torch.nn import functional

from ilap.backbones import runtime
from ilap.backbones import runtime as pixels
from ilap.backbones.load import Source
from ilap.core.classifier import BASIC, Array, Trial
from ilap.core.errors import BadFeatures, BadSetting
from ilap.core.exemplars import Exemplars, Memory
from ilap.core.exposure import Picture, Samples
from ilap.core.rule import RULE
from ilap.network.bias import Bias, fit_bias
from ilap.network.frozen_part import Parts, parts_of
from ilap.network.heads import empty_head, head_of, train_heads
from ilap.network.maps import Reduce, reduced_maps
from ilap.network.parameters import Parameters
from ilap.network.training import (
    Classified,
    Labelled,
    Lesson,
    Loss,
    Schedule,
    cross_entropy,
    in_trials,
    logits_of,
    schedule_of,
    train,
)
from ilap.network.trial import Draw, averaged, draws, judges_of, outcome

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
        """What detection training does to the old classes."""
        drawn = draws(self.classes, exposure, memory, imbalance, self.parameters, seed)
        judges = judges_of(self.classes, memory, self.parameters)
        said = [copied._probabilities(judges.samples) for copied in self._confused(drawn)]
        before = self._confidence({class_id: memory.val[class_id] for class_id in self.classes})
        return outcome(before, judges, *averaged(drawn, said))

    def confused(self, exposure: Samples, memory: Memory, imbalance: float, seed: int) -> Self:
        """Detection training: a copy for which the exposure is one class more; the first of several."""
        return self._confused(draws(self.classes, exposure, memory, imbalance, self.parameters, seed)[:1])[0]

    def _confused(self, drawn: Sequence[Draw]) -> list[Self]:
        """A copy for each; heads on frozen features are trained side by side."""
        new = len(self.classes)
        lessons = [
            self._lesson(one.exposure, new, one.train, one.val, one.seed, one.weights, in_trial=True)
            for one in drawn
        ]
        if not self.parameters.frozen or self.parameters.bias_layer:
            return [self._trained(lesson) for lesson in lessons]
        train_heads(lessons)
        return [replace(self, model=lesson.model.eval(), bias=None) for lesson in lessons]

    def learn(self, exposure: Samples, class_id: int, memory: Memory, seed: int) -> Self:
        """Train a copy on all exemplars and the exposure under its label."""
        new = class_id not in self.classes
        column = len(self.classes) if new else self.classes.index(class_id)
        learned = self._trained(self._lesson(exposure, column, memory.train, memory.val, seed))
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
        """Accuracy on P_val with one more sample granted, (hits + 1) / n: of few samples chance alone would
        take some classes below the paper's 20 %."""
        measured = self._confidence({class_id: memory.val[class_id] for class_id in self.classes})[0]
        counts = np.array([len(memory.val[class_id]) for class_id in self.classes])
        granted = np.minimum(measured + 1 / np.maximum(counts, 1), 1.0)
        by_class = dict(zip(self.classes, np.where(counts < RULE.naming.measurable, 1.0, granted), strict=True))
        return np.array([by_class[class_id] for class_id in classes])

    def _lesson(
        self,
        exposure: Samples,
        column: int,
        train_pools: Mapping[int, Exemplars],
        val_pools: Mapping[int, Exemplars],
        seed: int,
        val_weights: Sequence[float] = (),
        in_trial: bool = False,
    ) -> Lesson:
        """A copy with the head that training starts from, to learn old samples and the exposure as the class in
        this column, which may be one more than there are."""
        old = list(range(len(self.classes)))
        grown = max(column + 1, len(old))
        start = self.parameters.trial_head if in_trial else self.parameters.update_head
        kept = old if start in ("copy", "warm") or grown == 1 else []
        model = copy.deepcopy(self.model)
        model.head = head_of(model.head, kept, grown - len(kept), seed, start == "zero").to(self.device)
        weights = np.ones(grown)
        weights[column] = self.parameters.repeat_weight if column in old else 1.0
        data = self._labelled(train_pools, exposure, False, column, weights)
        validation = self._labelled(val_pools, exposure, True, column, [*val_weights, *[1.0] * grown][:grown])
        schedule = in_trials(self.schedule, self.parameters) if in_trial else self.schedule
        return Lesson(model, data, validation, schedule, seed)

    def _trained(self, lesson: Lesson, loss: Loss = cross_entropy) -> Self:
        """The lesson's copy, trained. With one class there is nothing to tell apart, and nothing is trained."""
        model, validation = lesson.model, lesson.validation
        result = replace(self, model=model, bias=None)
        if model.head.out_features == 1:
            model.eval()
            return result
        train(model, lesson.data, validation, lesson.schedule, lesson.seed, loss)
        if self.parameters.bias_layer and len(validation):
            logits = logits_of(model, validation.samples)
            steps = lesson.schedule.epochs * BIAS_STEPS
            result = replace(result, bias=fit_bias(logits, validation.labels, validation.weights, steps))
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


Kind = TypeVar("Kind", bound=Network)


def create_network(kind: type[Kind], parameters: Parameters, source: Source, seed: int) -> Kind:
    """A network of this kind, which knows no class yet."""
    device = runtime.device(parameters.device)
    parts = parts_of(source, parameters.trainable, seed, device)
    schedule = schedule_of(parameters, parts.head_rate, parts.feature_rate)
    model = Classified(parts.trained, empty_head(parts.dim)).to(device)
    return kind(parts, model, parameters, schedule, device)


def create(parameters: Parameters, source: Source, seed: int) -> Network:
    """A network that knows no class yet."""
    return create_network(Network, parameters, source, seed)
