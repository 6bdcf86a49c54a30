"""Writes docs/commands.md: every command with its help, its usage, its arguments and its options.

    python tools/make_commands.py            after a command was changed
    python tools/make_commands.py --check    says whether the file is what would be written

All of it comes from the commands themselves. What one machine adds to the lists in help texts (the folders of
ILAP_PATH, installed packages) is left out, and nothing is wrapped to a terminal's width: the file is the same
wherever it is made.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import typer.main

FILE = Path(__file__).parents[1] / "docs" / "commands.md"
WIDTH = 116  # of a paragraph

FURTHER = "Further commands"

HEAD = """\
# Commands

`python tools/make_commands.py` makes this page of the commands' own help: change that, not this.

Every command takes `-h` or `--help`, and says in one sentence whatever goes wrong. `ilap --version` prints the
version; `ilap --install-completion` lets your shell (bash, zsh, fish, PowerShell) complete commands and
options. [The README](../README.md) shows them at work. Features are computed on all cores, linear algebra on
one: set `OPENBLAS_NUM_THREADS` to change that.
"""

Command = Any
"""A command, an argument or an option of the library that typer rests on: its own copy of click, or click."""


def commands() -> dict[str, Command]:
    """All commands by name, with lists in help texts as they are where nothing is added to ilap."""
    from ilap.core import registry

    with mock.patch.dict(os.environ), mock.patch.object(registry, "entries", return_value=()):
        os.environ.pop("ILAP_PATH", None)
        from ilap.cli.app import app

        group: Any = typer.main.get_command(app)
        return dict(group.commands)


def grouped(names: Mapping[str, Command]) -> dict[str, list[str]]:
    """The names of a heading; those that nobody has put under one are the last, by their letters.

    >>> list(grouped({"learn": None, "zoom": None, "aim": None}).values())
    [['learn'], ['aim', 'zoom']]
    """
    from ilap.cli.app import HEADINGS

    found = {heading: [name for name in own if name in names] for heading, own in HEADINGS.items()}
    placed = {name for own in HEADINGS.values() for name in own}
    found[FURTHER] = sorted(name for name in names if name not in placed)
    return {heading: own for heading, own in found.items() if own}


def text(known: Mapping[str, Command]) -> str:
    """The page."""
    groups = grouped(known)
    index = [
        f"- {heading}: {', '.join(f'[{name}](#ilap-{name})' for name in own)}"
        for heading, own in groups.items()
    ]
    parts = [HEAD, "\n".join(index) + "\n"]
    for heading, own in groups.items():
        parts.append(f"## {heading}\n")
        parts += [section(name, known[name]) for name in own]
    return "\n".join(parts)


def section(name: str, command: Command) -> str:
    """One command."""
    paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n", command.help or "") if paragraph.strip()]
    lines = [f"### ilap {name}", ""]
    for paragraph in paragraphs:
        lines += [textwrap.fill(" ".join(paragraph.split()), WIDTH, break_on_hyphens=False), ""]
    lines += [f"    {usage(name, command)}", "", *table(command), ""]
    return "\n".join(lines)


def is_argument(parameter: Command) -> bool:
    """Whether it goes by its place, not by a name."""
    return bool(parameter.param_type_name == "argument")


def word(parameter: Command) -> str:
    """What stands for a value."""
    return str(parameter.metavar or parameter.name.upper().replace("_", "-"))


def usage(name: str, command: Command) -> str:
    """How it is called: what it cannot do without, then the rest."""
    pieces = ["ilap", name]
    for parameter in filter(is_argument, command.params):
        several = f"{word(parameter)}{'...' if parameter.nargs == -1 else ''}"
        pieces.append(several if parameter.required else f"[{several}]")
    options = [parameter for parameter in command.params if not is_argument(parameter)]
    pieces += [f"{parameter.opts[0]} {word(parameter)}" for parameter in options if parameter.required]
    if not all(parameter.required for parameter in options):
        pieces.append("[OPTIONS]")
    return " ".join(pieces)


def table(command: Command) -> Iterator[str]:
    """A row for every argument and option."""
    if not command.params:
        return
    yield "| name | default | help |"
    yield "|---|---|---|"
    for parameter in command.params:
        yield f"| {label(parameter)} | {default(parameter)} | {cell(parameter.help or '')} |"


def label(parameter: Command) -> str:
    """How it is written, and whether more than once."""
    if is_argument(parameter):
        return f"`{word(parameter)}`" + (", one or more" if parameter.nargs == -1 else "")
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    return names + (", any number" if parameter.multiple else "")


def default(parameter: Command) -> str:
    """What holds where nothing is said; nothing for a switch, which is then off."""
    if parameter.required:
        return "required"
    value = parameter.default
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, Path):
        return f"`{value.as_posix()}`"
    return f"`{value}`" if isinstance(value, (int, float, str)) and value != "" else ""


def cell(words: str) -> str:
    r"""Words as a table takes them.

    >>> cell("a | b\nc")
    'a \\| b c'
    """
    return " ".join(words.split()).replace("|", r"\|")


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if it is out of date")
    made = text(commands()).encode()
    if not parser.parse_args().check:
        FILE.write_bytes(made)
    elif not FILE.exists() or FILE.read_bytes().replace(b"\r\n", b"\n") != made:
        sys.exit("docs/commands.md is out of date: run python tools/make_commands.py.")


if __name__ == "__main__":
    main()
