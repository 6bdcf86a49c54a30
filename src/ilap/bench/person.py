"""A person who answers the questions of a learner, mostly right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ilap.bench.learners.contract import AsksPeople
from ilap.exact.questions import Question

Asking = Literal["ask", "random"]
RIGHT = 0.99  # of a person's answers


@dataclass
class Person:
    """Knows what every exposure shows. Questions are those that would help most (*ask*), or about an exposure
    at *random* that nobody has answered yet."""

    truths: Sequence[int]
    rng: np.random.Generator
    asking: Asking = "ask"
    answered: set[int] = field(default_factory=set)

    def asked(self, learner: AsksPeople) -> Question | None:
        """The next question; None where there is no more."""
        if self.asking == "ask":
            return next(iter(learner.ask(1)), None)
        free = [number for number in range(len(self.truths)) if number not in self.answered]
        return learner.question(int(self.rng.choice(free))) if free else None

    def says(self, question: Question) -> str:
        """The answer: the first that is right, or now and then one of the others."""
        truth = self.truths[question.exposure]
        alike = [self.truths[number] == truth for number in question.shown]
        if question.kind == "same":
            keys, right = ["same", "different"], "same" if alike[0] else "different"
        else:
            keys = [*(str(place) for place in range(1, len(alike) + 1)), "new"]
            right = str(alike.index(True) + 1) if any(alike) else "new"
        if self.rng.random() < RIGHT:
            return right
        return str(self.rng.choice([key for key in keys if key != right]))
