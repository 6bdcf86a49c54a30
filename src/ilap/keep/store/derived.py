"""What a file holds that follows from its log and its features, derived again: where exposures are and who put
them there, their sums, the exemplars of every class, the pooled scatter."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Collection, Sequence

from ilap.core.errors import DamagedLearner
from ilap.core.exemplars import empty as empty_memory
from ilap.core.rule import MetricRule
from ilap.core.settings import made
from ilap.exact.metric import empty_metric
from ilap.exact.statistics import sums_of
from ilap.keep.store import events, exposures, state
from ilap.keep.store.checksums import (
    CHECKPOINT,
    EXEMPLARS,
    PLACES,
    Checked,
    Damage,
    damaged,
    is_damaged,
    recount,
)
from ilap.learner.log import ILAP, NOWHERE, UNSURE, deciders

DERIVED = (PLACES, EXEMPLARS, CHECKPOINT)


def derive(connection: sqlite3.Connection, which: Collection[Checked] = DERIVED) -> None:
    """Derive these again, and what is derived from them; inside a transaction of a writer."""
    backbone = state.meta(connection, "backbone")
    if backbone is None:
        raise DamagedLearner("The file does not say what made its features: put back a copy of it.")
    if PLACES in which:
        places(connection, backbone["dtype"])
    if EXEMPLARS in which:
        exemplars(connection, backbone["dtype"])
    if CHECKPOINT in which or PLACES in which:
        scatter, last = empty_metric(backbone["dim"], True, MetricRule()), events.last(connection)
        if last >= state.CHECKPOINT_EVERY:
            scatter = state.scatter_of_all(connection, scatter, backbone["dtype"])
        connection.execute("DELETE FROM checkpoint")
        state.checkpoint(connection, scatter, last)
    for one in DERIVED:
        recount(connection, one)


def derivable(connection: sqlite3.Connection, path: str) -> list[Damage]:
    """What is not as it was written and can be derived again; an error if there is anything else."""
    found = damaged(connection)
    if lost := [damage.said for damage in found if not damage.derived]:
        raise is_damaged(path, lost[0])
    return found


def mend(connection: sqlite3.Connection, path: str, found: Sequence[Damage]) -> None:
    """Derive again what is damaged, in one transaction, and say so."""
    if not found:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        derive(connection, {damage.checked for damage in found if damage.checked})
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    warnings.warn(
        f"{path} was damaged in what is derived, which was derived again: {found[0].said}", stacklevel=2
    )


def places(connection: sqlite3.Connection, dtype: str) -> None:
    """Where every exposure is by the log, since when, by whose word, and its sums."""
    log = events.read(connection)
    by = deciders(log)
    changes = [(event.id, change) for event in log for change in event.changes]
    now = {change.exposure: change.after for _, change in changes}
    since = {change.exposure: event for event, change in changes if change.before < 0 <= change.after}
    tentative = {change.exposure: change.after for event in log for change in event.tentative}
    for (number,) in connection.execute("SELECT number FROM exposures ORDER BY number").fetchall():
        place = now.get(number, NOWHERE)
        sums = sums_of(exposures.samples(connection, number, dtype)) if place >= 0 else None
        likeliest = tentative.get(number, NOWHERE) if place == UNSURE else NOWHERE
        connection.execute(
            "UPDATE exposures SET place = ?, since = ?, decided_by = ?, count = ?, total = ?, tentative = ?"
            " WHERE number = ?",
            (
                place,
                since.get(number, 0),
                by.get(number, ILAP),
                sums and sums.count,
                sums and sums.total.tobytes(),
                None if likeliest == NOWHERE else likeliest,
                number,
            ),
        )


def exemplars(connection: sqlite3.Connection, dtype: str) -> None:
    """The most typical pictures of every class, chosen again from all of its exposures."""
    loop = made(state.meta(connection, "settings")).loop
    memory = empty_memory(loop.exemplars, loop.ranking)
    members: dict[int, list[int]] = {}
    asked = "SELECT place, number FROM exposures NOT INDEXED WHERE place >= 0 ORDER BY place, number"
    for place, number in connection.execute(asked).fetchall():
        members.setdefault(place, []).append(number)
    for place, numbers in members.items():
        own = [exposures.samples(connection, number, dtype) for number in numbers]
        memory = memory.rechosen(place, own, lambda rows: rows)
    connection.execute("DELETE FROM exemplars")
    state.save_exemplars(connection, empty_memory(loop.exemplars, loop.ranking), memory)
