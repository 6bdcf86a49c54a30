"""The commands that look after a learner's file: its log, tentative places, its adapted network, whether it is
whole, its size."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible, print_json
from ilap.core.terminal import say

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.learner.log import Event


@app.command()
def history(learner: LearnerPath, as_json: AsJson = False) -> None:
    """List who decided what, and when.

    Exposures are told by number and name. Every event can be undone by its number.
    """
    from ilap.keep.store import events, view
    from ilap.keep.store.file import LearnerFile
    from ilap.learner.log import undone

    file = LearnerFile(learner, writable=False)
    try:
        with file.snapshot() as connection:
            log, names, folders = events.read(connection), view.names(connection), view.folders(connection)
    finally:
        file.close()
    gone = undone(log)
    if as_json:
        plain = [{**asdict(event), "undone": event.id in gone} for event in log]
        for move in (move for event in plain for move in event["changes"]):
            number = move["exposure"]
            move.update(name=names[number], folder=folders.get(number))
        print_json(plain)
        return
    for event in log:
        say(line(event, names) + ("  (undone)" if event.id in gone else ""))


def line(event: Event, names_of: dict[int, str]) -> str:
    """An event in one line; ``names_of`` are the exposures' names."""
    from ilap.keep.history import what

    error = event.about.get("error")
    sure = "" if error is None else f"  {1 - error:.1%} sure"
    return f"{event.id:>5}  {event.time}  {event.by:<6}  {event.kind:<8}{what(event, names_of)}{sure}"


@app.command()
def regroup(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Look at all that is unsure again, at once.

    Where it most likely belongs is inferred from everything that was seen instead of in the order of arrival.
    What is sure stays; changes to it are proposed by ilap review. What ilap decided by an earlier rule is
    decided again.
    """
    from ilap.exact.review import proposed
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.redecide import redecide
    from ilap.keep.summary import tally
    from ilap.learner.log import apart

    with interruptible(), LearnerInFile(learner, create=False) as ready:
        redecided = redecide(ready)
        found = ready.regroup()
        count, told = proposed(ready.exact, apart(ready.history())), tally(ready)
    if as_json:
        again = redecided and asdict(redecided)
        print_json({"learner": ready.path, **asdict(found), "proposed": count, "redecided": again})
        return
    if redecided:
        say(redecided.said)
    event = "" if found.event is None else f" (event {found.event})"
    say(f"{len(found.moved)} of {found.tentative} tentative places changed{event}")
    say(told.said)
    if count:
        say(f"changes to what is sure that are proposed: {count} (ilap review lists them)")


@app.command()
def adapt(
    learner: LearnerPath,
    minutes: Annotated[float, typer.Option(min=0, help="Time for training; 15 name better than 5.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Train a network on the classes, to name single pictures better.

    Pictures are read again from where they were. A part of them is held out, and the network is kept only if
    it names these better than before; decisions about exposures do not change. Stopped or killed, the same
    command goes on. ilap undo takes it back.
    """
    from ilap.core.terminal import bars
    from ilap.keep.adapt import plain, said
    from ilap.keep.learner import LearnerInFile

    with (
        interruptible("nothing was changed: run the same command again to go on"),
        LearnerInFile(learner, create=False) as ready,
        bars() as bar,
    ):
        task = bar.add_task("reading pictures", total=None)

        def watch(done: int, steps: int) -> None:
            bar.update(task, description="training", completed=done, total=steps)

        found = ready.adapt(minutes, watch=watch)
        event = ready.history()[-1].id if found.kept else None
    if as_json:
        print_json(plain(ready.path, found, event))
    else:
        say(*said(found, event or 0))


@app.command()
def combine(
    first: LearnerPath,
    second: Annotated[
        Path, typer.Argument(help="Another learner, of the same backbone and prior.", show_default=False)
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="The learner to make; it must not be there.")
    ],
    as_json: AsJson = False,
) -> None:
    """Make one learner of two, which stay as they are.

    It holds the exposures of both; features are taken as they are, and settings are the first's. What people
    said in either holds. What ilap decided by itself is decided again over all exposures. Classes stay apart:
    where both have a class of one name, the second's gets the name of its file added, and the command that
    makes them one is printed.
    """
    from ilap.keep.combine import combine

    with interruptible():
        done = combine(first, second, out)
    if as_json:
        print_json({**asdict(done), "said": done.said})
        return
    say(done.said)
    for same in done.same_names:
        say(f"both have {same.name}; if they are one: {same.command}")


@app.command()
def check(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Verify that a learner's file is whole.

    Its checksums, and that all it knows follows from its log and its features. What is damaged is listed with
    the command that mends it.
    """
    from ilap.keep.store.check import checked

    with interruptible():
        found = checked(learner)
    if as_json:
        problems = [problem.said for problem in found.problems]
        print_json({"learner": found.learner, "problems": problems, "mend": found.mend})
    else:
        say(*([problem.said for problem in found.problems] or [f"{found.learner} is whole"]))
        if found.mend:
            say(f"To mend it: {found.mend}")
    if found.problems:
        raise typer.Exit(1)


@app.command()
def repair(
    learner: LearnerPath,
    out: Annotated[Path, typer.Option(help="The new file.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Save what can be saved of a damaged file.

    It is written to a new file, with all that follows from it, and what is lost is named. The damaged file is
    left as it is. A copy of the file from before is better, if there is one.
    """
    from ilap.keep.learner import beginnings
    from ilap.keep.store.repair import repair

    with interruptible():
        done = repair(learner, out, beginnings)
    if as_json:
        print_json(asdict(done))
        return
    say(f"{done.repaired}: {done.exposures} exposures, {done.pictures} pictures, {done.events} events")
    say("\n".join(f"lost: {one.said}" for one in done.lost) or "nothing is lost")


@app.command()
def compact(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Give back unused space of a learner's file.

    All that is derived is rebuilt.
    """
    from ilap.keep.store.check import compact
    from ilap.keep.store.file import LearnerFile

    file = LearnerFile(learner)
    try:
        with interruptible("the file is whole"):
            before, after = compact(file)
    finally:
        file.close()
    report = {"learner": file.path, "bytes_before": before, "bytes": after}
    if as_json:
        print_json(report)
    else:
        say(f"{file.path}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} now")
