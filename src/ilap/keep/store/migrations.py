"""How files of older versions become today's: one function a version, each in the transaction that sets the new
version."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ilap.core.errors import NewerLearner
from ilap.core.parameters import declared, types_of
from ilap.core.rule import MetricRule
from ilap.core.settings import made, types_of_loop
from ilap.exact.metric import empty_metric
from ilap.exact.statistics import Traits
from ilap.keep.store import events, exposures, schema, state
from ilap.learner.log import NOWHERE, UNSURE

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
    """Settings have full names, the rule is noted, and a decision says who made it."""
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


def from_2(connection: sqlite3.Connection) -> None:
    """All that is unsure waits, however much there is, and is part of the scatter, which is made anew from all
    pictures of an exposure. Of what exposures told of their stream the noise is kept; the rest was measured in
    another way. What is unsure has a tentative place: its likeliest class, or a group of its own."""
    unsure = connection.execute("SELECT number FROM exposures WHERE place = ? ORDER BY number", (UNSURE,))
    waiting = state.meta(connection, "waiting") or []
    lost = [number for (number,) in unsure if number not in waiting]
    if waiting or lost:
        state.set_meta(connection, "waiting", [*waiting, *lost])
    add_places(connection, [*waiting, *lost])
    told = connection.execute("SELECT number, traits FROM exposures WHERE traits IS NOT NULL").fetchall()
    connection.executemany(
        "UPDATE exposures SET traits = ? WHERE number = ?",
        [(exposures.traits_text(Traits(json.loads(text)[0])), number) for number, text in told],
    )
    backbone = state.meta(connection, "backbone")
    if backbone is not None:
        empty = empty_metric(backbone["dim"], True, MetricRule())
        last = events.last(connection)
        state.checkpoint(connection, state.scatter_anew(connection, empty, backbone["dtype"]), last)


def add_places(connection: sqlite3.Connection, waiting: Sequence[int]) -> None:
    """The columns and tables of tentative places, with a place for everything that waits, as if the event that
    made it wait had said so."""
    connection.execute("ALTER TABLE exposures ADD COLUMN tentative INTEGER")
    connection.execute(
        "CREATE TABLE placements (event INTEGER NOT NULL REFERENCES events,"
        " exposure INTEGER NOT NULL REFERENCES exposures, before INTEGER NOT NULL, after INTEGER NOT NULL)"
    )
    connection.execute("CREATE INDEX placements_by_event ON placements (event)")
    known = {place for (place,) in connection.execute("SELECT DISTINCT place FROM exposures WHERE place >= 0")}
    for number in sorted(waiting):
        (text,) = connection.execute("SELECT decision FROM exposures WHERE number = ?", (number,)).fetchone()
        place = likeliest(json.loads(text), known)
        if place is None:
            place = connection.execute("SELECT coalesce(max(id) + 1, 0) FROM classes").fetchone()[0]
            connection.execute("INSERT INTO classes VALUES (?, NULL)", (place,))
        connection.execute("UPDATE exposures SET tentative = ? WHERE number = ?", (place, number))
        connection.execute(
            "INSERT INTO placements SELECT max(event), ?, ?, ? FROM changes WHERE exposure = ?",
            (number, NOWHERE, place, number),
        )


def likeliest(decision: Mapping[str, Any], known: Collection[int]) -> int | None:
    """The class that an exposure is likeliest of, if that is likelier than a new one.

    >>> likeliest({"p_new": 0.4, "p_known": {"3": 0.5, "4": 0.1}}, [3, 4])
    3
    """
    shares = {int(k): share for k, share in decision.get("p_known", {}).items() if int(k) in known}
    best = max(shares, key=lambda k: shares[k], default=None)
    return best if best is not None and shares[best] > (decision.get("p_new") or 0.0) else None


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: from_1, 2: from_2}
