"""Opening a learner's file: one writer, any number of readers, and a sentence for whatever is wrong with it.

The database is in WAL mode, so that readers are never blocked and what is being written is seen whole or not at
all, with a file-system sync at every commit, so that it outlives a power cut. A writer holds a lock beside the
file for as long as it has it open; the operating system lets go of it when the process ends, however it ends.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ilap.core.errors import BadOutput, DamagedLearner, LearnerInUse, MissingFile, NotALearner
from ilap.keep.store import schema
from ilap.keep.store.connection import Connection
from ilap.keep.store.schema import migrate

MEMORY = ":memory:"
PAGE = 8192


class LearnerFile:
    """An open file. ``writable`` ones hold the lock."""

    def __init__(self, path: str | Path, *, writable: bool = True, create: bool = False) -> None:
        self.path = str(path) if str(path) == MEMORY else str(Path(path).expanduser().absolute())
        self.writable = writable
        self._lock: FileLock | None = None
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._shared: sqlite3.Connection | None = None  # a database in memory has one connection only
        self._closed = False
        if self.path != MEMORY:
            check_path(Path(self.path), create)
        if writable and self.path != MEMORY:
            self._lock = lock(self.path)
        try:
            if self.path == MEMORY:
                self._shared = self._open()
            self._prepare(create)
        except BaseException:
            self.close()
            raise

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection: SQLite lets threads read and write side by side if each has its own."""
        found: sqlite3.Connection | None = self._shared or getattr(self._own, "connection", None)
        if found is None:
            found = self._own.connection = self._open()
        return found

    def _open(self) -> sqlite3.Connection:
        if self._closed:
            raise ValueError(f"{self.path} was closed: open it again")
        connection = connect(self.path, self.writable)
        self._opened.append(connection)
        return connection

    def _prepare(self, create: bool) -> None:
        with named_errors(self.path):
            connection = self.connection
            empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if empty and create:
                schema.create(connection)
                return
            if empty or connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
                raise NotALearner(f"{self.path} is not a learner: give a file that ilap learn has made.")
            if self.writable or schema.version(connection) > schema.VERSION:
                migrate(connection, self.path)
            elif schema.version(connection) < schema.VERSION:
                self._reopened()

    def _reopened(self) -> None:
        """A reader finds an older file: bring it up to date as a writer, then read. Where it cannot be written
        to, a copy in memory is brought up to date."""
        try:
            LearnerFile(self.path).close()
        except (BadOutput, LearnerInUse):
            copy = sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False, factory=Connection)
            self._opened.append(copy)
            self.connection.backup(copy)
            migrate(copy, self.path)
            self._shared = copy
        else:
            self.connection.close()
            del self._own.connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of what is written, or none of it."""
        with named_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Everything that is read here is of one moment."""
        with named_errors(self.path):
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Let go of the file; it is then whole in one piece."""
        self._closed = True
        self._shared, self._own = None, threading.local()
        while self._opened:
            self._opened.pop().close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def check_path(path: Path, create: bool) -> None:
    """Whether a learner can be there."""
    if path.is_dir():
        raise NotALearner(f"{path} is a folder, not a learner: name a file, such as {path / 'animals.ilap'}.")
    if path.exists():
        return
    if not create:
        raise MissingFile(f"There is no learner {path}: ilap learn makes one.")
    if not path.parent.is_dir():
        raise BadOutput(f"There is no folder {path.parent} to keep {path.name} in: make it, or take another.")


def lock(path: str) -> FileLock:
    """The right to write, or an error at once."""
    where = Path(path)
    guard = FileLock(where.with_name(f".{where.name}.lock"), blocking=False)
    try:
        guard.acquire()
    except Timeout:
        raise LearnerInUse(
            f"{path} is being written to by another process: wait until it is done, or stop it."
        ) from None
    except OSError as error:
        raise BadOutput(f"{path} cannot be written to ({error.strerror}): choose another location.") from None
    return guard


def connect(path: str, writable: bool) -> sqlite3.Connection:
    """A connection that commits only where it is told to."""
    with named_errors(path):
        if path == MEMORY:
            return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Connection)
        address = Path(path).as_uri()
        if writable:
            connection = sqlite3.connect(
                address, uri=True, isolation_level=None, check_same_thread=False, factory=Connection
            )
            connection.execute(f"PRAGMA page_size = {PAGE}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            return connection
        tidy = os.access(path, os.W_OK) and os.access(Path(path).parent, os.W_OK)
        alone = not tidy and not Path(f"{path}-wal").exists()
        connection = sqlite3.connect(
            f"{address}?mode={'rw' if tidy else 'ro'}{'&immutable=1' if alone else ''}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
            factory=Connection,
        )
        connection.execute("PRAGMA query_only = ON")  # it may still put away what SQLite keeps beside the file
        return connection


@contextmanager
def named_errors(path: str) -> Iterator[None]:
    """SQLite's errors as ours, by their codes (sqlite.org/rescode.html)."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # extended codes begin with this
        if code == sqlite3.SQLITE_NOTADB:
            raise NotALearner(f"{path} is not a learner: give a file that ilap learn has made.") from None
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):  # our questions fit every whole file
            raise DamagedLearner(
                f"{path} is damaged ({error}): put back a copy of it; your pictures are untouched."
            ) from None
        if code == sqlite3.SQLITE_FULL:
            raise BadOutput(
                f"The disk of {path} is full: make room and run the same command again; nothing is lost."
            ) from None
        if code in (
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_IOERR,
            sqlite3.SQLITE_PERM,
        ):
            raise BadOutput(
                f"{path} cannot be written to or read ({error}): check the permissions of its folder."
            ) from None
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LearnerInUse(f"{path} is in use by another process: wait until it is done.") from None
        raise
