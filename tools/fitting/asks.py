"""What a learner asks itself along a stream: the features of every group, and which of them was right.

The loop is that of the learner as far as decisions go: an exposure is decided if it is sure enough, else it
waits; whenever something was learned, those that wait and are most like it are asked about again, and all of
them at the end, the surest first. Pictures that do not belong are not looked for, and frames are rebuilt less
often.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fitting.material import Stream
from ilap.backbones.prior import Prior
from ilap.core.exposure import Samples
from ilap.core.rule import RULE
from ilap.core.settings import Loop
from ilap.exact.belief import Belief, beliefs, with_class
from ilap.exact.calibration import Calibration
from ilap.exact.features import Features, features
from ilap.exact.metric import Metric
from ilap.exact.model import Model, empty_model
from ilap.exact.statistics import NO_CLASS, Statistics, Traits, residuals_of, sums_of
from ilap.exact.surroundings import Compared, Surroundings, alike, gathering, surroundings
from ilap.exact.whitened import whitened
from ilap.learner.step import part_at_once

CAUTION = Loop().caution
GROWN = 1.15  # by how much a metric grows until its frame is rebuilt
CANDIDATES = 8  # groups of an ask that are kept
DECIDES = (0.3, 0.6, 0.95)  # share of what a teacher decides at once
SLIPS, SPLITS = 0.01, 0.02  # share of what a teacher takes for another class, and of classes split


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
class Taken:
    """A decision that was sure."""

    exposure: int
    new: bool
    error: float
    right: bool


@dataclass
class Walk:
    """A learner on its way along a stream. Without a calibration a teacher decides, who now and then lets an
    exposure wait, splits a class or takes one for another, as a learner does."""

    stream: Stream
    model: Model
    calibration: Calibration | None
    risk: float
    rng: np.random.Generator
    metric: Metric
    patience: float
    ended: bool = False
    truth: dict[int, int] = field(default_factory=dict)  # what founded each class
    waiting: list[int] = field(default_factory=list)
    names: tuple[str, ...] = ()  # of the features
    asks: list[Ask] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)

    def arrives(self, exposure: Samples) -> None:
        """An exposure is asked about, then some of those that wait."""
        shown = whitened(self.model, exposure)
        around = None
        if self.truth:
            around = surroundings(self.model, exposure, shown.mean, shown.traits)
        found = self.answer(exposure.number, around)
        self.see(exposure, shown.traits)
        if found is None:
            self.waiting.append(exposure.number)
            return
        self.learn(exposure.number, found)
        if self.waiting and around is not None:
            compared = around.compared
            values = compared.cosines.values[around.row(exposure.number)]
            order = np.argsort([-values[around.row(number)] for number in self.waiting], kind="stable")
            for number in [self.waiting[i] for i in order[: RULE.risk.retries]]:
                self.again(number, compared)

    def again(self, number: int, compared: Compared) -> None:
        """One that waits is asked about."""
        found = self.answer(number, gathering(self.model, compared))
        if found is not None:
            self.waiting.remove(number)
            self.learn(number, found)

    def round(self) -> bool:
        """All that wait are asked about, the surest first; whether any was decided."""
        order, compared = list(self.waiting), alike(self.model, self.model.seen)
        if self.calibration is not None and order:
            around = gathering(self.model, compared)
            found = beliefs(self.model, around, order, self.calibration, True)
            order = [order[i] for i in np.argsort([-own.certainty for own in found], kind="stable")]
        before = len(self.waiting)
        for number in order:
            self.again(number, compared)
        return len(self.waiting) < before

    def answer(self, number: int, around: Surroundings | None) -> int | None:
        """The class that an exposure is taken for, -1 for a new one, None where that is not sure."""
        if around is None:
            return -1
        found = features(around, np.array([around.row(number)]))
        self.names = tuple(found.values)
        self.asks.append(self.kept(around, number, found))
        thing = self.stream.truths[number]
        if self.calibration is None:
            return self.taught(thing)
        believed = beliefs(self.model, around, [number], self.calibration, True, found)[0]
        class_id, error = likeliest(self.model, believed)
        part = part_at_once(len(around.compared.numbers), CAUTION) if class_id != -1 and not self.ended else 1.0
        if error > self.risk * part:
            return None
        right = thing not in self.truth.values() if class_id == -1 else self.truth[class_id] == thing
        self.taken.append(Taken(number, class_id == -1, error, right))
        return class_id

    def taught(self, thing: int) -> int | None:
        """What a teacher says."""
        if self.rng.random() > self.patience:
            return None
        known, slip = [k for k, own in self.truth.items() if own == thing], self.rng.random()
        if slip < SLIPS:
            return int(self.rng.choice(list(self.truth)))
        return int(self.rng.choice(known)) if known and slip > SLIPS + SPLITS else -1

    def kept(self, around: Surroundings, number: int, found: Features) -> Ask:
        """What is kept of a question: the likeliest groups, and those that are right."""
        rows = np.stack([own[0] for own in found.values.values()], 1)
        columns, groups = with_class(self.model, around)
        classes, right = np.zeros(len(rows), bool), np.zeros(len(rows), bool)
        thing = self.stream.truths[number]
        classes[groups] = True
        right[groups] = [self.truth[self.model.classes[int(column)]] == thing for column in columns]
        score = np.where(found.empty[0], -np.inf, found.values["joint"][0] + found.values["lead"][0])
        likely = np.zeros(len(rows), bool)
        likely[np.argsort(-score)[:CANDIDATES]] = True
        chosen = (likely | right) & ~found.empty[0]
        known = thing in self.truth.values()
        return Ask(rows[chosen].astype(np.float32), classes[chosen], right[chosen], known)

    def see(self, exposure: Samples, traits: Traits) -> None:
        """An exposure has come. The frame is rebuilt only when the metric has grown, which changes next to
        nothing and saves most of the time."""
        self.metric = self.metric.add(residuals_of(exposure))
        own = Statistics(NO_CLASS, sums_of(exposure), traits)
        model = replace(self.model, unsure={**self.model.unsure, exposure.number: own})
        grown = self.metric.weight > GROWN * model.metric.weight
        self.model = model.with_metric(self.metric) if grown else model

    def learn(self, number: int, class_id: int) -> None:
        """An exposure as part of a class; -1 founds one."""
        if class_id == -1:
            class_id = len(self.truth)
            self.truth[class_id] = self.stream.truths[number]
        self.model = self.model.learn(self.stream.exposures[number], class_id)


def along(stream: Stream, prior: Prior, calibration: Calibration | None, risk: float, seed: int) -> Walk:
    """A walk along a stream."""
    rng = np.random.default_rng([seed, stream.seed])
    model = empty_model(prior, RULE)
    walk = Walk(stream, model, calibration, risk, rng, model.metric, float(rng.choice(DECIDES)))
    for exposure in stream.exposures:
        walk.arrives(exposure)
    walk.ended = True
    for _ in range(RULE.risk.rounds if calibration is not None else 1):
        if not walk.round():
            break
    return walk


def likeliest(model: Model, believed: Belief) -> tuple[int, float]:
    """The likeliest class, -1 for a new one, and how likely that is wrong."""
    best = int(believed.known.argmax())
    if believed.new >= believed.known[best]:
        return -1, 1 - believed.new
    return model.classes[int(believed.columns[best])], 1 - float(believed.known[best])
