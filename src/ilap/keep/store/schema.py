"""The tables of a learner's file, and how files of older versions become today's.

``events`` and ``changes`` are the log: append only, and the truth. ``pictures`` and ``features`` are what was
seen. All the rest can be derived from them, and ``ilap check`` does: where each exposure is now, its sums, the
exemplars of each class, the pooled scatter (a checkpoint that is written now and then).

``placements`` is the part of the log that is tentative: which place was the likeliest of an exposure that
waits, before and after an event. A row of ``classes`` is an id that was given, be it to a class or to a
tentative group; it is never taken away, so that no id is used twice. ``networks`` are those that were adapted,
each by an event; the log says which of them names pictures now.

Every table has checksums besides, which checksums.py adds.

Every older version has a function that brings a file to the next, in the transaction that sets the new version.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ilap.core.errors import IlapError, NewerLearner
from ilap.core.parameters import declared, types_of
from ilap.core.rule import MetricRule
from ilap.core.settings import made, types_of_loop
from ilap.exact.metric import empty_metric
from ilap.exact.statistics import Traits
from ilap.keep.store import checksums, events, exposures, state
from ilap.learner.log import NOWHERE, UNSURE

APPLICATION = 0x494C4150  # "ILAP"
VERSION = 6

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE exposures (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folder TEXT,
    ordered INTEGER NOT NULL,
    continues INTEGER REFERENCES exposures,
    size INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    place INTEGER NOT NULL,
    since INTEGER NOT NULL,
    decided_by TEXT NOT NULL,
    decision TEXT NOT NULL,
    count INTEGER,
    total BLOB,
    traits TEXT,
    tentative INTEGER
);
CREATE INDEX exposures_by_place ON exposures (place);
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    exposure INTEGER NOT NULL REFERENCES exposures,
    place INTEGER NOT NULL,
    path TEXT,
    bytes INTEGER,
    modified INTEGER,
    sha256 TEXT NOT NULL,
    taken TEXT,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    included INTEGER NOT NULL,
    UNIQUE (exposure, place)
);
CREATE INDEX pictures_by_content ON pictures (sha256);
CREATE INDEX pictures_by_path ON pictures (path);
CREATE TABLE features (picture INTEGER PRIMARY KEY REFERENCES pictures, row BLOB NOT NULL);
CREATE TABLE thumbnails (picture INTEGER PRIMARY KEY REFERENCES pictures, jpeg BLOB NOT NULL);
CREATE TABLE classes (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    by TEXT NOT NULL,
    kind TEXT NOT NULL,
    about TEXT NOT NULL
);
CREATE TABLE changes (
    event INTEGER NOT NULL REFERENCES events,
    exposure INTEGER NOT NULL REFERENCES exposures,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL
);
CREATE INDEX changes_by_event ON changes (event);
CREATE INDEX changes_by_exposure ON changes (exposure);
CREATE TABLE placements (
    event INTEGER NOT NULL REFERENCES events,
    exposure INTEGER NOT NULL REFERENCES exposures,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL
);
CREATE INDEX placements_by_event ON placements (event);
CREATE TABLE exemplars (
    class_id INTEGER NOT NULL,
    held_out INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    exposure INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (class_id, held_out, rank)
) WITHOUT ROWID;
CREATE TABLE checkpoint (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    event INTEGER NOT NULL,
    freedom INTEGER NOT NULL,
    dim INTEGER NOT NULL,
    scatter BLOB NOT NULL,
    checksum TEXT NOT NULL
);
"""

NETWORKS = """
CREATE TABLE networks (
    event INTEGER PRIMARY KEY REFERENCES events,
    side INTEGER NOT NULL,
    head_temperature REAL NOT NULL,
    frozen_temperature REAL NOT NULL,
    temperature REAL NOT NULL,
    outputs TEXT NOT NULL,
    graph BLOB NOT NULL
);
"""


