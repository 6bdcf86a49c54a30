"""The commands for a person who answers and corrects. A person's word holds: nothing that is decided later
overturns it.

A command here asks keep/answers.py and prints what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible, print_json
from ilap.core.terminal import say

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.answers import Corrected, QuestionView, Shown
    from ilap.keep.learner import LearnerInFile

Exposures = Annotated[
    list[str], typer.Argument(help="Exposures, by number, name or folder.", show_default=False)
]
OneExposure = Annotated[str, typer.Argument(help="An exposure, by number, name or folder.", show_default=False)]
Kind = Literal["known", "new", "merge", "split"]  # as learner/proposals.py has them
OneClass = Annotated[
    str,
    typer.Argument(
        help="A class or a tentative group, by id or name; name:3 where 3 is its name.", show_default=False
    ),
]


def answered(learner: Path, as_json: bool, answer: Callable[[LearnerInFile], Corrected]) -> None:
    """Carry out an answer and say what it did."""
    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, create=False) as ready:
        done = answer(ready)
    if as_json:
        print_json(asdict(done))
    else:
        say(done.said)


@app.command()
def ask(
    learner: LearnerPath,
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Ask you the questions whose answers help most.

    Each comes with the command that answers it. A question stays valid as long as its exposures are there;
    after some answers others may help more, so ask again.
    """
    from ilap.keep import answers
    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        found = answers.ask(ready, count)
    if as_json:
        print_json([asdict(question) for question in found])
        return
    if not found:
        say("nothing to ask: fewer than two exposures, or a person has placed all of them")
    for number, question in enumerate(found, 1):
        say(*[""] * (number > 1), *lines_of(question, number))


@app.command()
def answer(
    learner: LearnerPath,
    question: Annotated[
        str, typer.Argument(help="A question that ilap ask printed, as 12:40,7.", show_default=False)
    ],
    key: Annotated[
        str,
        typer.Argument(
            help="1 to 5 (the same as that one), new, same, different or cannot (nobody can tell), of which "
            "the first letter is enough; where several are to be parted, all, or all but some: 'not 40,7'.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Answer a question of ilap ask.

    Only the exposures that it showed are placed by your word; what is like them is looked at again, and how
    alike two groups have to be is learned. ilap undo takes an answer back.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.answer(ready, question, key))


@app.command()
def same(learner: LearnerPath, exposure: OneExposure, other: OneExposure, as_json: AsJson = False) -> None:
    """Say that two exposures show the same thing.

    Both found a class, or one joins the other's, or their classes become one: as the answer same to a question
    of ilap ask.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.compare(ready, exposure, other, "same"))


@app.command()
def different(learner: LearnerPath, exposure: OneExposure, other: OneExposure, as_json: AsJson = False) -> None:
    """Say that two exposures show different things.

    They are never put together again. Of two in one class that which fits it worse becomes a class of its own:
    as the answer different to a question of ilap ask.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.compare(ready, exposure, other, "different"))


@app.command()
def accept(
    learner: LearnerPath,
    above: Annotated[float, typer.Option(metavar="SHARE", help="How likely a proposal has to be.")] = 0.99,
    kind: Annotated[
        Kind | None,
        typer.Option(
            help="known or new: what unsure exposures are; merge or split: classes that are one or two. Needed "
            "where there are several kinds.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take all proposals of one kind at once.

    Those of ilap review that have a probability and are at least this likely. It is one event, which ilap undo
    takes back.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.accept(ready, kind, above))


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
    exposure: OneExposure,
    to: Annotated[
        str,
        typer.Argument(
            help="A class or a tentative group, by id or name; new for one of its own.", show_default=False
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Move an exposure to the class it belongs to.

    Also settles what is unsure, and confirms what is right.
    """
    from ilap.keep import answers

    answered(learner, as_json, lambda ready: answers.move(ready, [exposure], to))


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


@app.command()
def redo(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Carry out again what the last undo took back.

    Where a person has corrected or answered something since, there is nothing to redo.
    """
    from ilap.keep import answers

    answered(learner, as_json, answers.redo)


def lines_of(asked: QuestionView, number: int) -> list[str]:
    """A question for people."""
    one = asked.about
    about = f"{one.name} (exposure {one.exposure})"
    keys = list(asked.commands)
    if asked.kind == "same":
        other, p = asked.shown[0], asked.shown[0].probability or 0.0
        lines = [
            f"{number}. Do {about} and {other.name} (exposure {other.exposure}) show the same? {p:.0%} likely.",
            *(f"   {line}" for line in (listed(one), listed(other))),
        ]
    elif asked.kind == "split":
        rest = [f"   {listed(own)}" for own in asked.shown]
        lines = [f"{number}. Are these something else than {about}? {asked.change:.0%} likely.", *rest]
    else:
        lines = [
            f"{number}. Which of these is {about}?",
            f"   {listed(one)}",
            *(f"   {own.key:>3}  {own.probability or 0:>4.0%}  {listed(own)}" for own in asked.shown),
            f"   new  {asked.p_new or 0:>4.0%}",
        ]
    others = [*keys[1:], *([f'"not {asked.shown[-1].exposure}"'] if asked.kind == "split" else [])]
    again = [f"   {asked.reason}"] if "contradict" in asked.reason else []
    return [*lines, *again, f"   {asked.commands[keys[0]]}    # or {', '.join(others)}"]


def listed(shown: Shown) -> str:
    """An exposure, what it stands for, and one of its pictures."""
    together = f"with {shown.exposures - 1} more" if shown.exposures > 1 else "alone"
    place = f"{shown.place_name}" if not shown.tentative else "tentative"
    picture = f"  {shown.pictures[0]}" if shown.pictures else ""
    return f"{shown.exposure} {shown.name}: {place}, {together}{picture}"
