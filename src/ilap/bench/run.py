"""One learner on one stream: a record an exposure, from which every figure is derived."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ilap.bench.learners.contract import BenchLearner
from ilap.bench.stream import Stream
from ilap.core import metrics
from ilap.core.decision import Decision


@dataclass(frozen=True)
class Record:
    """What the learner said of an exposure, what was true, and how it did afterwards. ``accuracy`` is over
    the test pictures of all classes of the stream, ``accuracy_seen`` over the classes shown so far; None where
    there is nothing to test with. ``strangers`` are the exposure's pictures of other classes, and how many of
    them the learner left out."""

    decision: Decision
    truth: int
    novel: bool
    right: bool
    accuracy: float | None
    accuracy_seen: float | None
    unique_classes: int
    learned_classes: int
    strangers: int = 0
    strangers_found: int = 0


@dataclass
class Run:
    """A run under way. Iterate over it to carry it out. Records that there are from before are made good: the
    learner sees their exposures again, but the test pictures are not named again."""

    learner: BenchLearner
    stream: Stream
    records: list[Record] = field(default_factory=list)
    truth_of: dict[int, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Record]:
        test = self.stream.dataset.test
        rows = np.flatnonzero(np.isin(test.labels, list(set(self.stream.truths))))
        labels = test.labels[rows]
        samples = self.learner.samples([test.pictures[int(i)] for i in rows]) if len(rows) else None
        shown: set[int] = set()
        before = len(self.records)
        for number, (exposure, truth) in enumerate(self.stream):
            novel = truth not in shown
            shown.add(truth)
            decision = self.learner.observe(exposure, truth if self.learner.labelled else None)
            right = metrics.decision_is_right(decision, truth, self.truth_of)
            self._follow(decision, number)
            for answer in decision.settled:
                self._follow(answer, answer.exposure)
            if number < before:
                continue
            foreign = self.stream.dataset.train.labels[list(self.stream.pictures[number])] != truth
            accuracy, accuracy_seen = None, None
            if samples is not None:
                named, seen = self.learner.predict_samples(samples).class_ids, np.isin(labels, list(shown))
                accuracy = metrics.accuracy(named, labels, self.truth_of)
                accuracy_seen = metrics.accuracy(named[seen], labels[seen], self.truth_of)
            record = Record(
                decision,
                truth,
                novel,
                right,
                accuracy,
                accuracy_seen,
                unique_classes=metrics.unique_classes(self.truth_of),
                learned_classes=len(self.learner.classes),
                strangers=int(foreign.sum()),
                strangers_found=int(foreign[list(decision.strangers)].sum()),
            )
            self.records.append(record)
            yield record

    def _follow(self, answer: Decision, number: int) -> None:
        """Keep m, the true class that each learned class stands for: that of its founding exposure."""
        if answer.moved_to is not None:
            self.truth_of[answer.moved_to] = self.stream.truths[min(answer.moved)]
        elif answer.kind == "new" and answer.class_id is not None:
            self.truth_of[answer.class_id] = self.stream.truths[number]
        for class_id in answer.discarded:
            self.truth_of.pop(class_id, None)

    def summary(self) -> dict[str, Any]:
        """The figures of the run."""
        return summary(self.records)


def summary(records: Sequence[Record]) -> dict[str, Any]:
    """The figures of a run. Novelty is scored from the second exposure on: the first is new by definition.
    A learner that is told its labels has no score."""
    scored = records[1:]
    scores, novel = [r.decision.score for r in scored], [r.novel for r in scored]
    told = any(math.isnan(score) for score in scores)
    seconds = [r.decision.seconds for r in records]
    return {
        "exposures": len(records),
        "decisions_right": sum(r.right for r in records),
        "unsure": sum(r.decision.kind == "unsure" for r in records),
        "accuracy": records[-1].accuracy,
        "unique_classes": records[-1].unique_classes,
        "learned_classes": records[-1].learned_classes,
        "true_classes": len({r.truth for r in records}),
        "auroc": None if told else metrics.auroc(scores, novel),
        "fpr95": None if told else metrics.fpr95(scores, novel),
        "aupr": None if told else metrics.aupr(scores, novel),
        "ari": metrics.ari([r.decision.class_id for r in records], [r.truth for r in records]),
        "strangers": sum(r.strangers for r in records),
        "strangers_found": sum(r.strangers_found for r in records),
        "left_out": sum(len(r.decision.strangers) for r in records),
        "seconds": sum(seconds),
        "seconds_per_exposure": sum(seconds) / len(seconds),
    }
