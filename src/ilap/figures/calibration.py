"""Lambda and theta from labelled pictures (paper 3.3, figure 2).

Half of the classes are taught, an exposure of each. Then every taught class comes again, and every other class
for the first time; each of these exposures is tried as a new class at every lambda, and nothing is learned from
it. With Delta the relative drop of a class's accuracy,

    repeated(lambda) = the mean Delta of the class that came again,
    others(lambda)   = the mean Delta of the classes that did not,
    lambda*          = argmax repeated - others,      theta* = (repeated + others) / 2 at lambda*.

What the paper does not show stands beside: the largest drop of any class while the exposure is new, which is
what theta is compared with.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.bench.cell import dataset
from ilap.bench.stream import Plan, Stream, plan
from ilap.bench.taught import Taught, untaught
from ilap.detect.confusion import relative_drop
from ilap.exposure import Samples
from ilap.figures.study import Line
from ilap.settings import Settings, resolve

LAMBDAS = tuple(round(0.05 * step, 2) for step in range(20))
KNOWN = 5  # classes that are taught, at most
KINDS = {"repeated": "class that came again", "others": "other classes", "new": "largest, exposure is new"}
LIMITS = 0.01, 0.99  # between which theta is a threshold at all

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """One data set, one learner, one seed; a line for every lambda."""

    data: str
    preset: str
    seed: int
    exposure_size: int
    changes: Mapping[str, Any] = field(default_factory=dict)
    lambdas: tuple[float, ...] = LAMBDAS

    @property
    def title(self) -> str:
        """For the bars."""
        return f"{self.data} lambda {self.preset.rsplit('/', 1)[-1]} seed {self.seed}"

    @property
    def steps(self) -> int:
        """One a lambda."""
        return len(self.lambdas)

    @property
    def settings(self) -> Settings:
        """Of the learner: as many exemplars a class as an exposure has pictures (paper 4.1), unless told."""
        return resolve(self.preset, {"exemplars": max(2, self.exposure_size), **self.changes})

    def lines(self, begin: int) -> Iterator[Line]:
        """Teach, then try every exposure at every lambda that is left."""
        model, repeats, novel = self.taught()
        for imbalance in self.lambdas[begin:]:
            started = time.perf_counter()
            repeated = {own: drops(model, *probe, imbalance) for own, probe in repeats.items()}
            yield {
                "imbalance": imbalance,
                "repeated": [float(found[own]) for own, found in repeated.items()],
                "others": [float(np.delete(found, own).mean()) for own, found in repeated.items()],
                "new": [float(drops(model, *probe, imbalance).max()) for probe in novel],
                "seconds": round(time.perf_counter() - started, 3),
            }

    def taught(self) -> tuple[Taught, dict[int, tuple[Samples, int]], list[tuple[Samples, int]]]:
        """The model, by its class the exposure that comes again, and exposures of classes that it never saw."""
        stream = streamed(self.data, self.exposure_size, self.seed)
        labels = list(dict.fromkeys(stream.truths))
        known = labels[: max(2, min(KNOWN, len(labels) // 2))]
        shown = {label: [n for n, truth in enumerate(stream.truths) if truth == label] for label in labels}
        model = untaught(self.settings, self.seed)
        for class_id, label in enumerate(known):
            samples, seed = model.samples(stream.exposure(shown[label][0]), shown[label][0])
            model = model.learn(samples, class_id, seed)

        def probe(number: int) -> tuple[Samples, int]:
            return model.samples(stream.exposure(number), number)

        repeats = {class_id: probe(shown[label][1]) for class_id, label in enumerate(known)}
        return model, repeats, [probe(shown[label][0]) for label in labels if label not in known]


def streamed(data: str, exposure_size: int, seed: int) -> Stream:
    """Two exposures of each of at most twice as many classes as are taught."""
    count = len(np.unique(dataset(data).train.labels))
    return plan(dataset(data), Plan(exposure_size, 2, classes=min(2 * KNOWN, count)), seed, seed)


def drops(model: Taught, samples: Samples, seed: int, imbalance: float) -> Array:
    """Delta of every class, as the detector compares it with theta."""
    trial = model.classifier.trial(samples, model.memory, imbalance, seed)
    return relative_drop(trial.before, trial.after_at_least)


@dataclass(frozen=True)
class Curve:
    """Mean drop and its spread over exposures and seeds, at every lambda."""

    imbalance: Array
    mean: Array
    std: Array


def curves(logs: Sequence[Sequence[Line]]) -> dict[str, Curve]:
    """The three curves of a data set and learner, of all seeds together."""
    found = {}
    lambdas = [line["imbalance"] for line in logs[0]]
    for kind in KINDS:
        values = [[value for lines in logs for value in lines[at][kind]] for at in range(len(lambdas))]
        if not values[0]:
            continue
        mean = np.array([np.mean(each) for each in values])
        found[kind] = Curve(np.array(lambdas), mean, np.array([np.std(each) for each in values]))
    return found


@dataclass(frozen=True)
class Chosen:
    """The settings that the curves give; ``gap`` is how far they lie apart there."""

    imbalance: float
    theta: float
    gap: float


def choose(found: Mapping[str, Curve]) -> Chosen:
    """Lambda where repeated and other classes lie farthest apart, the smaller of equal ones; theta half-way
    between them there (paper 3.3).

    >>> lambdas = np.array([0.0, 0.5, 0.9])
    >>> repeated = Curve(lambdas, np.array([0.5, 0.9, 1.0]), np.zeros(3))
    >>> others = Curve(lambdas, np.array([0.1, 0.1, 0.6]), np.zeros(3))
    >>> choose({"repeated": repeated, "others": others})
    Chosen(imbalance=0.5, theta=0.5, gap=0.8)
    """
    gap = found["repeated"].mean - found["others"].mean
    best = int(np.argmax(gap.round(6)))
    theta = float((found["repeated"].mean[best] + found["others"].mean[best]) / 2)
    low, high = LIMITS
    lambdas = found["repeated"].imbalance
    return Chosen(float(lambdas[best]), round(min(max(theta, low), high), 4), round(float(gap[best]), 4))


def right_at(logs: Sequence[Sequence[Line]], imbalance: float, theta: float) -> dict[str, float]:
    """The share of repeats and of new exposures that theta decides right at a lambda."""
    lines = [line for log in logs for line in log if line["imbalance"] == imbalance]
    over = [drop > theta for line in lines for drop in line["repeated"]]
    under = [drop <= theta for line in lines for drop in line["new"]]
    return {
        "repeats_known": float(np.mean(over)) if over else float("nan"),
        "new_found": float(np.mean(under)) if under else float("nan"),
    }
