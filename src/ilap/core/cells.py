"""Cells of a CSV file that a spreadsheet opens: text that would be taken for a formula is marked as text."""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def as_text(cell: T) -> T | str:
    """A cell as it is written: text that begins like a formula has an apostrophe before it. So has text that
    looks as if it were marked already, which makes ``as_read`` its exact inverse. Numbers stay as they are.

    >>> as_text("=1+1"), as_text("'=1+1"), as_text("fox"), as_text("'fox"), as_text(-1.5)
    ("'=1+1", "''=1+1", 'fox', "'fox", -1.5)
    """
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def as_read(cell: str) -> str:
    """The text that ``as_text`` wrote.

    >>> as_read("'=1+1"), as_read("''=1+1"), as_read("fox"), as_read("'fox")
    ('=1+1', "'=1+1", 'fox', "'fox")
    """
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
