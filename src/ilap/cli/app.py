"""What all commands share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ilap.core.names import all_readable
from ilap.core.terminal import say
from ilap.core.version import __version__

HEADINGS = {
    "Sort your pictures": ("learn", "show", "list", "report", "identify", "adapt", "export", "demo"),
    "Correct": (
        *("serve", "ask", "answer", "same", "different", "review", "accept", "audit"),
        *("import", "rename", "confirm", "merge", "split", "move", "discard", "undo", "redo"),
    ),
    "Look after the file": ("history", "regroup", "combine", "check", "repair", "compact"),
    "Research": ("bench", "paper", "calibrate", "prior", "presets"),
}
"""All commands in the order of use, for ``ilap --help`` and docs/commands.md."""


class InOrder(TyperGroup):
    """Lists the commands under their headings; one that has none comes last."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the headings."""
        placed = {name: heading for heading, names in HEADINGS.items() for name in names}
        for name, command in self.commands.items():
            command.rich_help_panel = placed.get(name, "Further commands")  # type: ignore[attr-defined]
        return [name for name in placed if name in self.commands] + sorted(self.commands.keys() - placed.keys())


app = typer.Typer(
    cls=InOrder,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def tell_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        print(f"ilap {__version__}")
        raise typer.Exit


@app.callback()
def ilap(
    version: Annotated[
        bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Sort unlabelled bursts of pictures into identities, and keep learning.

    Start with: ilap demo, or ilap learn animals.ilap FOLDER
    """


LearnerPath = Annotated[
    Path, typer.Argument(help="The learner's file, such as animals.ilap.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object; all else goes to stderr.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", help="Any other setting, as name=value or component.name=value (see ilap presets)."),
]
Backbone = Annotated[str | None, typer.Option(help="What turns pictures into features.")]
BoxFile = Annotated[
    Path | None,
    typer.Option("--boxes", help="MegaDetector's JSON file: look at the animals in its boxes."),
]
BoxThreshold = Annotated[
    float, typer.Option(min=0, max=1, help="How sure the detector has to be of an animal for --boxes.")
]
Risk = Annotated[float | None, typer.Option(help="Share of decisions that may be wrong.")]
Sampling = Annotated[
    str | None,
    typer.Option(
        help="How pictures of an exposure were drawn: random (from all of its class), burst (at one time), or "
        "auto, which finds out."
    ),
]
DataRoot = Annotated[Path | None, typer.Option(help="Where data sets are looked for first.")]
AtOnce = Annotated[int | None, typer.Option(help="Processes at a time; as many as cores by default.")]


def changes_of(assignments: list[str] | None, **given: Any) -> dict[str, Any]:
    """The settings that a command was told: by --set, and by options of their own."""
    from ilap.core.settings import parse

    changes = dict(parse(assignment) for assignment in assignments or [])
    return changes | {name: value for name, value in given.items() if value is not None}


def complain(sentence: str) -> None:
    """What is passed over is told."""
    say(f"ilap: {sentence}", error=True)


def print_json(value: Any) -> None:
    """Print plain data as one line of JSON, in ASCII: any stream takes it, and any parser."""
    print(json.dumps(all_readable(value)), flush=True)


def split(words: str) -> list[str]:
    """What lies between commas."""
    return [word.strip() for word in words.split(",") if word.strip()]


@contextmanager
def interruptible(advice: str = "nothing was written") -> Iterator[None]:
    """Ctrl-C ends the command with a word and the code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        complain(f"interrupted; {advice}")
        raise typer.Exit(130) from None
