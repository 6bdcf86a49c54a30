"""Opening a learner's file: one writer, any number of readers, and a sentence for whatever is wrong with it.

The database is in WAL mode, so that readers are never blocked and what is being written is seen whole or not at
all, with a file-system sync at every commit, so that it outlives a power cut. A writer holds a lock beside the
file for as long as it has it open; the operating system lets go of it when the process ends, however it ends.

A file that is opened is verified (checksums.py): what is derived and does not fit is derived again, with a
warning, and whatever else is damaged is an error. So all that is read afterwards is what was written.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from ilap.core.errors import BadOutput, DamagedLearner, Defect, LearnerInUse, MissingFile, NotALearner
from ilap.keep.store import checksums, schema, wal
from ilap.keep.store.checksums import in_shell, is_damaged
from ilap.keep.store.connection import Connection
from ilap.keep.store.derived import derivable, mend
from ilap.keep.store.schema import migrate

MEMORY = ":memory:"
PAGE = 8192
UNFINISHED = "what was written last to {} was not finished, and is not part of it: run the last command again"


class LearnerFile:
    """An open file. ``writable`` ones hold the lock. Without ``verify`` it is taken as it is, to be checked."""

    def __init__(
        self, path: str | Path, *, writable: bool = True, create: bool = False, verify: bool = True
    ) -> None:
        self.path = str(path) if str(path) == MEMORY else str(Path(path).expanduser().absolute())
        self.writable = writable
        self._lock: FileLock | None = None
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._shared: sqlite3.Connection | None = None  # a database in memory has one connection only
        self._closed = False
        self._keeps_checksums = False
        existed = Path(self.path).exists()
        if self.path != MEMORY:
            check_path(Path(self.path), create)
        if writable and self.path != MEMORY:
            self._lock = lock(self.path)
        try:
            if self.path == MEMORY:
                self._shared = self._open()
            elif verify:
                self._verify_log()
            self._prepare(create, verify, existed)
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
        if self._keeps_checksums:
            checksums.keep(connection)
        return connection

    def _prepare(self, create: bool, verify: bool, existed: bool) -> None:
        with named_errors(self.path, opening=True):
            connection = self.connection
            empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if empty and create:
                if existed and self.path != MEMORY:
                    warnings.warn(f"{self.path} was empty, and is a new learner now", stacklevel=2)
                schema.create(connection)
            elif empty or connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
                raise NotALearner(f"{self.path} is not a learner: give a file that ilap learn has made.")
            elif self.writable or schema.version(connection) > schema.VERSION:
                migrate(connection, self.path)
            elif schema.version(connection) < schema.VERSION:
                self._reopened()
            if self.writable:
                checksums.keep(self.connection)
                self._keeps_checksums = True
            if verify:
                self._verify()

    def _verify_log(self) -> None:
        """Nothing that was committed is lost from the write-ahead log."""
        lost = wal.lost_commits(self.path) if self._lock else lost_commits(self.path)
        if lost > 1:
            log = f"its write-ahead log ({Path(self.path).name}-wal), which has what was learned last,"
            raise is_damaged(self.path, f"{log} cannot be read to the end")
        if lost:
            warnings.warn(UNFINISHED.format(self.path), stacklevel=2)

    def _verify(self) -> None:
        """Everything is as it was written, or can be derived again and is."""
        with self.snapshot(opening=True) as connection:
            found = derivable(connection, self.path)
        if found and self.writable:
            mend(self.connection, self.path, found)
        elif found:
            self._reopened()

    def verify(self, connection: sqlite3.Connection) -> None:
        """What another process has written since is as it was written."""
        if found := derivable(connection, self.path):
            raise DamagedLearner(f"{self.path} is damaged: {found[0].said}. Run the same command again.")

    def _reopened(self) -> None:
        """A reader finds an older file, or one in which something has to be derived again: bring it up to date
        as a writer, then read. Where it cannot be written to, a copy in memory is brought up to date."""
        try:
            LearnerFile(self.path).close()
        except (BadOutput, LearnerInUse):
            copy = sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False, factory=Connection)
            self._opened.append(copy)
            self.connection.backup(copy)
            migrate(copy, self.path)
            checksums.keep(copy)
            mend(copy, self.path, derivable(copy, self.path))
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
    def snapshot(self, opening: bool = False) -> Iterator[sqlite3.Connection]:
        """Everything that is read here is of one moment."""
        with named_errors(self.path, opening):
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; it is then whole in one piece."""
        self._closed = True
        self._shared, self._own = None, threading.local()
        while self._opened:
            self._opened.pop().close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def remove_if_empty(path: Path) -> bool:
    """Remove a learner that holds no exposure; says whether it did."""
    if not path.is_file():
        return False
    file = LearnerFile(path, writable=False)
    try:
        with file.snapshot() as connection:
            some = connection.execute("SELECT count(*) FROM exposures").fetchone()[0]
    finally:
        file.close()
    if not some:
        remove(path)
    return not some


def remove(path: Path) -> None:
    """Remove a learner's file, and what SQLite and its lock keep beside it."""
    beside = (path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))
    for left in (path, *beside, path.with_name(f".{path.name}.lock"), checkpoint_of(path)):
        left.unlink(missing_ok=True)


def checkpoint_of(path: Path) -> Path:
    """Where a network that is being adapted is kept beside a learner's file."""
    return path.with_name(f".{path.name}.adapting")


def lost_commits(path: str) -> int:
    """How many transactions of the write-ahead log SQLite will not read (wal.py). While another process writes
    to it, that process has looked."""
    if not Path(f"{path}-wal").exists():
        return 0
    try:
        guard = lock(path)
    except LearnerInUse:
        return 0
    except BadOutput:
        return wal.lost_commits(path)
    try:
        return wal.lost_commits(path)
    finally:
        guard.release()


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
    with named_errors(path, opening=True):
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
def named_errors(path: str, opening: bool = False) -> Iterator[None]:
    """SQLite's errors as ours, by their codes (sqlite.org/rescode.html). While a file is being opened, a
    statement that does not fit it means that the file is damaged; later its tables are known to be whole, and
    the statement is wrong."""
    try:
        yield
    except (MemoryError, OverflowError, UnicodeDecodeError) as error:  # what Python makes of such a file
        if not opening:
            raise
        raise is_damaged(path, error) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # extended codes begin with this
        undecoded = "decode" in str(error)  # said by Python, of text that is not UTF-8
        if code == sqlite3.SQLITE_NOTADB:
            raise NotALearner(
                f"{path} is not a learner: give a file that ilap learn has made. If it was one, it is damaged: "
                f"ilap repair {in_shell(path)} --out FIXED.ilap saves what can be saved."
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
        if opening or undecoded or code == sqlite3.SQLITE_CORRUPT:
            raise is_damaged(path, error) from None
        raise Defect(
            f"SQLite refused what ilap asked of {path} ({error}): this is a defect of ilap, please report it "
            f"with this message; nothing was written."
        ) from error
