"""Lambda and theta from labelled pictures (paper 3.3, figure 2).

Classes are taught, an exposure of each. When two, three and five are known, each of them comes again, and some
others come for the first time; each of these exposures is tried as a new class at every lambda, and nothing is
learned from it. Then all five are taught a second time, so that their exemplars are chosen from two exposures,
and tried again. With Delta the detector's statistic of a class, such as the relative drop of its accuracy,

    repeated(lambda) = the mean Delta of the class that came again,
    others(lambda)   = the mean Delta of the classes that did not,
    lambda*          = argmax repeated - others,      theta* = (repeated + others) / 2 at lambda*.

The paper does not say how many classes were known. With two, a lambda of .8 breaks both whatever is shown; with
five it does not, and curves at five alone give a lambda that fails at the beginning of a stream. What the paper
does not show stands beside: the largest drop of any class while the exposure is new, which theta has to exceed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.bench.data import dataset, described
from ilap.bench.jobs import Line
from ilap.bench.run import Taught, untaught
from ilap.bench.stream import Plan, Stream, plan
from ilap.core.exposure import Samples
from ilap.core.settings import Settings, resolve
from ilap.detect.confusion import Confusion

LAMBDAS = tuple(round(0.05 * step, 2) for step in range(20))
STAGES = (2, 3, 5)  # how many classes are known when exposures are tried
NEW = 3  # exposures of new classes that are tried at each
ONCE, TWICE = "once", "twice"  # how often the known classes were taught
KINDS = {"repeated": "class that came again", "others": "other classes", "new": "largest, exposure is new"}
EQUAL = 0.02  # gaps that differ by less are the same: the drop of one picture in fifty
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
    known: tuple[int, ...] = STAGES

    @property
    def title(self) -> str:
        """For the bars."""
        return f"{self.data} lambda {self.preset.rsplit('/', 1)[-1]} seed {self.seed}"

    @property
    def inputs(self) -> dict[str, Any]:
        """The data, the learner, and what is tried."""
        own = {"seed": self.seed, "exposure_size": self.exposure_size, "lambdas": list(self.lambdas)}
        tried = {"known": list(self.known), "taught": [ONCE, TWICE]}
        return {**described(self.data), **own, **tried, "settings": self.settings.plain()}

    @property
    def steps(self) -> int:
        """One a lambda."""
        return len(self.lambdas)

    @property
    def settings(self) -> Settings:
        """Of the learner."""
        return resolve(self.preset, self.changes)

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """Teach, then try every exposure at every lambda that is left."""
        stages = list(self.stages())
        for imbalance in self.lambdas[len(done) :]:
            started = time.perf_counter()
            detector = Confusion(replace(self.settings.detector.parameters, imbalance=imbalance))
            line: Line = {"imbalance": imbalance}
            for taught in (ONCE, TWICE):
                line[taught] = tried(detector, [stage for stage in stages if stage.taught == taught])
            yield {**line, "seconds": round(time.perf_counter() - started, 3)}

    def stages(self) -> Iterator[Stage]:
        """Teach one class after the other, and stop to try."""
        stream = streamed(self.data, self.exposure_size, self.seed)
        labels = list(dict.fromkeys(stream.truths))
        shown = {label: [n for n, truth in enumerate(stream.truths) if truth == label] for label in labels}
        model = untaught(self.settings, self.seed)
        most = max(self.known)
        for place, taught in enumerate((ONCE, TWICE)):
            for class_id, label in enumerate(labels[:most]):
                samples, seed = model.samples(stream.exposure(shown[label][place]), shown[label][place])
                model = model.learn(samples, class_id, seed)
                known = class_id + 1
                if known in self.known and (taught == ONCE or known == most):
                    again = [shown[own][place + 1] for own in labels[:known]]
                    fresh = [shown[own][0] for own in labels[known:][-NEW:]]
                    repeats, novel = (
                        [model.samples(stream.exposure(n), n) for n in numbers] for numbers in (again, fresh)
                    )
                    yield Stage(taught, model, repeats, novel)


@dataclass(frozen=True)
class Stage:
    """A model that knows some classes, an exposure of each that comes again, and some of others; and how often
    the classes were taught."""

    taught: str
    model: Taught
    repeats: list[tuple[Samples, int]]
    novel: list[tuple[Samples, int]]


def streamed(data: str, exposure_size: int, seed: int) -> Stream:
    """Three exposures of each class that is taught, and of some that are not."""
    count = len(np.unique(dataset(data).train.labels))
    return plan(dataset(data), Plan(exposure_size, 3, classes=min(max(STAGES) + NEW, count)), seed, seed)


def tried(detector: Confusion, stages: Sequence[Stage]) -> dict[str, list[float]]:
    """Delta of the class that comes again, the mean of the others', and where the exposure is new, that of the
    class that it is most like."""
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for stage in stages:
        for own, (samples, seed) in enumerate(stage.repeats):
            drops = detector(stage.model.classifier, samples, stage.model.memory, seed).drops
            found["repeated"].append(float(drops[own]))
            found["others"].append(float(np.delete(drops, own).mean()))
        for samples, seed in stage.novel:
            found["new"].append(-detector(stage.model.classifier, samples, stage.model.memory, seed).score)
    return found


@dataclass(frozen=True)
class DropCurve:
    """Mean drop and its spread over exposures and seeds, at every lambda."""

    imbalance: Array
    mean: Array
    std: Array


def curves(logs: Sequence[Sequence[Line]]) -> dict[str, DropCurve]:
    """The three curves of a data set and learner, of all seeds and stages together."""
    found = {}
    lambdas = [line["imbalance"] for line in logs[0]]
    for kind in KINDS:
        values = [
            [value for lines in logs for taught in (ONCE, TWICE) for value in lines[at][taught][kind]]
            for at in range(len(lambdas))
        ]
        if not values[0]:
            continue
        mean = np.array([np.mean(each) for each in values])
        found[kind] = DropCurve(np.array(lambdas), mean, np.array([np.std(each) for each in values]))
    return found


@dataclass(frozen=True)
class LambdaAndTheta:
    """The settings that the curves give; ``gap`` is how far they lie apart there."""

    imbalance: float
    theta: float
    gap: float


def choose(found: Mapping[str, DropCurve]) -> LambdaAndTheta:
    """Lambda where repeated and other classes lie farthest apart, the smallest of those that are as good within
    EQUAL; theta half-way between them there (paper 3.3).

    >>> lambdas = np.array([0.0, 0.5, 0.9])
    >>> repeated = DropCurve(lambdas, np.array([0.5, 0.9, 1.0]), np.zeros(3))
    >>> others = DropCurve(lambdas, np.array([0.1, 0.1, 0.6]), np.zeros(3))
    >>> choose({"repeated": repeated, "others": others})
    LambdaAndTheta(imbalance=0.5, theta=0.5, gap=0.8)
    """
    gap = found["repeated"].mean - found["others"].mean
    best = int(np.argmax(gap > gap.max() - EQUAL))
    theta = float((found["repeated"].mean[best] + found["others"].mean[best]) / 2)
    low, high = LIMITS
    lambdas = found["repeated"].imbalance
    return LambdaAndTheta(
        float(lambdas[best]), round(min(max(theta, low), high), 4), round(float(gap[best]), 4)
    )


def right_at(logs: Sequence[Sequence[Line]], imbalance: float, theta: float, taught: str) -> dict[str, float]:
    """The share of repeats and of new exposures that theta decides right at a lambda, where the known classes
    were taught so often."""
    lines = [line[taught] for log in logs for line in log if line["imbalance"] == imbalance]
    over = [drop > theta for line in lines for drop in line["repeated"]]
    under = [drop <= theta for line in lines for drop in line["new"]]
    return {
        "repeats_known": float(np.mean(over)) if over else float("nan"),
        "new_found": float(np.mean(under)) if under else float("nan"),
    }
