"""How files of older versions become today's: one function a version, each in the transaction that sets the new
version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from ilap.core.errors import NewerLearner
from ilap.core.parameters import declared, types_of
from ilap.core.rule import RULE, MetricRule
from ilap.core.settings import made, types_of_loop
from ilap.exact.metric import empty_metric
from ilap.keep.store import schema, state
from ilap.keep.store.events import UNSURE

RULE_OF_VERSION_1 = "1-72269880"  # by which all files of version 1 were decided


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring a file up to date, version by version. One of a newer version is left alone."""
    found = schema.version(connection)
    if found > schema.VERSION:
        raise NewerLearner(
            f"{path} was written by a newer ilap (format {found}, this one knows {schema.VERSION}): "
            f"update ilap."
        )
    while found < schema.VERSION:
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[found](connection)
            connection.execute(f"PRAGMA user_version = {found + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        found += 1


def from_1(connection: sqlite3.Connection) -> None:
    """Settings have full names, the rule is noted, a decision says who made it, and what version 1 lost when it
    gave up a class is found again: it kept the exposures of that class in its scatter, and no longer asked
    about them."""
    old = state.meta(connection, "settings")
    if old is not None:
        own = [types_of(declared(kind, old[kind])) for kind in ("classifier", "detector", "backbone")]
        names = {"classifier", "detector", "backbone", *types_of_loop(), *(name for one in own for name in one)}
        settings = made({name: value for name, value in old.items() if name in names})
        state.set_meta(connection, "settings", settings.plain())
        state.set_meta(connection, "rules", [[RULE_OF_VERSION_1, 0]])
    connection.execute(
        "UPDATE exposures SET decision = json_set(decision, '$.by', 'person') WHERE number IN"
        " (SELECT exposure FROM changes JOIN events ON event = id WHERE kind = 'teach')"
    )
    given_up = "SELECT 1 FROM events WHERE json_array_length(about, '$.discarded') > 0 LIMIT 1"
    if connection.execute(given_up).fetchone():
        find_lost(connection)


def find_lost(connection: sqlite3.Connection) -> None:
    """All that is unsure waits, and the scatter is that of what is learned."""
    waiting = state.meta(connection, "waiting") or []
    unsure = connection.execute("SELECT number FROM exposures WHERE place = ? ORDER BY number", (UNSURE,))
    lost = [number for (number,) in unsure if number not in waiting]
    state.set_meta(connection, "waiting", [*waiting, *lost][: max(len(waiting), RULE.risk.waiting)])
    backbone = state.meta(connection, "backbone")
    empty = empty_metric(backbone["dim"], True, MetricRule())
    last = connection.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]
    state.checkpoint(connection, state.scatter_anew(connection, empty, backbone["dtype"]), last)


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: from_1}
