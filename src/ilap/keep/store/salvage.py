"""What can still be read of a damaged file, row by row.

It is read from a copy, so that the file stays as it is. What is the same in every learner's file is written
again in the copy: most of the file's header, and the definitions of the tables. Then each table is read
by ranges of row numbers: where a page cannot be read, the range is halved until only what is on that page is
left out. Rows whose checksum does not fit are left out, too.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.core.errors import DamagedLearner
from ilap.keep.store import schema
from ilap.keep.store.checksums import ALL, EXPOSURES, NETWORKS, PICTURES, Checked, checksum
from ilap.keep.store.first_page import UNREADABLE, find_tables, write_first_page

WAYS = ((8192, False), (4096, False), (None, False), (8192, True))
"""Sizes of pages with which it is tried to read a file, None being what it says itself; and whether its first
page is rewritten."""
WITH_NETWORKS = 5  # the version from which on there are adapted networks
LAST = 2**31  # more rows there are not
PATIENCE = 4_000  # ranges of a table that cannot be read, after which the rest of it is given up
FEW = 50  # the same where nothing of it could be read so far


@dataclass(frozen=True)
class Rows:
    """The rows of one table that are as they were written, in their order. ``bad`` were read and are not,
    ``noted`` is how many there should be, where that is known, and ``unread`` says that some cannot be read."""

    good: list[tuple[Any, ...]]
    bad: int
    noted: int | None
    unread: bool

    @property
    def lost(self) -> int:
        """How many rows are lost, as far as is known."""
        if self.noted == 0 and not self.good:
            return self.bad
        return max(self.bad, int(self.unread), 0 if self.noted is None else self.noted - len(self.good))


@dataclass(frozen=True)
class Lost:
    """Something that could not be saved: an exposure, a picture, an event, a name, a setting, an adapted
    network, rows of a table.
    ``number`` is that of the exposure, event or class."""

    kind: str
    said: str
    number: int | None = None


Tables = Mapping[Checked, Rows]


def salvaged(path: Path, folder: Path) -> Tables:
    """All that can be read of a file; ``folder`` is for the copy. Of several ways to read it the one that gives
    most is taken."""
    copy, best = folder / "copy", dict[Checked, Rows]()
    for page, rewritten in WAYS:
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{copy}{ending}").unlink(missing_ok=True)
        shutil.copyfile(path, copy)
        if Path(f"{path}-wal").exists() and not rewritten:
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        if page and rewritten:
            write_first_page(copy, page)
        if page:
            write_header(copy, page)
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
            found = read(connection, copy, page if rewritten else None)
        finally:
            connection.close()
        best = max(best, found, key=lambda rows: sum(len(own.good) for own in rows.values()))
        if best and not any(own.lost and not own.good for one, own in best.items() if not one.derived):
            break
    if best and (best[EXPOSURES].good or best[PICTURES].good):
        return best
    raise DamagedLearner(f"Nothing can be read of {path}: put back a copy of it, or learn your pictures again.")


def write_header(path: Path, page: int) -> None:
    """What is the same at the head of every learner's file (sqlite.org/fileformat2.html)."""
    with path.open("r+b") as file:
        old = file.read(100).ljust(100, b"\0")
        pages = path.stat().st_size // page
        version = 2 if Path(f"{path}-wal").exists() else 1
        file.seek(0)
        file.write(b"SQLite format 3\0" + struct.pack(">H6B", page, version, version, 0, 64, 32, 32))
        file.write(old[24:28] + struct.pack(">3I", pages, 0, 0) + old[40:44] + struct.pack(">4I", 4, 0, 0, 1))
        file.write(old[60:64] + struct.pack(">I", 0) + old[68:92] + old[24:28] + old[96:100])


