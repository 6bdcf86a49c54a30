"""What a learner asks itself along a stream: the features of every group, and which of them was right.

The learner's own loop (learner/step.py) goes along the stream, with a detector that writes every question
down. Behind it stands the product's detector with a calibration; or, before there is any, a teacher who knows
the truth, and now and then lets an exposure wait, splits a class or takes one for another, as a learner does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from fitting.material import Stream
from ilap.backbones.contract import Backbone
from ilap.backbones.prior import Prior
from ilap.core.classifier import Classifier
from ilap.core.decision import Decision
from ilap.core.exemplars import Memory, empty
from ilap.core.exposure import Samples
from ilap.core.settings import resolve
from ilap.detect.calibrated import Calibrated, Parameters
from ilap.detect.contract import Detector, Finding
from ilap.exact.belief import with_class
from ilap.exact.calibration import Calibration
from ilap.exact.exact import Exact, with_prior
from ilap.exact.features import features
from ilap.learner.state import State
from ilap.learner.step import Loop

CANDIDATES = 8  # groups of an ask that are kept
DECIDES = (0.3, 0.6, 0.95)  # share of what a teacher decides at once
SLIPS, SPLITS = 0.01, 0.02  # share of what a teacher takes for another class, and of classes split
NOTHING = Calibration(0, (), 1.0, {})


@dataclass(frozen=True)
class Ask:
    """One question: ``features`` has a row for each of the likeliest groups and a column for each feature;
    ``classes`` says which groups have a class, ``right`` which of these are the truth, ``known`` whether the
    truth has a class at all."""

    features: np.ndarray
    classes: np.ndarray
    right: np.ndarray
    known: bool


@dataclass(frozen=True)
class Teacher:
    """The detector that knows the truth: the label of every exposure."""

    truths: Sequence[int]
    rng: np.random.Generator
    decides: float
    needs: ClassVar[frozenset[str]] = frozenset()

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """The class with the exposure's label, but for what it errs in; surely, or not at all."""
        assert isinstance(classifier, Exact)
        drops = np.zeros(len(classifier.classes))
        shows = labels_of(classifier, self.truths)
        same = [k for k, label in enumerate(shows) if label == self.truths[exposure.number]]
        if shows and self.rng.random() > self.decides:
            return Finding("unsure", None, 0.0, drops, "the teacher waits", 1.0)
        slip, column = self.rng.random(), None
        if shows and slip < SLIPS:
            column = int(self.rng.integers(len(shows)))
        elif same and slip > SLIPS + SPLITS:
            column = int(self.rng.choice(same))
        return Finding("new" if column is None else "known", column, 0.0, drops, "the teacher says so", 0.0)


@dataclass
class Recorder:
    """A detector that passes questions on, and keeps them."""

    detector: Detector
    truths: Sequence[int]
    names: tuple[str, ...] = ()  # of the features
    asks: list[Ask] = field(default_factory=list)
    needs: ClassVar[frozenset[str]] = frozenset({"belief"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """What the detector behind it finds."""
        assert isinstance(classifier, Exact)
        if classifier.classes:
            self.keep(classifier, exposure)
        return self.detector(classifier, exposure, memory, seed)

    def keep(self, classifier: Exact, exposure: Samples) -> None:
        """The likeliest groups, and those that are right."""
        around = classifier.around(exposure)
        found = features(around, np.array([around.row(exposure.number)]))
        self.names = tuple(found.values)
        rows = np.stack([own[0] for own in found.values.values()], 1)
        columns, groups = with_class(classifier.model, around)
        shows, label = labels_of(classifier, self.truths), self.truths[exposure.number]
        classes, right = np.zeros(len(rows), bool), np.zeros(len(rows), bool)
        classes[groups] = True
        right[groups] = [shows[int(column)] == label for column in columns]
        score = np.where(found.empty[0], -np.inf, found.values["joint"][0] + found.values["lead"][0])
        likely = np.zeros(len(rows), bool)
        likely[np.argsort(-score)[:CANDIDATES]] = True
        chosen = (likely | right) & ~found.empty[0]
        ask = Ask(rows[chosen].astype(np.float32), classes[chosen], right[chosen], label in shows)
        self.asks.append(ask)


def labels_of(classifier: Exact, truths: Sequence[int]) -> list[int]:
    """What every class shows: the label that most of its exposures have, the oldest one's among equals."""
    labels: dict[int, list[int]] = {class_id: [] for class_id in classifier.classes}
    for number, own in sorted(classifier.model.exposures.items()):
        labels[own.class_id].append(truths[number])
    return [max(dict.fromkeys(own), key=own.count) for own in labels.values()]


@dataclass(frozen=True)
class Walk:
    """What was asked along a stream, with the names of the features, and whether each sure decision is
    right."""

    names: tuple[str, ...]
    asks: list[Ask]
    right: list[bool]


def along(
    stream: Stream, backbone: Backbone, prior: Prior, calibration: Calibration | None, risk: float, seed: int
) -> Walk:
    """The learner's loop along a stream, with this risk; a teacher decides where nothing was fitted yet."""
    rng = np.random.default_rng([seed, stream.seed])
    settings = resolve("fast", {"risk": risk}).loop
    teacher, product = Teacher(stream.truths, rng, float(rng.choice(DECIDES))), Calibrated(Parameters())
    recorder = Recorder(teacher if calibration is None else product, stream.truths)
    exact = replace(with_prior(backbone, prior), calibration=calibration or NOTHING)
    state = State(exact, empty(settings.exemplars, settings.ranking))
    loop = Loop(recorder, settings, seed)
    steps = []
    for exposure in stream.exposures:
        steps += loop.step(state, exposure, stream.exposures.__getitem__)
        state = steps[-1].state
    steps += loop.ask_again(state, stream.exposures.__getitem__)
    return Walk(recorder.names, recorder.asks, rights([step.decision for step in steps], stream.truths))


def rights(decisions: Sequence[Decision], truths: Sequence[int]) -> list[bool]:
    """Of each sure decision whether it is right when it is made: *new* if no class shows the label, *known* if
    its class was founded by it."""
    shows, found = dict[int, int](), list[bool]()
    for decision in decisions:
        label, class_id = truths[decision.exposure], decision.class_id
        if decision.kind == "new":
            found.append(label not in shows.values())
            assert class_id is not None
            shows[class_id] = label
        elif class_id is not None:
            found.append(shows[class_id] == label)
        for lost in decision.discarded:
            shows.pop(lost, None)
    return found
