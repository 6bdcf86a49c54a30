"""Lists, some at a time. A cursor is the key of the last row that was told, so that rows which come or go in
between are neither told twice nor passed over."""

from __future__ import annotations

import base64
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ilap.serve.problems import Problem

Row = TypeVar("Row")
Key = tuple[Any, ...]


def cursor_of(key: Key) -> str:
    """A key as text.

    >>> key_of(cursor_of((3, "fox")))
    (3, 'fox')
    """
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def key_of(cursor: str) -> Key:
    """The key that was made text."""
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(found, list) or not all(isinstance(own, int | float | str) for own in found):
            raise ValueError
    except (ValueError, RecursionError):
        raise Problem(404, f"{cursor[:50]!r} is no cursor: take the one that the page before gave.") from None
    return tuple(found)


def page(
    rows: Sequence[Row], key: Callable[[Row], Key], cursor: str | None, limit: int
) -> tuple[list[Row], str | None]:
    """The rows after a cursor, and the cursor after them; None at the end. Rows are in the order of their keys.

    >>> first, after = page([5, 6, 7], lambda row: (row,), None, 2)
    >>> first, page([5, 6, 7], lambda row: (row,), after, 2)
    ([5, 6], ([7], None))
    """
    begin = None if cursor is None else key_of(cursor)
    try:
        first = 0 if begin is None else bisect_right(rows, begin, key=key)
    except TypeError:
        raise Problem(404, "The cursor is of another list: take the one that the page before gave.") from None
    chosen = list(rows[first : first + limit])
    return chosen, cursor_of(key(chosen[-1])) if len(rows) > first + limit else None