def read(connection: sqlite3.Connection, path: Path, page: int | None) -> dict[Checked, Rows]:
    """All tables; nothing where there are none. Where the first page was rewritten, ``page`` is their size,
    and the tables have to be found first."""
    try:
        connection.execute("PRAGMA writable_schema = ON")  # so that a definition that is damaged stops nothing
        connection.execute("PRAGMA synchronous = OFF")  # it is a copy
        found = connection.execute("SELECT rowid, type, name, tbl_name, sql FROM sqlite_master").fetchall()
        checked = any("totals" in row[2:4] or "derived_crc" in str(row[4]) for row in found)
        if checked:
            define(connection, [row for row in found if row[1] == "table"])
        if page:
            find_tables(connection, path, page)
        older = 0 < schema.version(connection) < WITH_NETWORKS
        return {
            one: Rows([], 0, 0, False) if older and one is NETWORKS else table(connection, one, checked)
            for one in ALL
        }
    except UNREADABLE:
        return {}


def define(connection: sqlite3.Connection, found: list[tuple[Any, ...]]) -> None:
    """Write the definitions of all tables again."""
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(fresh)
    known = dict(fresh.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    fresh.close()
    for rowid, _, name, table_name, sql in found:
        said = re.match(r"CREATE TABLE (\w+)", str(sql))
        meant = [word for word in (name, table_name, said and said[1]) if word in known]
        if meant and (name, table_name, sql) != (meant[0], meant[0], known[meant[0]]):
            connection.execute(
                "UPDATE sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?",
                (meant[0], meant[0], known[meant[0]], rowid),
            )
            connection.execute("PRAGMA writable_schema = RESET")
            connection.execute("PRAGMA writable_schema = ON")


def table(connection: sqlite3.Connection, one: Checked, checked: bool) -> Rows:
    """The rows of a table. A file of before there were checksums is taken at its word."""
    columns = ", ".join((*one.columns, one.crc) if checked else one.columns)
    if one.table in ("meta", "exemplars"):
        rows, unread = by_order(connection, one, columns)
    else:
        rows, unread = by_ranges(connection, one.table, columns)
    if checked:
        whole = [row[:-1] for row in rows if checksum(one.name, *row[:-1]) == row[-1]]
    else:
        whole = [row for row in rows if all(encodes(value) for value in row if isinstance(value, str))]
    noted = list(some(connection, f"SELECT rows FROM totals WHERE name = '{one.name}'")) if checked else []
    count = noted[0][0] if noted and isinstance(noted[0][0], int) else None
    return Rows(whole, len(rows) - len(whole), count, unread)


def encodes(text: str) -> bool:
    """Whether text was valid in the file.

    >>> encodes("fox"), encodes("f\\udcffx")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def some(connection: sqlite3.Connection, question: str) -> Iterator[tuple[Any, ...]]:
    """As many rows as can be read."""
    try:
        yield from connection.execute(question)
    except UNREADABLE:
        return


def by_order(connection: sqlite3.Connection, one: Checked, columns: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a table without row numbers, from both ends, and whether some cannot be read."""
    found = dict[tuple[Any, ...], None]()
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{key} {order}" for key in one.key)
        try:
            for row in connection.execute(f"SELECT {columns} FROM {one.table} ORDER BY {by}"):
                found.setdefault(row)
            return list(found), False
        except UNREADABLE:
            continue
    return list(found), True


def by_ranges(connection: sqlite3.Connection, name: str, columns: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a table in their order, without those that cannot be read, and whether there are such: from
    both ends as far as they can be read, then what lies between, in ranges."""
    asked = f"SELECT rowid, {columns} FROM {name} NOT INDEXED WHERE rowid > ? AND rowid <= ? ORDER BY rowid"
    found, ends = dict[int, tuple[Any, ...]](), [-1, LAST]
    for end, order in enumerate(("ASC", "DESC")):
        try:
            for rowid, *row in connection.execute(f"{asked} {order}", (-1, LAST)):
                found.setdefault(rowid, tuple(row))
                ends[end] = rowid
            return [found[rowid] for rowid in sorted(found)], False
        except UNREADABLE:
            continue
    ranges, failed = [(ends[0], ends[1] - 1)], 0
    while ranges and failed < (PATIENCE if found else FEW):
        low, high = ranges.pop()
        try:
            for rowid, *row in connection.execute(asked, (low, high)):
                found.setdefault(rowid, tuple(row))
                low = max(low, rowid)
        except UNREADABLE:
            failed += 1
            if high - low > 1:
                middle = (low + high) // 2
                ranges += [(middle, high), (low, middle)]
    return [found[rowid] for rowid in sorted(found)], True