def create(connection: sqlite3.Connection) -> None:
    """The tables, in one transaction: a file has all of them or none."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in (TABLES + NETWORKS).split(";\n"):
        if statement.strip():
            connection.execute(statement)
    checksums.add(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def version(connection: sqlite3.Connection) -> int:
    """The version of a file's tables, 0 where there are none yet."""
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


CHECKED = 4  # the version from which on rows have checksums
RULE_OF_VERSION_1 = "1-72269880"  # by which all files of version 1 were decided


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring a file up to date, version by version. One of a newer version is left alone."""
    found = version(connection)
    if found > VERSION:
        raise NewerLearner(
            f"{path} was written by a newer ilap (format {found}, this one knows {VERSION}): update ilap."
        )
    if found < CHECKED and connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'totals'").fetchone():
        raise checksums.is_damaged(path, "its version does not fit its tables")
    while found < VERSION:
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[found](connection)
            connection.execute(f"PRAGMA user_version = {found + 1}")
            connection.execute("COMMIT")
        except BaseException as error:
            connection.execute("ROLLBACK")
            if isinstance(error, Exception) and not isinstance(error, IlapError | sqlite3.Error):
                raise checksums.is_damaged(path, f"it cannot be brought up to date ({error})") from error
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
    """All that is unsure waits, however much there is, and is part of the scatter, which is rebuilt from all
    pictures of an exposure. Of what exposures told of their stream the noise is kept; the rest was measured in
    another way. What is unsure has a tentative place: its likeliest class, or a group of its own."""
    unsure = connection.execute("SELECT number FROM exposures WHERE place = ? ORDER BY number", (UNSURE,))
    add_places(connection, [number for (number,) in unsure.fetchall()])
    told = connection.execute("SELECT number, traits FROM exposures WHERE traits IS NOT NULL").fetchall()
    connection.executemany(
        "UPDATE exposures SET traits = ? WHERE number = ?",
        [(exposures.traits_text(Traits(json.loads(text)[0])), number) for number, text in told],
    )
    backbone = state.meta(connection, "backbone")
    if backbone is not None:
        empty = empty_metric(backbone["dim"], True, MetricRule())
        last = events.last(connection)
        state.checkpoint(connection, state.scatter_of_all(connection, empty, backbone["dtype"]), last)


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
    for number in waiting:
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


def from_3(connection: sqlite3.Connection) -> None:
    """Every row has a checksum. These vouch for the file from now on, so what could be damaged before is looked
    at once: pages, indices and features."""
    found = [text for (text,) in connection.execute("PRAGMA integrity_check(1)") if text != "ok"]
    asked = "SELECT row FROM pictures JOIN features ON picture = id WHERE exposure = ? ORDER BY place"
    for number, digest in connection.execute("SELECT number, checksum FROM exposures").fetchall():
        rows = [row for (row,) in connection.execute(asked, (number,))]
        if hashlib.sha256(b"".join(rows)).hexdigest() != digest:
            found.append(f"the features of exposure {number} are not those that were written")
    if found:
        raise ValueError(found[0])
    checksums.add(connection, checksums.OF_VERSION_4)


def from_4(connection: sqlite3.Connection) -> None:
    """Adapted networks have a table. The definitions of all tables are noted again with it, so they are looked
    at before, and all that cannot be derived again."""
    found = checksums.damaged(connection, checksums.OF_VERSION_4)
    if lost := [damage.said for damage in found if not damage.derived]:
        raise ValueError(lost[0])
    connection.execute(NETWORKS)
    checksums.add(connection, (checksums.NETWORKS,))


def from_5(connection: sqlite3.Connection) -> None:
    """What waits is what is unsure: the list of it, which was written again at every step, is gone."""
    removed = connection.execute("DELETE FROM meta WHERE key = 'waiting' RETURNING crc").fetchone()
    if removed:
        connection.execute(
            "UPDATE totals SET rows = rows - 1, sum = sum - ? WHERE name = ?", (removed[0], checksums.META.name)
        )


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: from_1,
    2: from_2,
    3: from_3,
    4: from_4,
    5: from_5,
}
