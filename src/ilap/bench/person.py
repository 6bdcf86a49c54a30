"""A person who answers the questions of a learner, mostly right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ilap.bench.learners.contract import AsksPeople
from ilap.exact.questions import Question
from ilap.learner.answers import left_out

Asking = Literal["ask", "bulk", "random", "match"]
RIGHT = 0.99  # of a person's answers


@dataclass
class Person:
    """Knows what every exposure shows. Questions are those that would help most (*ask*), also with exposures
    that are confirmed together (*bulk*), about an exposure at *random* that nobody has answered yet, or about
    the pair that is likeliest a *match* of those that do not follow from answers, which is WBIA's order."""

    truths: Sequence[int]
    rng: np.random.Generator
    asking: Asking = "ask"
    answered: set[int] = field(default_factory=set)
    pairs: dict[tuple[int, int], bool] = field(default_factory=dict)

    def asked(self, learner: AsksPeople) -> Question | None:
        """The next question; None where there is no more."""
        if self.asking in ("ask", "bulk"):
            return next(iter(learner.ask(1, self.asking == "bulk")), None)
        if self.asking == "match":
            return self.likeliest(learner)
        free = [number for number in range(len(self.truths)) if number not in self.answered]
        return learner.question(int(self.rng.choice(free))) if free else None

    def likeliest(self, learner: AsksPeople) -> Question | None:
        """The likeliest match of those that do not follow from what was said: that two exposures are the same
        as a third, or that one is and the other is not."""
        numbers, odds = learner.matches()
        row = {number: at for at, number in enumerate(numbers)}
        label = np.arange(len(numbers))
        for (one, other), same in self.pairs.items():
            if same:
                label[label == label[row[other]]] = label[row[one]]
        open_still = np.triu(label[:, None] != label, 1)
        for (one, other), same in self.pairs.items():
            if not same:
                sides = label == label[row[one]], label == label[row[other]]
                open_still[np.ix_(*sides)] = open_still[np.ix_(*sides[::-1])] = False
        if not open_still.any():
            return None
        best = np.unravel_index(int(np.where(open_still, odds, -np.inf).argmax()), odds.shape)
        return Question("same", numbers[int(best[0])], (numbers[int(best[1])],))

    def says(self, question: Question) -> str:
        """The answer: the first that is right, or now and then one of the others. Of a batch and of a split
        every exposure is looked at, and may be mistaken; what is split off is what most of the others show."""
        truth = self.truths[question.exposure]
        alike = [self.truths[number] == truth for number in question.shown]
        if question.kind in ("batch", "split"):
            others = [self.truths[n] for n, one in zip(question.shown, alike, strict=True) if not one]
            part = max(others, key=others.count, default=None)
            fits = alike if question.kind == "batch" else [self.truths[n] == part for n in question.shown]
            found = [one if self.rng.random() < RIGHT else not one for one in fits]
            out = [str(number) for number, one in zip(question.shown, found, strict=True) if not one]
            return f"not {','.join(out)}" if out else "all"
        if question.kind == "same":
            keys, right = ["same", "different"], "same" if alike[0] else "different"
        else:
            keys = [*(str(place) for place in range(1, len(alike) + 1)), "new"]
            right = str(alike.index(True) + 1) if any(alike) else "new"
        slip = self.rng.random() >= RIGHT
        said = str(self.rng.choice([key for key in keys if key != right])) if slip else right
        if question.kind == "same":
            self.pairs[question.exposure, question.shown[0]] = said == "same"
        return said


def keys_pressed(question: Question, said: str) -> int:
    """How many keys an answer takes on the page: one, and one for every exposure that is taken out of a batch
    or a split. That a place is one, and not two, is one key.

    >>> keys_pressed(Question("batch", 0, (1, 2, 3)), "not 1,3")
    3
    >>> keys_pressed(Question("split", 0, (1, 2)), "not 1,2")
    1
    """
    if question.kind not in ("batch", "split"):
        return 1
    out = left_out(said)
    return 1 if question.kind == "split" and len(out) == len(question.shown) else 1 + len(out)
