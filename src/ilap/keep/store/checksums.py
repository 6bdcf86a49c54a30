"""Checksums: every row of a learner's file carries one, and of every table it is noted how many rows it has and
what their checksums add up to, so that a row that was changed, lost, or brought back from an earlier time is
noticed.

Triggers of the writer's connection keep both up to date, whoever writes; they are no part of the file. All of
it is verified when a file is opened and when a learner's state is read again, together with SQLite's own check
of pages and indices. An exposure has two checksums: of what it is, and of what is derived from the log
and its features (where it is, its sums), so that what is derived can be derived again (derived.py).
"""

from __future__ import annotations

import shlex
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ilap.core.errors import DamagedLearner

SCHEMA = "sqlite_master"
TOTALS = (
    "CREATE TABLE IF NOT EXISTS totals"
    " (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID"
)
ROWS_NAMED = 5  # damaged rows that one sentence names


@dataclass(frozen=True)
class Checked:
    """Columns of a table under one checksum, which is the column ``crc``. The first ``keys`` columns say which
    row it is. What is ``derived`` follows from the log and the features."""

    table: str
    columns: tuple[str, ...]
    keys: int = 1
    crc: str = "crc"
    derived: bool = False

    @property
    def name(self) -> str:
        """Under which ``totals`` has it."""
        return f"{self.table}.{self.crc}"

    def of(self, row: str = "") -> str:
        """The checksum in SQL, with the table's name in it: a row that is in another table does not fit."""
        return f"checksum('{self.name}', {', '.join(row + column for column in self.columns)})"

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that say which row it is."""
        return self.columns[: self.keys]


EXPOSURES = Checked(
    "exposures",
    ("number", "name", "folder", "ordered", "continues", "size", "checksum", "decision", "traits"),
)
PLACES = Checked(
    "exposures",
    ("number", "place", "since", "decided_by", "count", "total", "tentative"),
    crc="derived_crc",
    derived=True,
)
PICTURES = Checked(
    "pictures",
    (
        *("id", "exposure", "place", "path", "bytes", "modified"),
        *("sha256", "taken", "width", "height", "included"),
    ),
)
FEATURES = Checked("features", ("picture", "row"))
THUMBNAILS = Checked("thumbnails", ("picture", "jpeg"))
CLASSES = Checked("classes", ("id", "name"))
EVENTS = Checked("events", ("id", "time", "by", "kind", "about"))
CHANGES, PLACEMENTS = (
    Checked(table, ("event", "exposure", "before", "after"), keys=2) for table in ("changes", "placements")
)
META = Checked("meta", ("key", "value"))
EXEMPLARS = Checked("exemplars", ("class_id", "held_out", "rank", "exposure", "place"), keys=3, derived=True)
NETWORKS = Checked(
    "networks",
    ("event", "side", "head_temperature", "frozen_temperature", "temperature", "outputs", "graph"),
)
CHECKPOINT = Checked("checkpoint", ("id", "event", "freedom", "dim", "scatter", "checksum"), derived=True)

ALL = (
    *(META, EXPOSURES, PLACES, PICTURES, FEATURES, THUMBNAILS),
    *(CLASSES, EVENTS, CHANGES, PLACEMENTS, EXEMPLARS, CHECKPOINT),
    NETWORKS,
)
OF_VERSION_4 = tuple(one for one in ALL if one is not NETWORKS)


@dataclass(frozen=True)
class Damage:
    """What is not as it was written, as a sentence; ``checked`` is None where it is the file as such."""

    said: str
    checked: Checked | None = None

    @property
    def derived(self) -> bool:
        """Whether it can be derived again."""
        return self.checked is not None and self.checked.derived


def is_damaged(path: str, what: object) -> DamagedLearner:
    """The error that says what of a file is damaged, and what to do."""
    typed = in_shell(path)
    return DamagedLearner(
        f"{path} is damaged: {what}. ilap check {typed} lists what is damaged; put back a copy of the file, or "
        f"let ilap repair {typed} --out FIXED.ilap save what can be saved. Your pictures are untouched."
    )


def in_shell(path: str) -> str:
    """A path as a shell takes it.

    >>> in_shell("animals.ilap")
    'animals.ilap'
    """
    return subprocess.list2cmdline([path]) if sys.platform == "win32" else shlex.quote(path)


def checksum(*values: Any) -> int:
    """Of a row: the CRC-32 of its values, text and blobs by their own.

    >>> checksum(1, "fox", None) == checksum(1, b"fox", None) != checksum(1, "fix", None)
    True
    """
    plain = [
        zlib.crc32(v)
        if isinstance(v, bytes)
        else zlib.crc32(v.encode("utf-8", "surrogateescape"))
        if isinstance(v, str)
        else v
        for v in values
    ]
    return zlib.crc32(ascii(plain).encode())


def keep(connection: sqlite3.Connection) -> None:
    """From now on this connection keeps the checksums of what it writes."""
    connection.create_function("checksum", -1, checksum, deterministic=True)
    connection.execute("PRAGMA recursive_triggers = ON")  # so that what REPLACE deletes is counted
    for one in ALL:
        new = one.of("new.")
        row = " AND ".join(f"{column} IS new.{column}" for column in one.key)
        if one.table in ("changes", "placements"):
            row = "rowid = new.rowid"
        set_crc = f"UPDATE {one.table} SET {one.crc} = {new} WHERE {row}"
        total = f"UPDATE totals SET rows = rows {{}}, sum = sum {{}} WHERE name = '{one.name}'"
        for event, statements in (
            ("INSERT", (set_crc, total.format("+ 1", f"+ {new}"))),
            (
                f"UPDATE OF {', '.join(one.columns)}",
                (set_crc, total.format("", f"- coalesce(old.{one.crc}, 0) + {new}")),
            ),
            ("DELETE", (total.format("- 1", f"- coalesce(old.{one.crc}, 0)"),)),
        ):
            name = f"{one.table}_{one.crc}_{event[:6].lower()}"
            body = "; ".join(statements)
            connection.execute(
                f"CREATE TEMP TRIGGER {name} AFTER {event} ON main.{one.table} BEGIN {body}; END"
            )


def add(connection: sqlite3.Connection, tables: Sequence[Checked] = ALL) -> None:
    """The columns and totals of tables whose content is known to be whole."""
    connection.execute(TOTALS)
    for one in tables:
        connection.execute(f"ALTER TABLE {one.table} ADD COLUMN {one.crc} INTEGER")
    connection.create_function("checksum", -1, checksum, deterministic=True)
    for one in tables:
        connection.execute(f"UPDATE {one.table} SET {one.crc} = {one.of()}")
        recount(connection, one)
    connection.execute("INSERT OR REPLACE INTO totals VALUES (?, ?, ?)", (SCHEMA, *schema_total(connection)))


def recount(connection: sqlite3.Connection, one: Checked) -> None:
    """Note how many rows there are and what their checksums add up to."""
    counted = f"SELECT ?, count(*), coalesce(sum({one.crc}), 0) FROM {one.table}"
    connection.execute(f"INSERT OR REPLACE INTO totals {counted}", (one.name,))


def schema_total(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many tables and indices there are, and what their checksums add up to."""
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return len(found), sum(checksum(*row) for row in found)


