"""What a person sees on a terminal: the one bar that long work shows, and the one way to print a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a heavy library, for its types
    from rich.console import Console
    from rich.progress import Progress


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
        table.add_row(*(Text(str(cell)) for cell in row))
    Console(highlight=False, width=None if sys.stdout.isatty() else 100_000).print(table, soft_wrap=False)
