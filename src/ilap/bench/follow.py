"""What becomes of every answer: whether it was right when it was given, and where its exposure is afterwards.

Everything follows from decisions and truths, in their order, so a run under way and its log tell the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ilap.core.decision import Decision
from ilap.core.metrics import decision_is_right


@dataclass(frozen=True)
class Judged:
    """An answer about an exposure, at once or settled later. ``p_truth`` is the probability that it gave to the
    truth, ``stated`` how likely it called itself right, and ``likeliest_right`` whether what it held for the
    likeliest was right, which an *unsure* answer does not say; each None where there are no probabilities."""

    answer: Decision
    exposure: int
    at_once: bool
    right: bool
    p_truth: float | None
    stated: float | None
    likeliest_right: bool | None

    @property
    def sure(self) -> bool:
        """Whether the learner was sure of it, by itself."""
        return self.answer.kind != "unsure" and self.answer.by != "person"


@dataclass
class Followed:
    """``truth_of`` is the paper's m, the true class that each learned class stands for: that of its founding
    exposure. ``places`` is the class in which each exposure is now; one that waits is in none. ``lost`` are the
    truths whose class was given up."""

    truths: list[int] = field(default_factory=list)
    truth_of: dict[int, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)

    def take(self, decision: Decision, truth: int) -> list[Judged]:
        """The decision about the next exposure, and those that it settled, each judged by what was known when
        it was given."""
        number = len(self.truths)
        self.truths.append(truth)
        judged = [self._judged(decision, number, True)]
        self._follow(decision, number)
        for answer in decision.settled:
            judged.append(self._judged(answer, answer.exposure, False))
            self._follow(answer, answer.exposure)
        return judged

    def _judged(self, answer: Decision, number: int, at_once: bool) -> Judged:
        truth = self.truths[number]
        right = decision_is_right(answer, truth, self.truth_of, self.lost if at_once else ())
        p_truth = likeliest_right = None
        stated = None if answer.error is None else 1 - answer.error
        if answer.p_new is not None:
            standing = {k for k, own in self.truth_of.items() if own == truth}
            p_truth = sum(answer.p_known.get(k, 0.0) for k in standing) if standing else answer.p_new
            likeliest = max(answer.p_known, key=lambda k: answer.p_known[k], default=None)
            new = likeliest is None or answer.p_new >= answer.p_known[likeliest]
            likeliest_right = not standing if new else likeliest in standing
        if answer.kind != "unsure":
            likeliest_right = right
        return Judged(answer, number, at_once, right, p_truth, stated, likeliest_right)

    def _left(self, class_id: int) -> None:
        """A person took an exposure out of a class: its first one now says what it stands for."""
        rest = [number for number, place in self.places.items() if place == class_id]
        if rest:
            self.truth_of[class_id] = self.truths[min(rest)]
        else:
            self.truth_of.pop(class_id, None)

    def _follow(self, answer: Decision, number: int) -> None:
        """What was moved makes up a class of its own; what is given up waits again."""
        left = {self.places[n] for n in (number, *answer.moved) if n in self.places}
        if answer.moved_to is not None:
            self.truth_of[answer.moved_to] = self.truths[min(answer.moved)]
            self.places.update(dict.fromkeys(answer.moved, answer.moved_to))
        elif answer.kind == "new" and answer.class_id is not None:
            self.truth_of[answer.class_id] = self.truths[number]
        if answer.class_id is not None:
            self.places[number] = answer.class_id
        if answer.by == "person":
            for class_id in left - {answer.class_id}:
                self._left(class_id)
        for class_id in answer.discarded:
            self.lost.update({self.truth_of.pop(class_id)} if class_id in self.truth_of else ())
            self.places = {n: k for n, k in self.places.items() if k != class_id}
