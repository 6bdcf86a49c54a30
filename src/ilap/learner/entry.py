"""What is written down of a step or a correction, before it is an event of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ilap.core.decision import Decision
from ilap.learner.log import NOWHERE, UNSURE, Change
from ilap.learner.state import State
from ilap.learner.step import Step
from ilap.learner.tentative import placements

LIKELIEST = 5  # known classes whose probability is kept


@dataclass(frozen=True)
class Entry:
    """``decisions`` are what is told of exposures from now on, ``left_out`` the pictures of an exposure that
    are not learned from, ``names`` classes that get another name, as (class, before, after). Without a ``kind``
    there is nothing for the log: an exposure was asked about, and stays unsure."""

    by: str
    kind: str
    about: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[Change] = ()
    decisions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    left_out: Mapping[int, Sequence[int]] = field(default_factory=dict)
    names: Sequence[tuple[int, str | None, str | None]] = ()


def of_step(before: State, step: Step, fresh: bool, answer: int | None = None) -> Entry:
    """A decision and what it changed. ``fresh`` is the one about the exposure that has just come, ``answer``
    the event that it follows from."""
    decision, after = step.decision, step.state
    about = scores(decision)
    told = {decision.exposure: about}
    changes = moves(before, after, decision.exposure, fresh)
    if not changes and not placements(before, after):
        return Entry(decision.by, "", decisions=told)
    kind = ("teach" if decision.by == "person" else "learn") if fresh else "settle"
    follows = {} if answer is None else {"after": answer}
    left_out = {} if decision.class_id is None else {decision.exposure: decision.strangers}
    return Entry(decision.by, kind, about | follows, changes, told, left_out)


def moves(before: State, after: State, number: int, fresh: bool) -> list[Change]:
    """How exposures moved from one state to the next; ``number`` was asked about, and is fresh if it has just
    come."""
    was = {exposure: k for k, numbers in before.members.items() for exposure in numbers}
    now = {exposure: k for k, numbers in after.members.items() for exposure in numbers}
    changes = [
        Change(exposure, was[exposure], now.get(exposure, UNSURE))
        for exposure in sorted(was)
        if was[exposure] != now.get(exposure, UNSURE)
    ]
    if fresh or number in now:
        changes.append(Change(number, NOWHERE if fresh else UNSURE, now.get(number, UNSURE)))
    return changes


def scores(decision: Decision) -> dict[str, Any]:
    """What is kept of a decision, as JSON takes it."""
    score = None if np.isnan(decision.score) else decision.score
    likely = sorted(decision.p_known.items(), key=lambda pair: -pair[1])[:LIKELIEST]
    return {
        "kind": decision.kind,
        "class": decision.class_id,
        "place": decision.place,
        "score": score,
        "error": decision.error,
        "p_new": decision.p_new,
        "p_known": {str(k): share for k, share in likely},
        "reason": decision.reason,
        "strangers": list(decision.strangers),
        "moved": list(decision.moved),
        "discarded": list(decision.discarded),
        "by": decision.by,
    }
