"""How likely the next questions are to change anything, and when it is time to stop.

The rule is that of WBIA (Crall, *Identifying individual animals using ranking, verification, and connectivity*,
2017). With l = 1 for an answer that changed the place of any exposure, and 0 for any other, a running mean is

    mu <- a l + (1 - a) mu,    a = 2 / (s + 1),    s = 20,

and n more answers change something with probability 1 - (1 - mu)^n. Here mu begins as the mean probability that
the learner gives to a change by the questions that it asks next, so that there is something to go by before the
first answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ilap.exact.questions import Question
from ilap.keep.answers import QuestionView, share_in_words, views
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events
from ilap.learner.log import NOWHERE, Event, in_force

SPAN = 20  # answers over which the mean runs (s)
NEXT = 20  # questions that are spoken of (n)
STOP = 0.05  # the probability under which it is time to stop; WBIA has .052
READ = 1000  # events of the log that are looked at; earlier ones weigh nothing
KINDS = ("answer", "settle", "regroup", "undo")  # answers, what follows from them, and what takes them back


@dataclass(frozen=True)
class Meter:
    """Of ``answers`` that were given lately, ``changes`` is the running mean; ``likely`` is how likely the next
    20 change anything, ``stop`` whether that is hardly worth it."""

    answers: int
    changes: float
    likely: float
    stop: bool
    said: str


@dataclass(frozen=True)
class Asked:
    """Questions, the most useful first, as of an event of the log."""

    event: int
    questions: tuple[QuestionView, ...]
    meter: Meter


def ask(learner: LearnerInFile, count: int, bulk: bool = False) -> Asked:
    """The questions whose answers would help most, and how much more there is to change; all of one moment."""
    with learner.snapshot() as connection:
        last, scene = events.last(connection), None if learner.state.is_empty else learner.scene()
        coming = learner.ask(max(count, NEXT), scene=scene)
        found = learner.ask(count, bulk, scene) if bulk else coming[:count]
        gone_by = changed(events.of_kinds(connection, KINDS, max(0, last - READ)))
        return Asked(last, tuple(views(learner, found)), meter(gone_by, coming))


def meter(gone_by: Sequence[bool], coming: Sequence[Question]) -> Meter:
    """From what answers changed, and what is asked next.

    >>> meter([], [Question("same", 0, (1,), change=0.5)]).said
    'One of the next 20 questions changes something: more than 99% likely.'
    >>> meter([False] * 30, [Question("same", 0, (1,), change=0.02)]).stop
    True
    """
    if not coming:
        return Meter(len(gone_by), 0.0, 0.0, True, "There is nothing left to ask.")
    mean = sum(question.change for question in coming[:NEXT]) / len(coming[:NEXT])
    rate = 2 / (SPAN + 1)
    for one in gone_by:
        mean = rate * one + (1 - rate) * mean
    likely = 1 - (1 - mean) ** NEXT
    stop = likely < STOP
    what = f"One of the next {NEXT} questions changes something: {share_in_words(likely)} likely."
    return Meter(len(gone_by), mean, likely, stop, f"Time to stop. {what}" if stop else what)


def changed(log: Sequence[Event]) -> list[bool]:
    """Of every answer in force, whether it, or what followed from it, changed the place of any exposure."""
    held = in_force(log)
    given = {event.id: moves(event) for event in held if event.kind == "answer"}
    for event in held:
        cause = event.about.get("after")
        if cause in given:
            given[cause] = given[cause] or moves(event)
    return list(given.values())


def moves(event: Event) -> bool:
    """Whether an event puts any exposure elsewhere than where it most likely was: a tentative place that
    becomes sure is no change."""
    before = placed((change.exposure, change.before) for change in event.tentative)
    after = placed((change.exposure, change.after) for change in event.tentative)
    sure = {change.exposure for change in event.changes}
    return any(
        (change.before if change.before >= 0 else before.get(change.exposure))
        != (change.after if change.after >= 0 else after.get(change.exposure))
        for change in event.changes
    ) or any(place != after.get(number) for number, place in before.items() if number not in sure)


def placed(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Tentative places, of those that have one."""
    return {number: place for number, place in pairs if place != NOWHERE}
