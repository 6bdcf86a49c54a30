"""A person's answers in words, and what each of them did: what the command line prints and an API returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ilap.keep.learner import LearnerInFile
from ilap.keep.words import class_of, class_or_new, exposure_of
from ilap.learner import corrections
from ilap.learner.log import Change


@dataclass(frozen=True)
class Answer:
    """What a correction did: the sentence that says so, its event, and the class and exposures that it is
    about. ``changes`` are the moves."""

    said: str
    event: int | None = None
    class_id: int | None = None
    exposures: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()


def rename(learner: LearnerInFile, which: str, name: str) -> Answer:
    """Give a class or a tentative group a name."""
    class_id = class_of(learner, which)
    event = learner.rename(class_id, name)
    what = "class" if class_id in learner.state.members else "tentative group"
    return Answer(f"{what} {class_id} is called {name} (event {event})", event, class_id)


def confirm(learner: LearnerInFile, which: str) -> Answer:
    """All exposures of a tentative group are one class; or those of a class are right where they are."""
    class_id = class_of(learner, which)
    was, tentative = learner.name_of(class_id), class_id not in learner.state.members
    correction = corrections.confirm(learner.state, class_id)
    event = learner.correct(correction)
    numbers = tuple(change.exposure for change in correction.changes)
    some = f"{len(numbers)} exposure{'s' * (len(numbers) != 1)}"
    became = f"{was} is now class {class_id}, of {some}" if tentative else f"{some} of {was} confirmed"
    return Answer(f"{became} (event {event})", event, class_id, numbers, changes=correction.changes)


def merge(learner: LearnerInFile, which: str, other: str) -> Answer:
    """Two classes are one."""
    into, gone = class_of(learner, which), class_of(learner, other)
    what = "class" if gone in learner.state.members else "tentative group"
    correction = corrections.merge(learner.state, learner.names, into, gone)
    event = learner.correct(correction)
    count = len(learner.classes[into].exposures)
    said = f"{what} {gone} is part of {learner.name_of(into)}, which now has {count} exposures (event {event})"
    return Answer(said, event, into, changes=correction.changes)


def split(learner: LearnerInFile, exposures: Sequence[str], name: str | None = None) -> Answer:
    """Exposures of one class are a class of their own."""
    numbers = sorted({exposure_of(learner, word) for word in exposures})
    class_id = learner.state.founded
    correction = corrections.split(learner.state, numbers, name, learner.place_of)
    event = learner.correct(correction)
    said = f"{len(numbers)} exposures are now {learner.name_of(class_id)} (event {event})"
    return Answer(said, event, class_id, tuple(numbers), changes=correction.changes)


def move(learner: LearnerInFile, exposure: str, to: str) -> Answer:
    """An exposure belongs to a class, or to one of its own."""
    number = exposure_of(learner, exposure)
    correction = corrections.move(learner.state, number, class_or_new(learner, to), learner.place_of)
    event = learner.correct(correction)
    class_id = correction.changes[0].after
    said = f"exposure {number} is {learner.name_of(class_id)} (event {event})"
    return Answer(said, event, class_id, (number,), changes=correction.changes)


def discard(learner: LearnerInFile, exposures: Sequence[str]) -> Answer:
    """Exposures are of no use."""
    numbers = sorted({exposure_of(learner, word) for word in exposures})
    correction = corrections.discard(numbers, learner.place_of)
    event = learner.correct(correction)
    said = f"{len(numbers)} exposures are discarded (event {event})"
    return Answer(said, event, exposures=tuple(numbers), changes=correction.changes)


def undo(learner: LearnerInFile, event: int | None = None, with_later: bool = False) -> Answer:
    """Take back the last correction, or any one event."""
    gone = tuple(learner.undo(event, with_later))
    numbers = ", ".join(map(str, gone))
    return Answer(f"event{'s' * (len(gone) > 1)} {numbers} undone", undone=gone)
