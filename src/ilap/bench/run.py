"""One learner on one stream: a record an exposure, from which every figure is derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ilap import metrics
from ilap.bench.stream import Stream
from ilap.decision import Decision
from ilap.learner import Learner


@dataclass(frozen=True)
class Record:
    """What the learner said of an exposure, what was true, and how it did afterwards. ``accuracy`` is over
    the whole test set, ``accuracy_seen`` over the classes shown so far."""

    decision: Decision
    truth: int
    novel: bool
    right: bool
    accuracy: float
    accuracy_seen: float
    unique_classes: int
    learned_classes: int


@dataclass
class Run:
    """A run under way. Iterate over it to carry it out."""

    learner: Learner
    stream: Stream
    records: list[Record] = field(default_factory=list)
    truth_of: dict[int, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Record]:
        test = self.stream.dataset.test
        samples = self.learner.samples(test.pictures)
        shown: set[int] = set()
        for exposure, truth in self.stream:
            novel = truth not in shown
            shown.add(truth)
            decision = self.learner.observe(exposure)
            right = metrics.decision_is_right(decision, truth, self.truth_of)
            if decision.kind == "new" and decision.class_id is not None:
                self.truth_of[decision.class_id] = truth
            for class_id in decision.discarded:
                self.truth_of.pop(class_id, None)
            named = self.learner.predict_samples(samples).class_ids
            seen = [i for i, label in enumerate(test.labels) if int(label) in shown]
            record = Record(
                decision,
                truth,
                novel,
                right,
                accuracy=metrics.accuracy(named, test.labels, self.truth_of),
                accuracy_seen=metrics.accuracy(named[seen], test.labels[seen], self.truth_of),
                unique_classes=metrics.unique_classes(self.truth_of),
                learned_classes=len(self.learner.classes),
            )
            self.records.append(record)
            yield record

    def summary(self) -> dict[str, Any]:
        """The figures of the run. Novelty is scored from the second exposure on: the first is new by
        definition."""
        records, scored = self.records, self.records[1:]
        scores, novel = [r.decision.score for r in scored], [r.novel for r in scored]
        seconds = [r.decision.seconds for r in records]
        return {
            "exposures": len(records),
            "decisions_right": sum(r.right for r in records),
            "unsure": sum(r.decision.kind == "unsure" for r in records),
            "accuracy": records[-1].accuracy,
            "unique_classes": records[-1].unique_classes,
            "learned_classes": records[-1].learned_classes,
            "true_classes": len(set(self.stream.truths)),
            "auroc": metrics.auroc(scores, novel),
            "fpr95": metrics.fpr95(scores, novel),
            "aupr": metrics.aupr(scores, novel),
            "ari": metrics.ari([r.decision.class_id for r in records], [r.truth for r in records]),
            "seconds": sum(seconds),
            "seconds_per_exposure": sum(seconds) / len(seconds),
        }
