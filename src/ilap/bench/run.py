"""One learner on one stream: a record an exposure, from which every figure is derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ilap.bench.follow import Followed
from ilap.bench.learners.contract import BenchLearner, HasPlaces
from ilap.bench.records import Record
from ilap.bench.stream import Stream
from ilap.bench.summary import summary
from ilap.core import metrics


@dataclass
class Run:
    """A run under way. Iterate over it to carry it out. Records that there are from before are made good: the
    learner sees their exposures again, but the test pictures are not named again."""

    learner: BenchLearner
    stream: Stream
    records: list[Record] = field(default_factory=list)
    followed: Followed = field(default_factory=Followed)

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
            right = self.followed.take(decision, truth)[0].right
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
                places=self._places() if number == len(self.stream) - 1 else None,
            )
            self.records.append(record)
            yield record

    @property
    def truth_of(self) -> dict[int, int]:
        """The true class that each learned class stands for."""
        return self.followed.truth_of

    def _places(self) -> dict[int, int]:
        """Where every exposure is: by what the learner says, or else by its decisions."""
        told = self.learner.places() if isinstance(self.learner, HasPlaces) else self.followed.places
        return {int(exposure): int(place) for exposure, place in told.items()}

    def summary(self) -> dict[str, Any]:
        """The figures of the run."""
        return summary(self.records)
