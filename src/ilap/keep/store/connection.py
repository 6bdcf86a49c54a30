"""A connection that takes any name that a file system allows, and gives it back (core/names.py)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from ilap.core.names import restored, stored


class Connection(sqlite3.Connection):
    """SQLite takes no lone surrogates: texts are stored and restored here, for every statement there is."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.text_factory = text_of

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """A statement."""
        return super().execute(sql, tuple(map(taken, parameters)))

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """A statement for many rows."""
        return super().executemany(sql, (tuple(map(taken, row)) for row in parameters))


def taken(value: Any) -> Any:
    """A value as SQLite takes it."""
    return stored(value) if isinstance(value, str) else value


def text_of(data: bytes) -> str:
    """A text as it was before it was stored."""
    try:
        return restored(data.decode())
    except UnicodeDecodeError:
        raise sqlite3.OperationalError("it holds a text that is not UTF-8") from None
