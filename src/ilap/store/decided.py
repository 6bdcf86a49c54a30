"""What is written down of a decision: how it moved exposures, and its scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from ilap.decision import Decision
from ilap.state import State
from ilap.store.events import NOWHERE, UNSURE, Change

LIKELIEST = 5  # known classes whose probability is kept


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
        "score": score,
        "error": decision.error,
        "p_new": decision.p_new,
        "p_known": {str(k): share for k, share in likely},
        "reason": decision.reason,
        "strangers": list(decision.strangers),
        "moved": list(decision.moved),
        "discarded": list(decision.discarded),
    }
