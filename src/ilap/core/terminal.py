"""What a person sees on a terminal: lines without control characters, the one bar that long work shows, and
the one way to print a table.

Names of classes, folders and files may hold anything. What a terminal would obey (escape sequences, line ends,
marks that turn the direction of writing) is shown as Python would write it.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ilap.core.names import readable

JOINERS = "\u200c\u200d"  # between letters of some scripts, and in emoji; they move nothing

if TYPE_CHECKING:  # a heavy library, for its types
    from rich.console import Console
    from rich.progress import Progress


def printable(text: object) -> str:
    r"""Text as a terminal may have it.

    >>> printable("fox\n\x1b[2J \u202e Füchse 狐")
    'fox\\n\\x1b[2J \\u202e Füchse 狐'
    """
    plain = readable(str(text))
    if plain.isprintable():
        return plain
    return "".join(char.encode("unicode_escape").decode() if moves(char) else char for char in plain)


def moves(char: str) -> bool:
    """Whether a character is an order to a terminal rather than a sign, or cannot be written at all."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in JOINERS


def say(*lines: object, error: bool = False) -> None:
    """Print lines, on stdout or on stderr."""
    for line in lines:
        print(printable(line), file=sys.stderr if error else sys.stdout, flush=True)


def bars(console: Console | None = None, *, in_bytes: bool = False) -> Progress:
    """Bars on stderr, with how much is done, how long it took, and the time left. They go when they are
    done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console or Console(stderr=True, highlight=False),
        transient=True,
    )


def print_table(heads: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Rows in columns, on stdout. Where it is no terminal, lines are as long as they have to be."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", title=title or None, title_justify="left")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console(highlight=False, width=None if sys.stdout.isatty() else 100_000).print(table, soft_wrap=False)
