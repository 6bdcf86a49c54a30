"""How scores drift as classes are learned: the measurements behind figure 3.

A model is taught one class after the other. After each, exposures of classes that it knows (which come again)
and of classes that it does not know are scored by every detector; some classes are never taught, so that there
are new ones to the end. Nothing is learned from what is scored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ilap.bench.data import dataset, described
from ilap.bench.jobs import Line
from ilap.bench.learners.hindsight import best_threshold
from ilap.bench.run import Taught, untaught
from ilap.bench.stream import Plan, plan
from ilap.core.exemplars import merge
from ilap.core.exposure import Exposure
from ilap.core.settings import Settings, resolve
from ilap.detect.confusion import Confusion, Parameters
from ilap.detect.distance import direction
from ilap.paper.published import LAMBDA, THETA

FIRST = 2  # classes that are known when scoring begins
KINDS = ("learned", "novel")


@dataclass(frozen=True)
class Drift:
    """One data set, one model, one seed; a line for every class that is learned. ``asked`` is how many
    exposures of each kind every detector is asked about, where not all."""

    data: str
    preset: str
    seed: int
    exposure_size: int
    classes: int
    untaught: int
    changes: Mapping[str, Any] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """For the bars."""
        return f"{self.data} drift seed {self.seed}"

    @property
    def inputs(self) -> dict[str, Any]:
        """The data, the model, and what is asked."""
        own = {"seed": self.seed, "exposure_size": self.exposure_size, "classes": self.classes}
        asked = {"untaught": self.untaught, "asked": dict(self.asked), "settings": self.settings.plain()}
        return {**described(self.data), **own, **asked}

    @property
    def steps(self) -> int:
        """One a class, from the second on."""
        return self.classes - self.untaught - FIRST + 1

    @property
    def settings(self) -> Settings:
        """Of the model."""
        return resolve(self.preset, self.changes)

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """Teach a class, then score; what was scored before is only taught."""
        stream = plan(
            dataset(self.data), Plan(self.exposure_size, 2, classes=self.classes), self.seed, self.seed
        )
        labels = [int(k) for k in np.random.default_rng(self.seed).permutation(sorted(set(stream.truths)))]
        shown = {label: [n for n, truth in enumerate(stream.truths) if truth == label] for label in labels}
        model = untaught(self.settings, self.seed)
        for class_id, label in enumerate(labels[: self.classes - self.untaught]):
            number = shown[label][0]
            samples, seed = model.samples(stream.exposure(number), number)
            model = model.learn(samples, class_id, seed)
            known = class_id + 1
            if known < FIRST + len(done):
                continue
            started = time.perf_counter()
            again = [shown[own][1] for own in labels[:known]]
            fresh = [shown[own][0] for own in reversed(labels[known:])]  # those never taught come first
            scores = {
                name: {
                    kind: asked(model, [(stream.exposure(n), n) for n in numbers[: self.asked.get(name)]])
                    for kind, numbers in zip(KINDS, (again, fresh), strict=True)
                }
                for name, asked in ASKED.items()
            }
            yield {"known": known, "scores": scores, "seconds": round(time.perf_counter() - started, 3)}


Shown = Sequence[tuple[Exposure, int]]


def by_distance(model: Taught, shown: Shown) -> list[float]:
    """The detector's score (detect/distance.py), with the class means computed once for all exposures."""
    look, memory = model.classifier.features, model.memory
    pools = [merge(memory.train[k], memory.val[k]).samples for k in model.classifier.classes]
    centres = np.stack([direction(look(pool)) for pool in pools])
    seen = [direction(look(model.samples(exposure, number)[0].rows)) for exposure, number in shown]
    return [round(float(np.linalg.norm(centres - own, axis=1).min()), 5) for own in seen]


def by_confusion(model: Taught, shown: Shown) -> list[float]:
    """Minus the largest drop at the paper's lambda."""
    detector = Confusion(Parameters(LAMBDA, THETA))
    asked = [model.samples(exposure, number) for exposure, number in shown]
    return [round(detector(model.classifier, own, model.memory, seed).score, 5) for own, seed in asked]


ASKED: Mapping[str, Callable[[Taught, Shown], list[float]]] = {
    "distance": by_distance,
    "confusion": by_confusion,
}


def best_at_end(lines: Sequence[Line], name: str) -> float:
    """The threshold with the highest F-score when all classes are learned (section 5.2)."""
    scores = lines[-1]["scores"][name]
    values = [value for kind in KINDS for value in scores[kind]]
    return best_threshold(values, [kind == "novel" for kind in KINDS for _ in scores[kind]])


def wrong(lines: Sequence[Line], name: str, threshold: float, kind: str, early: bool) -> list[bool]:
    """Of the exposures of a kind in the earlier or the later half, which ones a threshold decides wrong: what
    is learned and lies above it, or what is novel and does not."""
    half = (lines[0]["known"] + lines[-1]["known"]) / 2
    return [
        (value > threshold) == (kind == "learned")
        for line in lines
        if (line["known"] < half) == early
        for value in line["scores"][name][kind]
    ]
