"""An audit as it is told: each decision with the pictures that a person compares, and answers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ilap.core.errors import BadCorrection
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view
from ilap.keep.store.exposures import THUMBNAILS
from ilap.keep.words import class_or_new, exposure_of
from ilap.learner.audit import Audit, Place, SureDecision, to_judge

PATHS = 3  # pictures of an exposure that are named
ANSWER = re.compile(r"(.+?)=(right|wrong|cannot)(?::(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Looked:
    """An exposure to look at, with some of its pictures' files, and the ids of its most typical pictures."""

    exposure: int
    name: str
    folder: str | None
    pictures: tuple[str, ...]
    picture_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class DecisionView:
    """A sure decision, and the class that it is to be compared with (learner/audit.py): its earliest
    exposures."""

    about: Looked
    decision: str
    class_id: int
    class_name: str
    error: float | None
    beside: int | None
    beside_name: str | None
    shown: tuple[Looked, ...]


@dataclass(frozen=True)
class AuditView:
    """An audit and the decisions that are still to be looked at. ``said`` is its result so far, ``broken``
    whether more is wrong than was promised."""

    event: int | None
    sample: tuple[DecisionView, ...]
    decisions: int
    promised: float
    right: int
    wrong: int
    cannot: int
    share: float | None
    low: float
    high: float
    broken: bool
    said: str


def audit(learner: LearnerInFile, number: int = 20, seed: int = 0) -> AuditView:
    """Draw decisions to look at, or go on with those that were drawn."""
    return audit_view(learner, learner.audit(number, seed))


def current(learner: LearnerInFile) -> AuditView:
    """The last audit as it stands; nothing is drawn."""
    with learner.snapshot():
        return audit_view(learner, to_judge(learner.state, learner.history(), learner.store.decision_of))


def answer(learner: LearnerInFile, words: Sequence[str]) -> AuditView:
    """Answers in words, as 12=right, 12=cannot, 12=wrong, 12=wrong:new or 12=wrong:CLASS; all of them or
    none."""
    verdicts: dict[int, str] = {}
    belongs: dict[int, Place] = {}
    for word in words:
        found = ANSWER.fullmatch(word)
        if not found or (found[3] is not None and found[2] != "wrong"):
            raise BadCorrection(
                f"{word!r} is no answer: say 12=right, 12=wrong or 12=cannot; 12=wrong:fox, 12=wrong:new where "
                f"it is known what it is."
            )
        number = exposure_of(learner, found[1])
        verdicts[number] = found[2]
        if found[3]:
            belongs[number] = place_meant(learner, found[3])
    return audit_view(learner, learner.audit(answers=verdicts, belongs=belongs))


def place_meant(learner: LearnerInFile, word: str) -> Place:
    """Where a wrong one belongs, in words: a class, new, or unsure, which is also meant by nothing."""
    return "unsure" if word.strip().casefold() in ("", "unsure") else class_or_new(learner, word)


def audit_view(learner: LearnerInFile, audit: Audit) -> AuditView:
    """An audit with all that it shows."""
    rows = {row.number: row for row in view.exposures(learner.file.connection)}

    def looked(number: int) -> Looked:
        row, typical = rows[number], view.typical(learner.file.connection, number, THUMBNAILS)
        paths = tuple(path for _, path in typical if path is not None)[:PATHS]
        return Looked(number, row.name, row.folder, paths, tuple(picture for picture, _ in typical))

    def decided(own: SureDecision) -> DecisionView:
        return DecisionView(
            looked(own.exposure),
            own.kind,
            own.class_id,
            learner.name_of(own.class_id),
            own.error,
            own.beside,
            None if own.beside is None else learner.name_of(own.beside),
            tuple(map(looked, own.shown)),
        )

    return AuditView(
        audit.event,
        tuple(map(decided, audit.sample)),
        audit.decisions,
        audit.promised,
        audit.right,
        audit.wrong,
        audit.cannot,
        audit.share,
        audit.low,
        audit.high,
        audit.broken,
        audit.said,
    )