def damaged(connection: sqlite3.Connection, tables: Sequence[Checked] = ALL) -> list[Damage]:
    """Everything that is not as it was written. Call it inside a transaction, so that it is of one moment."""
    found = [
        f"SQLite finds: {text}" for (text,) in connection.execute("PRAGMA integrity_check(20)") if text != "ok"
    ]
    if found:
        return [Damage(text) for text in found]
    totals = {name: (rows, total) for name, rows, total in connection.execute("SELECT * FROM totals")}
    if totals.get(SCHEMA) != schema_total(connection):
        return [Damage("the definition of its tables is not as it was written")]
    return [damage for one in tables for damage in damaged_in(connection, one, totals.get(one.name))]


def damaged_in(connection: sqlite3.Connection, one: Checked, noted: tuple[int, int] | None) -> Iterator[Damage]:
    """What is not as it was written in one table; ``noted`` are its number of rows and sum of checksums."""
    bad, count, total, name, crc_of = [], 0, 0, one.name.encode(), zlib.crc32
    for row in rows(connection, one):
        count, crc = count + 1, row[-1]
        total += crc if isinstance(crc, int) else 0
        plain = [crc_of(v) if isinstance(v, bytes) else v for v in (name, *row[:-1])]
        if crc_of(ascii(plain).encode()) != crc:  # as ``checksum``, of bytes and numbers alone
            bad.append(row[: one.keys])
    what = "what is derived of " if one.crc != "crc" else ""
    if bad:
        some = ", ".join(" ".join(map(in_words, key)) for key in bad[:ROWS_NAMED])
        more = f" and {len(bad) - ROWS_NAMED} more" if len(bad) > ROWS_NAMED else ""
        yield Damage(f"{what}{one.table} {some}{more} is not as it was written", one)
    elif noted is None:
        yield Damage(f"the number of rows of {one.table} is not noted", one)
    elif count != noted[0]:
        yield Damage(f"{one.table} has {count} rows, and {noted[0]} were written", one)
    elif total != noted[1]:
        yield Damage(f"{what}{one.table} is not of the moment of which the rest of the file is", one)


def rows(connection: sqlite3.Connection, one: Checked) -> Iterator[Sequence[Any]]:
    """All rows of a table with their checksums, text as bytes: it may be damaged."""
    before, connection.text_factory = connection.text_factory, bytes
    try:
        indexed = "" if one.table in ("meta", "exemplars") else "NOT INDEXED"
        yield from connection.execute(f"SELECT {', '.join(one.columns)}, {one.crc} FROM {one.table} {indexed}")
    finally:
        connection.text_factory = before


def in_words(value: Any) -> str:
    """A value of a row as text.

    >>> in_words(b"settings"), in_words(3)
    ('settings', '3')
    """
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
