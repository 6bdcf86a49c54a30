"""The command that lets a person judge sure decisions."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, complain, interruptible, print_json
from ilap.core.terminal import say

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.audit import AuditView, DecisionView, Looked
    from ilap.keep.learner import LearnerInFile

VERDICTS = {"r": "right", "w": "wrong", "c": "cannot"}


@app.command()
def audit(
    learner: LearnerPath,
    number: Annotated[int, typer.Option(min=1, help="How many decisions to look at.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draw.")] = 0,
    answers: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            metavar="EXPOSURE=ANSWER",
            help="An answer instead of a dialogue: 12=right, 12=cannot, 12=wrong, 12=wrong:new, "
            "12=wrong:CLASS. May be repeated.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look at random sure decisions and learn how many are wrong.

    Decisions that you never looked at are drawn, of new and known ones in proportion. Of each you say by one
    key whether it is right, wrong, or cannot be told; what is wrong is corrected at once. The share that is
    wrong follows with an interval of 95 %, beside the risk that was promised. ilap undo takes an answer back.
    With --json the decisions that are still to be looked at are listed, and nothing is asked.
    """
    from ilap.keep import audit as audits
    from ilap.keep.learner import LearnerInFile

    with interruptible("what was answered is kept"), LearnerInFile(learner, create=False) as ready:
        found = audits.answer(ready, answers) if answers else audits.audit(ready, number, seed)
        if not answers and not as_json:
            found = dialogue(ready, found)
    if as_json:
        print_json(asdict(found))
    elif found.right or found.wrong or found.cannot:
        say(found.said)


def dialogue(learner: LearnerInFile, found: AuditView) -> AuditView:
    """Ask about every decision of the sample until it is done, or the person has enough."""
    from ilap.core.errors import BadCorrection
    from ilap.keep import audit as audits

    if not found.sample:
        say("there is no sure decision of ilap that you have not looked at")
    sample = found.sample
    for place, own in enumerate(sample, 1):
        say("", *lines_of(own, f"{place} of {len(sample)}"))
        answer = key()
        if answer == "q":
            break
        words = f"{own.about.exposure}={VERDICTS[answer]}"
        while True:
            belongs = asked_where() if answer == "w" else ""
            try:
                found = audits.answer(learner, [f"{words}:{belongs}" if belongs else words])
                break
            except BadCorrection as error:
                complain(str(error))
                if not belongs:
                    return found
    say("")
    return found


def key() -> str:
    """One of r, w, c and q: a key where there is a terminal, else the first letter of a line. The end of the
    input is q."""
    print("right, wrong, cannot tell or quit? [r/w/c/q] ", end="", flush=True)
    while True:
        typed = typer.getchar() if sys.stdin.isatty() else sys.stdin.readline()
        letter = typed.strip().lower()[:1] if typed else "q"
        if letter in (*VERDICTS, "q"):
            say(letter)
            return letter


def asked_where() -> str:
    """Where a wrong one belongs, as a person says it; nothing where that is not known."""
    print("Which class is it? An id or a name, new, or nothing if you do not know: ", end="", flush=True)
    return sys.stdin.readline().strip()


def lines_of(own: DecisionView, heading: str) -> list[str]:
    """A decision for people."""
    sure = "" if own.error is None else f", {1 - own.error:.1%} sure"
    is_known = own.decision == "known"
    said = f"known: {own.class_name}" if is_known else f"new: the first of {own.class_name}"
    lines = [f"{heading}  {said}{sure}", *listed(own.about)]
    if own.beside is None:
        return [*lines, "there was no other class then"]
    what = "the class" if is_known else "the likeliest other class"
    return [*lines, f"{what}: {own.beside_name}", *(line for one in own.shown for line in listed(one))]


def listed(one: Looked) -> list[str]:
    """An exposure and some of its pictures."""
    folder = f"  {one.folder}" if one.folder else ""
    return [f"  exposure {one.exposure}  {one.name}{folder}", *(f"    {path}" for path in one.pictures)]
