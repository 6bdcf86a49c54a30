"""A cell of a benchmark: one learner, one data set, one seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ilap.bench import records
from ilap.bench.data import dataset, described, frozen
from ilap.bench.jobs import Line
from ilap.bench.learners.contract import Task
from ilap.bench.learners.load import load, told_of
from ilap.bench.person import Asking, Person
from ilap.bench.records import Entry
from ilap.bench.run import Run
from ilap.bench.stream import Plan, Stream, plan
from ilap.exact.calibration import named


@dataclass(frozen=True)
class Cell:
    """What to run. Class order, picture draw and learner have seeds of their own, all ``seed`` by default.
    Without ``tested`` no test pictures are named, which is most of the work, and there is no accuracy. When the
    stream has ended a person gives so many ``answers`` (person.py)."""

    data: str
    learner: str
    seed: int
    plan: Plan
    changes: Mapping[str, Any] = field(default_factory=dict)
    order_seed: int | None = None
    picture_seed: int | None = None
    learner_seed: int | None = None
    tested: bool = True
    answers: int = 0
    questions: Asking = "ask"

    @property
    def title(self) -> str:
        """For the bars."""
        return f"{self.data} {Path(self.learner).stem} seed {self.seed}"

    @property
    def inputs(self) -> dict[str, Any]:
        """The data, the stream, and the learner with every setting; a calibration by what is in it."""
        settings = told_of(self.learner, self.changes)
        if "exact.calibration" in settings:
            settings = {**settings, "exact.calibration": named(settings["exact.calibration"]).name}
        seeds = {"order": self.order_seed, "pictures": self.picture_seed, "learner": self.learner_seed}
        return {
            **described(self.data),
            "learner": Path(self.learner).stem,
            "seed": self.seed,
            "seeds": {name: self.seed if own is None else own for name, own in seeds.items()},
            "plan": asdict(self.plan),
            "settings": settings,
            **({} if self.tested else {"tested": False}),
            **({"answers": self.answers, "questions": self.questions} if self.answers else {}),
        }

    @property
    def steps(self) -> int:
        """One an exposure."""
        return len(self.stream())

    def stream(self) -> Stream:
        """The stream that the seeds give."""
        order = self.seed if self.order_seed is None else self.order_seed
        pictures = self.seed if self.picture_seed is None else self.picture_seed
        data = dataset(self.data)
        return plan(data if self.tested else data.untested(), self.plan, order, pictures)

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """Run to the end. What is done is shown to the learner again, without naming test pictures."""
        stream = self.stream()
        seed = self.seed if self.learner_seed is None else self.learner_seed
        learner = load(self.learner, Task(stream, seed, self.changes, frozen))
        before = [entry.record for entry in map(records.from_line, done)]
        person = Person(stream.truths, np.random.default_rng([seed, self.answers]), self.questions)
        run = Run(learner, stream, before, person=person, answers=self.answers)
        for record in run:
            shown = stream.pictures[len(run.records) - 1]
            name = Path(self.learner).stem
            yield records.to_line(Entry(self.data, name, self.seed, record, shown, dict(learner.facts)))
