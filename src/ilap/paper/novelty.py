"""Detectors against each other, on the same stream and the same model (paper 4.2): the jobs of table 1.

Every exposure is scored before the update, by all detectors of a model, from the time that two classes are
known: before that, what speaks through a softmax has nothing to say. Updates take the true label, so that all
detectors see the same model. In the closed loop every detector has a learner of its own, which is told the
first two classes and then learns what that detector decides.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ilap.backbones.load import Named
from ilap.bench.data import dataset, described, frozen
from ilap.bench.jobs import Line
from ilap.bench.learners.preset import Preset
from ilap.bench.run import Run, untaught
from ilap.bench.stream import Plan, Stream, plan
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure
from ilap.core.settings import Settings, resolve
from ilap.learner.learner import Learner
from ilap.paper.opened import INSIDE, inside_of, opened

KNOWN = 2  # classes that have to be known before an exposure is scored
TIMED = 32  # pictures of an exposure by which a forward pass is timed


@dataclass(frozen=True)
class Detectors:
    """A classifier and the detectors that look at it: each a row of the table, with the settings in which it
    differs. A row's detector is that of its name, unless the settings name another. Where
    ``every`` has a number n for a row, it is asked about each n-th exposure only."""

    name: str
    preset: str
    changes: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]]
    every: Mapping[str, int] = field(default_factory=dict)

    def settings(self, row: str = "") -> Settings:
        """Those of the model, or of one of its rows."""
        own = {"detector": row, **self.rows[row]} if row else {}
        return resolve(self.preset, {**self.changes, **own})


@dataclass(frozen=True)
class Novelty:
    """One data set, one model, one seed. In the closed loop ``row`` is whose decisions are followed."""

    data: str
    model: Detectors
    seed: int
    plan: Plan
    row: str = ""
    threshold: float | None = None

    @property
    def title(self) -> str:
        """For the bars."""
        loop = f" {self.row} closed" if self.row else ""
        return f"{self.data} {self.model.name}{loop} seed {self.seed}"

    @property
    def inputs(self) -> dict[str, Any]:
        """The data, the stream, the model and every row with its settings."""
        rows = [self.row] if self.row else self.model.rows
        return {
            **described(self.data),
            "seed": self.seed,
            "plan": asdict(self.plan),
            "model": self.model.settings().plain(),
            "rows": {row: self.model.settings(row).plain() for row in rows},
            "every": {row: step for row, step in self.model.every.items() if row in rows},
            "followed": self.row,
            "threshold": self.threshold,
        }

    @property
    def steps(self) -> int:
        """One an exposure."""
        return len(self.stream())

    def stream(self) -> Stream:
        """The stream that the seed gives, the same for all models."""
        return plan(dataset(self.data), self.plan, self.seed, self.seed)

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """Score and learn. A line holds which pictures were shown, so the stream is stored with the run."""
        stream = self.stream()
        found = self.closed(stream) if self.row else self.open(stream, len(done))
        for line in found:
            if line["number"] >= len(done):
                shown = list(stream.pictures[line["number"]])
                yield {"data": self.data, "seed": self.seed, **line, "pictures": shown}

    def closed(self, stream: Stream) -> Iterator[Line]:
        """Score by one row and learn what it decides."""
        changes = {} if self.threshold is None else {"detector.threshold": self.threshold}
        values = {**self.model.settings(self.row).plain(), **changes}
        return closed_loop(resolve(self.model.preset, values), self.row, self.seed, stream)

    def open(self, stream: Stream, begin: int) -> Iterator[Line]:
        """Score by all rows of the model from an exposure on, then learn the true label."""
        settings = self.model.settings()
        model = untaught(settings, self.seed)
        chosen = {row: self.model.settings(row).detector for row in self.model.rows}
        detectors = {row: registry.find("detector", own.name)(own.parameters) for row, own in chosen.items()}
        looks_inside = {row for row, one in detectors.items() if settings.is_frozen and one.needs & INSIDE}
        inside = inside_of(settings) if looks_inside else None
        ids: dict[int, int] = {}
        for number, (exposure, truth) in enumerate(stream):
            samples, seed = model.samples(exposure, number)
            if inside:
                inside.see(samples.rows, exposure.pictures)
            line: Line = {"number": number, "truth": truth, "novel": truth not in ids, "known": len(ids)}
            found = {}
            if len(ids) >= KNOWN and number >= begin:
                line |= forward_pass(model.classifier, settings, exposure)
                for row, detector in detectors.items():
                    if number % self.model.every.get(row, 1):
                        continue
                    asked = model.classifier
                    if inside and row in looks_inside:
                        asked = opened(asked, inside)
                    started = time.perf_counter()
                    finding = detector(asked, samples, model.memory, seed)
                    seconds = time.perf_counter() - started
                    found[row] = {"score": finding.score, "kind": finding.kind, "seconds": round(seconds, 5)}
            started = time.perf_counter()
            model = model.learn(samples, ids.setdefault(truth, len(ids)), seed)
            update = round(time.perf_counter() - started, 5)
            yield line | {"update": update, "found": found}


def forward_pass(classifier: Classifier, settings: Settings, exposure: Exposure) -> dict[str, float]:
    """Seconds of one forward pass, from pictures to probabilities, and of the part that all detectors share:
    what the classifier takes in. They are measured on some of the pictures. Features that are stored on disk
    are computed again for this."""
    pictures = exposure.pictures[:TIMED]
    rows = classifier.samples(pictures)
    started = time.perf_counter()
    if settings.is_frozen:
        Named(settings.backbone).frozen().features(pictures)
    else:
        classifier.samples(pictures)
    taken_in = time.perf_counter()
    classifier.probabilities(rows)
    times = {"taking_in": taken_in - started, "forward": time.perf_counter() - started}
    return {name: round(own * len(exposure.pictures) / len(pictures), 5) for name, own in times.items()}


def closed_loop(settings: Settings, row: str, seed: int, stream: Stream) -> Iterator[Line]:
    """Score by one row and learn what it decides."""
    changes = settings.plain()
    if settings.is_frozen:
        changes["backbone"] = frozen(settings)
    learner = Begun(Learner(seed=seed, **changes), labelled=True)
    for number, record in enumerate(Run(learner, stream)):
        decision = record.decision
        known = len(set(stream.truths[:number]))
        line: Line = {"number": number, "truth": record.truth, "novel": record.novel, "known": known}
        found = {row: {"score": decision.score, "kind": decision.kind, "right": record.right}}
        line |= {"update": decision.seconds, "accuracy": record.accuracy, "classes": record.learned_classes}
        yield line | {"found": found if known >= KNOWN else {}}


class Begun(Preset):
    """A learner that is told the first two classes, and then decides for itself."""

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Learn what is told, or decide."""
        return super().observe(exposure, None if len(self.ids) >= KNOWN else label)
