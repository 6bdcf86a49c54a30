"""Questions to a person, and a person's corrections and answers in words, with what each of them did: what the
command line prints and an API returns.

A question is named by all exposures that it shows (exact/questions.py). These numbers are never used again, so
an answer that comes late is still about what the person saw, or is refused if an exposure is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ilap.core.errors import BadCorrection
from ilap.core.plural import counted
from ilap.exact.questions import Question
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view
from ilap.keep.store.exposures import THUMBNAILS
from ilap.keep.words import class_of, class_or_new, command, exposure_of
from ilap.learner import answers, corrections
from ilap.learner.answers import CANNOT, NEW
from ilap.learner.log import Change
from ilap.learner.proposals import ProposalKind

BESIDE = 5  # more exposures of a place that are shown with a batch or a split
PATHS = 3  # pictures of an exposure that are named


@dataclass(frozen=True)
class Corrected:
    """What a correction or an answer did: the sentence that says so, its event, the class and exposures that it
    is about. ``changes`` are the moves."""

    said: str
    event: int | None = None
    class_id: int | None = None
    exposures: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()
    redone: tuple[int, ...] = ()


def rename(learner: LearnerInFile, which: str, name: str) -> Corrected:
    """Give a class or a tentative group a name."""
    class_id = class_of(learner, which)
    event = learner.rename(class_id, name)
    what = "class" if class_id in learner.state.members else "tentative group"
    said = f"{what} {class_id} is called {learner.name_of(class_id)} (event {event})"
    return Corrected(said, event, class_id)


def confirm(learner: LearnerInFile, which: str) -> Corrected:
    """All exposures of a tentative group are one class; or those of a class are right where they are."""
    class_id = class_of(learner, which)
    was, tentative = learner.name_of(class_id), class_id not in learner.state.members
    correction = corrections.confirm(learner.state, class_id)
    event = learner.correct(correction)
    numbers = tuple(change.exposure for change in correction.changes)
    some = counted(len(numbers), "exposure")
    became = f"{was} is now class {class_id}, of {some}" if tentative else f"{some} of {was} confirmed"
    return Corrected(f"{became} (event {event})", event, class_id, numbers, changes=correction.changes)


def merge(learner: LearnerInFile, which: str, other: str) -> Corrected:
    """Two classes are one."""
    into, gone = class_of(learner, which), class_of(learner, other)
    what = "class" if gone in learner.state.members else "tentative group"
    correction = corrections.merge(learner.state, learner.names, into, gone)
    event = learner.correct(correction)
    count = counted(len(learner.classes[into].exposures), "exposure")
    said = f"{what} {gone} is part of {learner.name_of(into)}, which now has {count} (event {event})"
    return Corrected(said, event, into, changes=correction.changes)


def split(learner: LearnerInFile, exposures: Sequence[str], name: str | None = None) -> Corrected:
    """Exposures of one class are a class of their own."""
    numbers = sorted({exposure_of(learner, word) for word in exposures})
    class_id = learner.state.founded
    correction = corrections.split(learner.state, learner.names, numbers, name, learner.place_of)
    event = learner.correct(correction)
    said = f"{exposures_in_words(numbers)} now {learner.name_of(class_id)} (event {event})"
    return Corrected(said, event, class_id, tuple(numbers), changes=correction.changes)


def move(learner: LearnerInFile, exposures: Sequence[str], to: str) -> Corrected:
    """Exposures belong to a class, or to one of their own."""
    numbers = sorted({exposure_of(learner, word) for word in exposures})
    correction = corrections.move(learner.state, numbers, class_or_new(learner, to), learner.place_of)
    event = learner.correct(correction)
    class_id = correction.changes[0].after
    these = f"exposure {numbers[0]} is" if len(numbers) == 1 else f"{len(numbers)} exposures are"
    said = f"{these} {learner.name_of(class_id)} (event {event})"
    return Corrected(said, event, class_id, tuple(numbers), changes=correction.changes)


def exposures_in_words(numbers: Sequence[int]) -> str:
    """How many exposures are.

    >>> exposures_in_words([3]), exposures_in_words([3, 4])
    ('1 exposure is', '2 exposures are')
    """
    return f"{counted(len(numbers), 'exposure')} {'is' if len(numbers) == 1 else 'are'}"


def discard(learner: LearnerInFile, exposures: Sequence[str]) -> Corrected:
    """Exposures are of no use."""
    numbers = sorted({exposure_of(learner, word) for word in exposures})
    correction = corrections.discard(numbers, learner.place_of)
    event = learner.correct(correction)
    said = f"{exposures_in_words(numbers)} discarded (event {event})"
    return Corrected(said, event, exposures=tuple(numbers), changes=correction.changes)


def undo(learner: LearnerInFile, event: int | None = None, with_later: bool = False) -> Corrected:
    """Take back the last correction, or any one event."""
    gone = tuple(learner.undo(event, with_later))
    numbers = ", ".join(map(str, gone))
    return Corrected(f"event{'s' * (len(gone) > 1)} {numbers} undone", undone=gone)


def redo(learner: LearnerInFile) -> Corrected:
    """Carry out again what the last undo took back."""
    again = tuple(learner.redo())
    numbers = ", ".join(map(str, again))
    return Corrected(f"event{'s' * (len(again) > 1)} {numbers} in force again", redone=again)


@dataclass(frozen=True)
class Shown:
    """An exposure that a question shows. ``place`` is the class that it stands for, or a tentative group
    (``tentative``), of so many ``exposures``; ``probability`` how likely it shows the same as the one that is
    asked about. ``key`` is the answer that says so. ``picture_ids`` are its most typical pictures."""

    exposure: int
    name: str
    pictures: tuple[str, ...]
    place: int
    place_name: str
    exposures: int
    tentative: bool
    probability: float | None = None
    key: str | None = None
    picture_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class QuestionView:
    """A question as it is told, with the command for every answer. ``value`` is how many pairs of exposures the
    answer mends on average, ``change`` how likely it changes any place. ``beside`` are some more exposures of
    the place that a batch or a split is about. ``reason`` is why it is asked, in words."""

    question: str
    kind: str
    about: Shown
    shown: tuple[Shown, ...]
    p_new: float | None
    value: float
    change: float
    commands: Mapping[str, str]
    beside: tuple[Shown, ...] = ()
    reason: str = ""


def ask(learner: LearnerInFile, count: int, bulk: bool = False) -> list[QuestionView]:
    """The questions whose answers would help most, the best first; in ``bulk`` with exposures that are
    confirmed together. All of one moment."""
    with learner.snapshot():
        return views(learner, learner.ask(count, bulk))


def views(learner: LearnerInFile, questions: Sequence[Question]) -> list[QuestionView]:
    """Questions with all that they show."""
    places = Places(learner.places)
    return [asked(learner, question, places) for question in questions]


class Places:
    """Where every exposure is, and what is in every place."""

    def __init__(self, place_of: Mapping[int, int]) -> None:
        self.place_of = place_of
        self.inside: dict[int, list[int]] = {}
        for number, place in place_of.items():
            self.inside.setdefault(place, []).append(number)


def asked(learner: LearnerInFile, question: Question, places: Places) -> QuestionView:
    """A question with all that it shows."""
    which = question.kind == "which"
    seen, beside = {question.exposure, *question.shown}, list[int]()
    if question.kind in ("batch", "split"):
        own = [n for n in places.inside[places.place_of[question.exposure]] if n not in seen]
        beside = sorted(own, key=lambda n: (n not in learner.exact.fixed, n))[:BESIDE]
    shown = tuple(
        shown_of(learner, number, places, probability, key_for(question, place))
        for place, (number, probability) in enumerate(
            zip(question.shown, question.probabilities, strict=True), 1
        )
    )
    return QuestionView(
        question.id,
        question.kind,
        shown_of(learner, question.exposure, places),
        shown,
        1 - sum(question.probabilities) if which else None,
        question.value,
        question.change,
        {key: command(learner.path, "answer", question.id, key) for key in answers.keys_of(question)},
        tuple(shown_of(learner, number, places) for number in beside),
        reason_of(question, learner.name_of_exposure),
    )


def key_for(question: Question, place: int) -> str | None:
    """The answer that says that an exposure, the first, second, ... that is shown, shows the same."""
    return {"which": str(place), "same": "same"}.get(question.kind)


def reason_of(question: Question, name_of: Callable[[int], str]) -> str:
    """Why a question is asked.

    >>> reason_of(Question("same", 3, (5,), (1,), (0.4,), because=(3, 4, 5)), "b{}".format)
    'Answers contradict each other: b3 is the same as b4, b4 is the same as b5, but b3 and b5 are different.'
    >>> reason_of(Question("same", 3, (5,), (1,), (0.4,)), str)
    'That they are the same is 40% likely.'
    """
    if question.because:
        ways = ", ".join(f"{name_of(a)} is the same as {name_of(b)}" for a, b in pairwise(question.because))
        first, last = name_of(question.because[0]), name_of(question.because[-1])
        return f"Answers contradict each other: {ways}, but {first} and {last} are different."
    if question.kind == "which":
        return f"That it is none of them is {share_in_words(1 - sum(question.probabilities))} likely."
    if question.kind == "same":
        return f"That they are the same is {share_in_words(question.probabilities[0])} likely."
    if question.kind == "split":
        return f"That this is two is {share_in_words(question.change)} likely."
    return f"That an answer changes any place is {share_in_words(question.change)} likely."


def share_in_words(share: float) -> str:
    """A probability as people read it.

    >>> share_in_words(0.4), share_in_words(0.999), share_in_words(0.001)
    ('40%', 'more than 99%', 'less than 1%')
    """
    return "more than 99%" if share > 0.995 else "less than 1%" if share < 0.005 else f"{share:.0%}"


def shown_of(
    learner: LearnerInFile,
    number: int,
    places: Places,
    probability: float | None = None,
    key: str | None = None,
) -> Shown:
    """One exposure of a question."""
    place = places.place_of[number]
    known = place in learner.state.members
    typical = view.typical(learner.file.connection, number, THUMBNAILS)
    return Shown(
        number,
        learner.name_of_exposure(number),
        tuple(path for _, path in typical if path is not None)[:PATHS],
        place,
        learner.name_of(place) if known else "",
        len(places.inside[place]),
        not known,
        probability,
        key,
        tuple(picture for picture, _ in typical),
    )


def answer(learner: LearnerInFile, question: str, key: str) -> Corrected:
    """A person answers a question; says what it did."""
    given = answers.question_of(question)
    word = answers.key_of(given, key)
    answered = learner.answer(given, word)
    event, done, settled = answered.event, answered.effect, answered.settled
    changed = tuple(change for change in event.changes if change.before != change.after)
    named = sorted({done.moves[number] for number in done.named})
    these = " and ".join(map(str, done.named)) if len(done.named) < 3 else counted(len(done.named), "exposure")
    into = f": {these} {'is' if len(done.named) == 1 else 'are'} " if named else ""
    said = f"{in_words(given, word)}{into}{', '.join(map(learner.name_of, named))} (event {event.id})"
    if settled:
        said += f"; {len(settled)} more exposure{'s are' if len(settled) > 1 else ' is'} sure now"
    exposures_settled = tuple(decision.exposure for decision in settled)
    return Corrected(
        said, event.id, named[0] if named else None, (*done.named, *exposures_settled), changes=changed
    )


def compare(learner: LearnerInFile, exposure: str, other: str, key: str) -> Corrected:
    """A person says that two exposures are the same or different: as the answer to a question, asked or not."""
    one, two = (exposure_of(learner, word) for word in (exposure, other))
    if one == two:
        raise BadCorrection(f"Exposure {one} cannot be compared with itself: name two exposures.")
    return answer(learner, Question("same", one, (two,)).id, key)


ACCEPTED = {
    "known": ("exposure", "known now"),
    "new": ("exposure", "new now"),
    "merge": ("pair of classes", "merged"),
    "split": ("class", "split"),
}


def accept(learner: LearnerInFile, kind: ProposalKind | None, above: float) -> Corrected:
    """Take all proposals of one kind that are at least this likely."""
    done = learner.accept(kind, above)
    if done.event is None or done.kind is None:
        of = f" of kind {kind}" if kind else ""
        return Corrected(f"no proposal{of} is at least {100 * above:g}% likely: nothing was changed")
    what, became = ACCEPTED[done.kind]
    count = len(done.proposals)
    some = f"{count} pairs of classes" if done.kind == "merge" and count > 1 else counted(count, what)
    said = f"{some} {'is' if count == 1 else 'are'} {became} (event {done.event}); ilap undo takes it back"
    moved = tuple(change.exposure for change in done.changes if change.before != change.after)
    return Corrected(said, done.event, exposures=moved, changes=done.changes)


def in_words(question: Question, key: str) -> str:
    """What an answer says.

    >>> in_words(Question("which", 12, (40, 7)), "2"), in_words(Question("same", 12, (40,)), "different")
    ('12 shows the same as 7', '12 and 40 are different')
    >>> in_words(Question("batch", 12, (40, 7)), "not 7"), in_words(Question("split", 12, (40, 7)), "all")
    ('12 shows the same as 40, and not as 7', '12 is another than 40, 7')
    >>> in_words(Question("split", 12, (40, 7)), "not 7"), in_words(Question("split", 12, (40, 7)), "not 40, 7")
    ('12 is another than 40', '12 shows the same as 40, 7')
    """
    number, shown = question.exposure, ", ".join(map(str, question.shown))
    if question.kind in ("batch", "split") and key != CANNOT:
        out = answers.left_out(key)
        own, rest = (", ".join(str(n) for n in question.shown if (n in out) == left) for left in (False, True))
        if question.kind == "split":
            return f"{number} is another than {own}" if own else f"{number} shows the same as {rest}"
        but = f", and not as {rest}" if rest else ""
        return f"{number} shows the same as {own}{but}" if own else f"{number} is another than {rest}"
    if key == CANNOT:
        return f"nobody can tell whether {number} shows the same as {shown}"
    if key == NEW:
        return f"{number} is new, none of {shown}"
    if key == "different":
        return f"{number} and {shown} are different"
    other = shown if key == "same" else question.shown[int(key) - 1]
    return f"{number} shows the same as {other}"
