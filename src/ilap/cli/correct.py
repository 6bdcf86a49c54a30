"""The commands that correct a learner. A person's word holds: nothing that is decided later overturns it.

A command here asks keep/answers.py and prints what it says.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.answers import Answer
    from ilap.keep.learner import LearnerInFile

Exposures = Annotated[
    list[str], typer.Argument(help="Exposures, by number, name or folder.", show_default=False)
]
OneClass = Annotated[
    str, typer.Argument(help="A class or a tentative group, by name or id.", show_default=False)
]


def answered(learner: Path, as_json: bool, answer: Callable[[LearnerInFile], Answer]) -> None:
    """Carry out an answer and say what it did."""
    from dataclasses import asdict

    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, create=False) as ready:
        done = answer(ready)
    print(json.dumps(asdict(done), ensure_ascii=False) if as_json else done.said)


@app.command()
def rename(
    learner: LearnerPath,
    which: OneClass,
    name: Annotated[str, typer.Argument(help="Its name from now on.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Give a class or a tentative group a name."""
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.rename(ready, which, name))


@app.command()
def confirm(learner: LearnerPath, which: OneClass, as_json: AsJson = False) -> None:
    """Make a tentative group a class.

    All of its exposures are one thing. It keeps its id and name.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.confirm(ready, which))


@app.command()
def merge(learner: LearnerPath, which: OneClass, other: OneClass, as_json: AsJson = False) -> None:
    """Make two classes or tentative groups one.

    The first keeps its id and name.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.merge(ready, which, other))


@app.command()
def split(
    learner: LearnerPath,
    exposures: Exposures,
    name: Annotated[str | None, typer.Option(help="The new class's name.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make exposures of a class a class of their own."""
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.split(ready, exposures, name))


@app.command()
def move(
    learner: LearnerPath,
    exposure: Annotated[
        str, typer.Argument(help="An exposure, by number, name or folder.", show_default=False)
    ],
    to: Annotated[
        str,
        typer.Argument(
            help="A class or a tentative group, by name or id; new for one of its own.", show_default=False
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Move an exposure to the class it belongs to.

    Also settles what is unsure, and confirms what is right.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.move(ready, exposure, to))


@app.command()
def discard(learner: LearnerPath, exposures: Exposures, as_json: AsJson = False) -> None:
    """Learn nothing from some exposures, now or later."""
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.discard(ready, exposures))


@app.command()
def undo(
    learner: LearnerPath,
    event: Annotated[
        int | None, typer.Argument(help="An event of ilap history; the last correction by default.")
    ] = None,
    with_later: Annotated[
        bool, typer.Option("--with-later", help="Also undo later events that depend on it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take back the last correction, or any event.

    An event is a correction, an undo, or something that was learned; ilap history lists them.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.undo(ready, event, with_later))
