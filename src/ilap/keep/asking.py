"""Questions of a learner in a file, and a person's answers: what the command line prints and an API returns.

A question is named by all exposures that it shows (exact/questions.py). These numbers are never used again, so
an answer that comes late is still about what the person saw, or is refused if an exposure is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ilap.exact.questions import Question
from ilap.keep.answers import Answer
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import commands
from ilap.keep.store import view
from ilap.learner import answers
from ilap.learner.answers import CANNOT, NEW

PATHS = 3  # pictures of an exposure that are named


@dataclass(frozen=True)
class Shown:
    """An exposure that a question shows. ``place`` is the class that it stands for, or a tentative group
    (``tentative``), of so many ``exposures``; ``probability`` how likely it shows the same as the one that is
    asked about. ``key`` is the answer that says so."""

    exposure: int
    name: str
    pictures: tuple[str, ...]
    place: int
    place_name: str
    exposures: int
    tentative: bool
    probability: float | None = None
    key: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question as it is told, with the command for every answer. ``value`` is how many pairs of exposures the
    answer mends on average."""

    question: str
    kind: str
    about: Shown
    shown: tuple[Shown, ...]
    p_new: float | None
    value: float
    commands: Mapping[str, str]


def ask(learner: LearnerInFile, count: int) -> list[Asked]:
    """The questions whose answers would help most, the best first."""
    places = learner.places
    return [asked(learner, question, places) for question in learner.ask(count)]


def asked(learner: LearnerInFile, question: Question, places: Mapping[int, int]) -> Asked:
    """A question with all that it shows."""
    which = question.kind == "which"
    shown = tuple(
        shown_of(learner, number, places, probability, str(place) if which else "same")
        for place, (number, probability) in enumerate(
            zip(question.shown, question.probabilities, strict=True), 1
        )
    )
    do = commands(learner)
    keys = answers.keys_of(question)
    return Asked(
        question.id,
        question.kind,
        shown_of(learner, question.exposure, places),
        shown,
        1 - sum(question.probabilities) if which else None,
        question.value,
        {key: do.join("answer", question.id, key) for key in keys},
    )


def shown_of(
    learner: LearnerInFile,
    number: int,
    places: Mapping[int, int],
    probability: float | None = None,
    key: str | None = None,
) -> Shown:
    """One exposure of a question."""
    place = places[number]
    known = place in learner.state.members
    return Shown(
        number,
        learner.name_of_exposure(number),
        view.typical_paths(learner.file.connection, number, PATHS),
        place,
        learner.name_of(place) if known else "",
        sum(own == place for own in places.values()),
        not known,
        probability,
        key,
    )


def answer(learner: LearnerInFile, question: str, key: str) -> Answer:
    """A person answers a question; says what it did."""
    given = answers.question_of(question)
    word = answers.key_of(given, key)
    answered = learner.answer(given, word)
    event, done, settled = answered.event, answered.effect, answered.settled
    changed = tuple(change for change in event.changes if change.before != change.after)
    named = sorted({done.moves[number] for number in done.named})
    into = f": {' and '.join(map(str, done.named))} {'is' if len(done.named) == 1 else 'are'} " if named else ""
    said = f"{in_words(given, word)}{into}{', '.join(map(learner.name_of, named))} (event {event.id})"
    if settled:
        said += f"; {len(settled)} more exposure{'s are' if len(settled) > 1 else ' is'} sure now"
    exposures_settled = tuple(decision.exposure for decision in settled)
    return Answer(
        said, event.id, named[0] if named else None, (*done.named, *exposures_settled), changes=changed
    )


def in_words(question: Question, key: str) -> str:
    """What an answer says.

    >>> in_words(Question("which", 12, (40, 7)), "2"), in_words(Question("same", 12, (40,)), "different")
    ('12 shows the same as 7', '12 and 40 are different')
    """
    number, shown = question.exposure, ", ".join(map(str, question.shown))
    if key == CANNOT:
        return f"nobody can tell whether {number} shows the same as {shown}"
    if key == NEW:
        return f"{number} is new, none of {shown}"
    if key == "different":
        return f"{number} and {shown} are different"
    other = shown if key == "same" else question.shown[int(key) - 1]
    return f"{number} shows the same as {other}"
