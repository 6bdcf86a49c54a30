"""An audit: a person looks at some sure decisions, drawn at random, and says of each whether it is right.
From the answers follows how many of all sure decisions are wrong (sampling.py).

A draw is an event, and so is every answer: what is right is confirmed, what is wrong is corrected, and undo
takes either back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from ilap.core.errors import BadCorrection
from ilap.exact.told import Told, pair
from ilap.learner.corrections import Correction, DecisionOf, doubted, known_place
from ilap.learner.log import ILAP, UNSURE, Change, Event, deciders, in_force, plain
from ilap.learner.sampling import SureKind, drawn, estimate
from ilap.learner.state import State

Verdict = Literal["right", "wrong", "cannot"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
BESIDE = 3  # exposures of the class that a decision is compared with

Place = int | None | Literal["unsure"]
"""Where an exposure belongs that is wrong where it is: a class, one of its own (None), or nobody knows yet."""


@dataclass(frozen=True)
class SureDecision:
    """A decision to look at. ``beside`` is the class to compare the exposure with: its own where it was called
    known, the likeliest other one where it was called new; ``shown`` are the earliest exposures of that."""

    exposure: int
    kind: SureKind
    class_id: int
    error: float | None
    beside: int | None
    shown: tuple[int, ...]


@dataclass(frozen=True)
class Audit:
    """An audit so far. ``sample`` are the decisions that are still to be looked at, ``decisions`` how many sure
    ones there were to draw from, ``promised`` the risk that was set. ``share`` of these is wrong, between
    ``low`` and ``high``; None where nothing was answered yet."""

    event: int | None
    sample: tuple[SureDecision, ...] = ()
    decisions: int = 0
    promised: float = 0.0
    right: int = 0
    wrong: int = 0
    cannot: int = 0
    share: float | None = None
    low: float = 0.0
    high: float = 1.0

    @property
    def broken(self) -> bool:
        """Whether more is wrong than was promised, beyond chance."""
        return self.low > self.promised

    @property
    def said(self) -> str:
        """The result as a sentence.

        >>> Audit(7, (), 80, 0.05, 18, 2, 1, 0.1, 0.012, 0.317).said
        '2 of 20 sure decisions are wrong (10%, 95% interval 1.2% to 31.7%); at most 5% was promised. 1 could \
not be told.'
        >>> Audit(7, (), 80, 0.05, 4, 16, 0, 0.8, 0.563, 0.943).said
        'The promise does not hold: 16 of 20 sure decisions are wrong (80%, 95% interval 56.3% to 94.3%); at \
most 5% was promised.'
        """
        untold = f" {self.cannot} could not be told." if self.cannot else ""
        if self.share is None:
            return f"No decision was found right or wrong yet.{untold}"
        wrong = f"{self.wrong} of {self.right + self.wrong} sure decisions are wrong"
        between = f"{100 * self.share:.3g}%, 95% interval {100 * self.low:.3g}% to {100 * self.high:.3g}%"
        start = "The promise does not hold: " if self.broken else ""
        return f"{start}{wrong} ({between}); at most {100 * self.promised:g}% was promised.{untold}"


def kind_of(state: State, number: int, place: int, told: Mapping[str, Any]) -> SureKind:
    """What ilap said of an exposure that it put there."""
    said = told.get("kind")
    if told.get("class") == place and said in ("new", "known"):
        return "new" if said == "new" else "known"
    return "new" if state.members[place][0] == number else "known"


def decision(state: State, number: int, place: int, told: Mapping[str, Any]) -> SureDecision:
    """A sure decision, with what it is to be compared with."""
    kind, beside = kind_of(state, number, place, told), place
    if kind == "new":
        likely = {int(k): share for k, share in told.get("p_known", {}).items()}
        others = [k for k in likely if k != place and k in state.members]
        beside = max(others, key=lambda k: likely[k], default=-1)
    shown = [other for other in state.members.get(beside, ()) if other != number]
    return SureDecision(
        number, kind, place, told.get("error"), beside if beside >= 0 else None, tuple(shown[:BESIDE])
    )


def standing_decisions(state: State, log: Sequence[Event]) -> dict[int, int]:
    """The classes of all exposures that ilap has put there and that nobody audited."""
    by = deciders(log)
    audited = {event.about["exposure"] for event in in_force(log) if is_answer(event)}
    sure = {number: k for k, own in state.members.items() for number in own}
    return {n: k for n, k in sorted(sure.items()) if by.get(n, ILAP) == ILAP and n not in audited}


def draw(
    state: State, log: Sequence[Event], decision_of: DecisionOf, number: int, seed: int, risk: float
) -> dict[str, Any] | None:
    """What is noted of the draw of so many decisions, none of which was audited before; None where there are
    none."""
    if number < 1:
        raise BadCorrection(f"{number} decisions cannot be looked at: say 1 or more.")
    sure = standing_decisions(state, log)
    kinds = {n: kind_of(state, n, place, decision_of(n)) for n, place in sure.items()}
    rng = np.random.default_rng([seed, sum(map(is_draw, log))])
    if not sure:
        return None
    return {
        "drawn": [[n, kinds[n]] for n in drawn(kinds, number, rng)],
        "of": {kind: list(kinds.values()).count(kind) for kind in ("new", "known")},
        "number": number,
        "seed": seed,
        "risk": risk,
    }


def is_draw(event: Event) -> bool:
    """Whether an event is the draw of an audit."""
    return event.kind == "audit" and "drawn" in event.about


def is_answer(event: Event) -> bool:
    """Whether an event is an answer of an audit."""
    return event.kind == "audit" and "verdict" in event.about


def judged(log: Sequence[Event], draw: Event) -> Audit:
    """What an audit has found so far, without its sample."""
    about = draw.about
    given = {e.about["exposure"]: e.about["verdict"] for e in in_force(log) if e.about.get("audit") == draw.id}
    told = {number: verdict == "wrong" for number, verdict in given.items() if verdict != "cannot"}
    kinds = dict(about["drawn"])
    found: dict[SureKind, list[bool]] = {"new": [], "known": []}
    for number, wrong in told.items():
        found[kinds[number]].append(wrong)
    wrong, cannot = sum(told.values()), len(given) - len(told)
    audit = Audit(draw.id, (), sum(about["of"].values()), about["risk"], len(told) - wrong, wrong, cannot)
    if not told:
        return audit
    share, low, high = estimate(found, about["of"], len(kinds))
    return replace(audit, share=share, low=low, high=high)


def last_draw(log: Sequence[Event]) -> Event | None:
    """The draw of the last audit."""
    return next((event for event in reversed(in_force(log)) if is_draw(event)), None)


def in_effect(log: Sequence[Event]) -> Audit | None:
    """The audit to go by: the last one. But one that found the promise broken stands until another does so too,
    or is of no fewer answers, or ends below it."""
    found: Audit | None = None
    for draw in filter(is_draw, in_force(log)):
        audit = judged(log, draw)
        if audit.share is not None and (found is None or not found.broken or supersedes(audit, found)):
            found = audit
    return found


def supersedes(audit: Audit, earlier: Audit) -> bool:
    """Whether an audit counts for more than an earlier one that found the promise broken."""
    as_many = audit.right + audit.wrong >= earlier.right + earlier.wrong
    return audit.broken or as_many or audit.high < earlier.low


def to_judge(state: State, log: Sequence[Event], decision_of: DecisionOf) -> Audit:
    """The last audit, with the decisions of its sample that are still to be looked at."""
    draw = last_draw(log)
    if draw is None:
        return Audit(None)
    open_still = standing_decisions(state, log)
    sample = tuple(
        decision(state, number, open_still[number], decision_of(number))
        for number, _ in draw.about["drawn"]
        if number in open_still
    )
    return replace(judged(log, draw), sample=sample)


def decision_meant(audit: Audit, number: int, verdict: str, belongs: Place) -> SureDecision:
    """The decision that an answer is about, if it can be given."""
    if verdict not in VERDICTS:
        raise BadCorrection(f"{verdict!r} is no answer: say right, wrong or cannot.")
    for own in audit.sample:
        if own.exposure == number:
            if verdict == "wrong" and own.kind == "new" and belongs is None:
                raise BadCorrection(
                    f"Exposure {number} was called new already: say which class it is, or unsure."
                )
            if verdict == "wrong" and belongs == own.class_id:
                raise BadCorrection(f"Exposure {number} is in class {belongs} already: say that it is right.")
            return own
    raise BadCorrection(f"Exposure {number} is not to be looked at now: ilap audit --json lists what is.")


def answered(
    state: State, audit: Audit, own: SureDecision, verdict: str, belongs: Place, told: Mapping[str, Any]
) -> Correction:
    """What an answer changes. What is right is confirmed. What is wrong goes where it belongs, or waits, and
    what was called known is never put with the exposures of that class again."""
    number, place = own.exposure, own.class_id
    about: dict[str, Any] = {"audit": audit.event, "exposure": number, "verdict": verdict}
    if verdict == "cannot":
        return Correction("audit", about=about)
    if verdict == "right":
        return Correction("audit", (Change(number, place, place),), about=about)
    others = [other for other in state.members[place] if other != number] if own.kind == "known" else []
    if others:
        about["told"] = plain(Told(apart=tuple(pair(number, other) for other in others)))
    if belongs != "unsure":
        target = state.founded if belongs is None else known_place(state, belongs)
        return Correction("audit", (Change(number, place, target),), about=about)
    now = doubted(told, own.kind, place)
    return Correction("audit", (Change(number, place, UNSURE),), about=about, decisions={number: now})
