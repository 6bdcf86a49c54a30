"""The commands for a person who answers: which questions help most, and what was said to them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible
from ilap.cli.correct import answered

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.asking import Asked, Shown


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
    from ilap.keep import asking
    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        found = asking.ask(ready, count)
    if as_json:
        print(json.dumps([asdict(question) for question in found], ensure_ascii=False))
        return
    if not found:
        print("nothing to ask: an answer needs two exposures at least, of which nobody said all")
    print("\n\n".join(text(question, number) for number, question in enumerate(found, 1)))


@app.command()
def answer(
    learner: LearnerPath,
    question: Annotated[
        str, typer.Argument(help="A question that ilap ask printed, as 12:40,7 or 12=40.", show_default=False)
    ],
    key: Annotated[
        str,
        typer.Argument(
            help="1 to 5 (the same as that one), new, same, different or cannot (nobody can tell); the first "
            "letter is enough.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Answer a question of ilap ask.

    Only the exposures that it showed are placed by your word; what is like them is looked at again, and how
    alike two groups have to be is learned. ilap undo takes an answer back.
    """
    from ilap.keep import asking

    answered(learner, as_json, lambda ready: asking.answer(ready, question, key))


def text(asked: Asked, number: int) -> str:
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
    else:
        lines = [
            f"{number}. Which of these is {about}?",
            f"   {listed(one)}",
            *(f"   {own.key:>3}  {own.probability or 0:>4.0%}  {listed(own)}" for own in asked.shown),
            f"   new  {asked.p_new or 0:>4.0%}",
        ]
    return "\n".join([*lines, f"   {asked.commands[keys[0]]}    # or {', '.join(keys[1:])}"])


def listed(shown: Shown) -> str:
    """An exposure, what it stands for, and one of its pictures."""
    together = f"with {shown.exposures - 1} more" if shown.exposures > 1 else "alone"
    place = f"{shown.place_name}" if not shown.tentative else "tentative"
    picture = f"  {shown.pictures[0]}" if shown.pictures else ""
    return f"{shown.exposure} {shown.name}: {place}, {together}{picture}"
