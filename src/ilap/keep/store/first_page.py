"""The first page of a damaged file, which says where its tables are, rewritten (salvage.py).

The tables are always the same, so only the pages where they begin have to be found: those to which no other
page points. Which table begins at such a page is told by its rows, whose checksums fit in one table only.
"""

from __future__ import annotations

import sqlite3
import struct
from contextlib import suppress
from pathlib import Path

from ilap.keep.store import schema
from ilap.keep.store.checksums import ALL, PLACES, Checked, checksum

UNREADABLE = (sqlite3.Error, MemoryError, OverflowError, UnicodeDecodeError)
ENOUGH = 100  # rows by which a table is told
INTERIOR, LEAF = {2, 5}, {10, 13}  # kinds of pages of indices and tables (sqlite.org/fileformat2.html)


def write_first_page(path: Path, page: int) -> None:
    """Write it, so that every table is found of which a row can be read."""
    fresh = path.with_name("fresh")
    fresh.unlink(missing_ok=True)
    connection = sqlite3.connect(fresh, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {page}")
    connection.execute("PRAGMA synchronous = OFF")
    schema.create(connection)
    connection.close()
    with path.open("r+b") as file:
        file.write(fresh.read_bytes()[:page])


def find_tables(connection: sqlite3.Connection, path: Path, page: int) -> None:
    """Let every table begin where most of its rows are."""
    found: dict[str, tuple[int, int]] = {}
    for root in roots(path.read_bytes(), page):
        for one in ALL:
            if one is not PLACES and (count := fitting(connection, one, root)):
                found[one.table] = max(found.get(one.table, (0, 0)), (count, root))
        if totals := noted(connection, root):
            found["totals"] = totals, root
    for table in {"totals", *(one.table for one in ALL)}:
        begin(connection, table, found.get(table, (0, 0))[1])


def roots(data: bytes, page: int) -> list[int]:
    """The pages of tables and indices to which none of these points."""
    pages, children = set(), set()
    for number in range(2, len(data) // page + 1):
        own = data[(number - 1) * page : number * page]
        if own[0] in INTERIOR | LEAF:
            pages.add(number)
        if own[0] in INTERIOR:
            count = min(struct.unpack(">H", own[3:5])[0], (page - 12) // 2)
            cells = struct.unpack(f">{count}H", own[12 : 12 + 2 * count])
            starts = [8, *(cell for cell in cells if cell <= page - 4)]
            children |= {struct.unpack(">I", own[start : start + 4])[0] for start in starts}
    return sorted(pages - children)


def fitting(connection: sqlite3.Connection, one: Checked, root: int) -> int:
    """How many rows a table has if it begins at a page, as far as it can be read and their checksums fit."""
    count = 0
    with suppress(*UNREADABLE):
        begin(connection, one.table, root)
        columns = ", ".join((*one.columns, one.crc))
        for *row, crc in connection.execute(f"SELECT {columns} FROM {one.table} LIMIT {ENOUGH}"):
            if checksum(one.name, *row) != crc:
                break
            count += 1
    return count


def noted(connection: sqlite3.Connection, root: int) -> int:
    """Of how many tables it is noted how many rows they have, if ``totals`` begins at a page."""
    with suppress(*UNREADABLE):
        begin(connection, "totals", root)
        return len(
            {name for (name,) in connection.execute("SELECT name FROM totals")} & {one.name for one in ALL}
        )
    return 0


def begin(connection: sqlite3.Connection, table: str, root: int) -> None:
    """Let a table begin at a page."""
    connection.execute("UPDATE sqlite_master SET rootpage = ? WHERE type = 'table' AND name = ?", (root, table))
    connection.execute("PRAGMA writable_schema = RESET")
    connection.execute("PRAGMA writable_schema = ON")
