"""One learner on one stream: a record an exposure, from which every figure is derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ilap.backbones.load import Given, Named
from ilap.bench.data import frozen
from ilap.bench.follow import Followed
from ilap.bench.learners.contract import AsksAgain, AsksPeople, BenchLearner, HasPlaces
from ilap.bench.person import Person
from ilap.bench.records import Answered, Record
from ilap.bench.stream import Stream
from ilap.bench.summary import summary
from ilap.core import metrics, registry
from ilap.core.classifier import Classifier
from ilap.core.decision import Decision
from ilap.core.errors import BadStream
from ilap.core.exemplars import Memory, empty
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.settings import Settings


@dataclass
class Run:
    """A run under way. Iterate over it to carry it out. Records that there are from before are made good: the
    learner sees their exposures again, but the test pictures are not named again. After the last exposure a
    person gives so many answers."""

    learner: BenchLearner
    stream: Stream
    records: list[Record] = field(default_factory=list)
    followed: Followed = field(default_factory=Followed)
    person: Person | None = None
    answers: int = 0

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
            last, answered = number == len(self.stream) - 1, list[Answered]()
            if last and isinstance(self.learner, AsksAgain):
                decision = replace(decision, settled=(*decision.settled, *self.learner.ask_again()))
            if last and self.answers:
                decision = replace(decision, settled=(*decision.settled, *self._answered(answered)))
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
                places=self._places() if last else None,
                answers=tuple(answered),
            )
            self.records.append(record)
            yield record

    @property
    def truth_of(self) -> dict[int, int]:
        """The true class that each learned class stands for."""
        return self.followed.truth_of

    def _answered(self, answered: list[Answered]) -> list[Decision]:
        """What was decided while a person answered, and when all that is unsure was then asked about again. The
        answers are added to those given."""
        found, learner, person = list[Decision](), self.learner, self.person
        if person is None or not isinstance(learner, AsksPeople):
            raise BadStream("This learner asks nobody: leave --answers out.")
        while len(answered) < self.answers and (question := person.asked(learner)):
            key = person.says(question)
            done = learner.answer(question, key)
            person.answered |= {one.exposure for one in done if one.by == "person"} | {question.exposure}
            found += done
            places = self._places()
            ari = metrics.ari([places.get(n) for n in range(len(self.stream))], self.stream.truths)
            answered.append(Answered(question.id, key, ari))
        return [*found, *(learner.ask_again() if isinstance(learner, AsksAgain) else ())]

    def _places(self) -> dict[int, int]:
        """Where every exposure is: by what the learner says, or else by its decisions."""
        told = self.learner.places() if isinstance(self.learner, HasPlaces) else self.followed.places
        return {int(exposure): int(place) for exposure, place in told.items()}

    def summary(self) -> dict[str, Any]:
        """The figures of the run."""
        return summary(self.records)


@dataclass(frozen=True)
class Taught:
    """A value: what has learned more is another one."""

    classifier: Classifier
    memory: Memory
    seed: int

    def samples(self, exposure: Exposure, number: int) -> tuple[Samples, int]:
        """An exposure as the classifier sees it, and a seed for what is done with it."""
        rows = self.classifier.samples(exposure.pictures)
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        return Samples(number, rows, validation_mask(len(rows)), exposure.pictures), seed

    def learn(self, samples: Samples, class_id: int, seed: int) -> Taught:
        """The model after it was told that these samples are of a class."""
        classifier = self.classifier.learn(samples, class_id, self.memory, seed)
        memory = self.memory.remember(class_id, samples, classifier.features)
        return replace(self, classifier=classifier, memory=memory)


def untaught(settings: Settings, seed: int) -> Taught:
    """A model that knows nothing yet; features of a frozen backbone are kept on disk."""
    source = Given(frozen(settings)) if settings.is_frozen else Named(settings.backbone)
    chosen = settings.classifier
    classifier: Classifier = registry.find("classifier", chosen.name)(chosen.parameters, source, seed)
    return Taught(classifier, empty(settings.loop.exemplars, settings.loop.ranking), seed)
