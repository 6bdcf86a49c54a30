"""What all commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Sorts unlabelled batches of pictures into classes by the confusion that each would cause.",
)


def split(words: str) -> list[str]:
    """What lies between commas."""
    return [word.strip() for word in words.split(",") if word.strip()]


@contextmanager
def interruptible(advice: str = "nothing was written") -> Iterator[None]:
    """Ctrl-C ends the command with a word and the code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"ilap: interrupted; {advice}", file=sys.stderr)
        raise typer.Exit(130) from None
