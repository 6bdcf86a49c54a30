"""The tables of a learner's file. How files of older versions become today's is in migrations.py.

``events`` and ``changes`` are the log: append only, and the truth. ``pictures`` and ``features`` are what was
seen. All the rest can be derived from them, and ``ilap check`` does: where each exposure is now, its sums, the
exemplars of each class, the pooled scatter (a checkpoint that is written now and then).

``placements`` is the part of the log that is tentative: which place was the likeliest of an exposure that
waits, before and after an event. A row of ``classes`` is an id that was given, be it to a class or to a
tentative group; it is never taken away, so that no id is used twice.
"""

from __future__ import annotations

import sqlite3

APPLICATION = 0x494C4150  # "ILAP"
VERSION = 3

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


def create(connection: sqlite3.Connection) -> None:
    """The tables, in one transaction: a file has all of them or none."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def version(connection: sqlite3.Connection) -> int:
    """The version of a file's tables, 0 where there are none yet."""
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number
