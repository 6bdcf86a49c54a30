"""What is written down of a step: how it moved exposures, and its scores."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np

from ilap.core.decision import Decision
from ilap.keep.store import events, exposures, state
from ilap.keep.store.events import NOWHERE, UNSURE, Change
from ilap.learner.state import State
from ilap.learner.step import Step

LIKELIEST = 5  # known classes whose probability is kept


def write(
    connection: sqlite3.Connection, before: State, step: Step, fresh: bool, after_event: int | None = None
) -> None:
    """A decision and what it changed. ``fresh`` is the one about the exposure that has just come,
    ``after_event`` the answer that it follows from. Where an exposure stays unsure there is no event, yet what
    is told of it is of the last time it was asked about."""
    decision, after = step.decision, step.state
    changes = moves(before, after, decision.exposure, fresh)
    about = scores(decision)
    state.set_decisions(connection, {decision.exposure: about})
    places = state.placements(before, after)  # these alone where a class was founded and given up at once
    if not changes and not places:
        state.save(connection, before, after, [], 0, decision.by)
        return
    kind = ("teach" if decision.by == "person" else "learn") if fresh else "settle"
    follows = {} if after_event is None else {"after": after_event}
    event = events.append(connection, decision.by, kind, about | follows, changes, places)
    if decision.class_id is not None:
        exposures.leave_out(connection, decision.exposure, decision.strangers)
    state.save(connection, before, after, changes, event, decision.by)
    state.checkpoint_if_due(connection, after, event)


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
