"""The command for people with pictures of their own: learn from them."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ilap.cli.app import (
    AsJson,
    Assignments,
    Backbone,
    BoxFile,
    BoxThreshold,
    LearnerPath,
    Risk,
    Sampling,
    app,
    changes_of,
    complain,
    interruptible,
    print_json,
)
from ilap.core.plural import counted, noun
from ilap.core.terminal import printable, say

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.learn import Learned
    from ilap.keep.learner import LearnerInFile
    from ilap.sources.bursts import Burst, Cutting
    from ilap.sources.tree import Found

ByTime = Annotated[
    str | None, typer.Option(help="Cut at gaps in time: 60s, 5m, 2h; by EXIF, else by the file's time.")
]
ByName = Annotated[
    str | None,
    typer.Option(help="Cut by file name: pictures whose match of this regular expression agrees."),
]
Fps = Annotated[float, typer.Option(min=1e-3, max=1000, help="Frames a second of a video that are looked at.")]


@app.command()
def learn(
    learner: LearnerPath,
    source: Annotated[Path, typer.Argument(help="The folder that holds your pictures.", show_default=False)],
    by_time: ByTime = None,
    by_name: ByName = None,
    fps: Fps = 1.0,
    boxes: BoxFile = None,
    box_threshold: BoxThreshold = 0.2,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show the bursts on a page beside the learner, and learn nothing."),
    ] = False,
    risk: Risk = None,
    sampling: Sampling = None,
    seed: Annotated[int, typer.Option(help="Seed of a learner that is made.")] = 0,
    backbone: Backbone = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Sort a folder of unlabelled pictures into classes.

    Every folder in it is an exposure: pictures of one thing; so is every video. What was learned before is
    passed over, so the same command goes on after a stop, and next month.

    With --boxes every picture is cut to the animal in it, and pictures without one are left out. A burst with
    several animals is an exposure for each where boxes of neighbouring pictures overlap in one way only, and
    is left out where it is not clear which box is whose.
    """
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.store import view
    from ilap.sources.bursts import cut
    from ilap.sources.tree import Found

    if by_time and by_name:
        raise typer.BadParameter("take --by-time or --by-name, not both")
    changes = changes_of(assignments, backbone=backbone, risk=risk, sampling=sampling)
    with interruptible("what was learned is kept: run the same command again to go on"):
        tree = Found()
        found = cut(source, cutting_of(by_time, by_name, fps), complain, tree)
        if boxes:
            found = in_boxes(found, boxes, box_threshold)
        if not found:
            complain(f"{source} holds no picture that can be read: nothing was learned")
        seen = len(found)
        if dry_run:
            show_bursts(learner, found, tree, as_json)
        elif found or learner.exists():
            made = not learner.exists()
            with kept_if_learned(learner, made), LearnerInFile(learner, seed=seed, **changes) as ready:
                if not boxes and view.crops(ready.file.connection):
                    complain("this learner looked at boxes: without --boxes new pictures are learned whole")
                report = carry_out(ready, found, tree, as_json)
            if as_json:
                print_json(report)
            else:
                say(*summary(report))
            seen = report["files"]["read"] + report["files"]["known"]
    if not seen:
        raise typer.Exit(1)


def cutting_of(by_time: str | None, by_name: str | None, fps: float) -> Cutting:
    """How bursts are cut, by the options."""
    from ilap.sources.bursts import Cutting, seconds

    return Cutting(seconds(by_time) if by_time else None, by_name or None, fps)


@contextmanager
def kept_if_learned(learner: Path, made: bool) -> Iterator[None]:
    """A file that was made for what is done here goes again where nothing was learned, whatever ended it."""
    from ilap.keep.store.file import remove_if_empty

    try:
        yield
    finally:
        if made and remove_if_empty(learner):
            complain(f"nothing was learned, so {learner} was not made")


def in_boxes(found: list[Burst], boxes: Path, threshold: float) -> list[Burst]:
    """Bursts cut to the animals in them; what is left out is told."""
    from ilap.sources.boxes import cropped, read_boxes, tell

    made = cropped(found, read_boxes(boxes, threshold))
    tell(made, complain)
    return made.bursts


def show_bursts(learner: Path, found: list[Burst], tree: Found, as_json: bool) -> None:
    """Say what would be learned."""
    from ilap.report import bursts

    if found:
        planned = bursts.write(learner, found)
        if as_json:
            print_json({**asdict(planned), "not_read": dict(sorted(tree.passed.items()))})
        else:
            say(planned.said)


def carry_out(learner: LearnerInFile, found: list[Burst], tree: Found, as_json: bool) -> dict[str, Any]:
    """Learn with a bar, a line an exposure; gives the figures."""
    from rich.console import Console

    from ilap.core.terminal import bars
    from ilap.keep.cuts import judge
    from ilap.keep.learn import learn, look_again, rows_of, unfinished
    from ilap.keep.redecide import redecide
    from ilap.keep.summary import tally
    from ilap.sources.bursts import count
    from ilap.sources.tree import DAMAGED

    console = Console(stderr=True)
    plain = not as_json and not sys.stdout.isatty()  # on a terminal the lines go above the bar
    started = time.perf_counter()
    decisions: list[Learned] = []
    skipped: list[str] = []
    known = pictures = 0
    files = Counter[str](read=0, known=0)

    def tell(row: Learned) -> None:
        decisions.append(row)
        if plain:
            say(line(row))
        else:
            console.print(printable(line(row)), markup=False, highlight=False, soft_wrap=True)

    redecided = redecide(learner)
    if redecided:
        complain(redecided.said)
    with bars(console) as bar:
        task = bar.add_task("pictures", total=count(found))
        for outcome in learn(learner, found):
            pictures += outcome.pictures
            known += outcome.known
            skipped += outcome.bad
            files.update(dict(zip(("read", "known", DAMAGED), outcome.files, strict=True)))
            for sentence in outcome.bad:
                console.print(f"ilap: {printable(sentence)}", markup=False, highlight=False, soft_wrap=True)
            for row in rows_of(learner, outcome):
                tell(row)
            rate = pictures / (time.perf_counter() - started)
            done = len(outcome.burst.paths)
            bar.update(task, advance=done, description=f"pictures, {rate:.0f} a second")
        if pictures or unfinished(learner):
            for row in look_again(learner):
                tell(row)
    told = tally(learner)
    cut = judge(learner, [row.exposure for row in decisions if not row.settled])
    for sentence in cut.said:
        complain(sentence)
    return {
        "learner": learner.path,
        "decisions": [asdict(row) for row in decisions],
        "skipped": skipped,
        "known": known,
        "pictures": pictures,
        "files": accounted(files, tree),
        "seconds": time.perf_counter() - started,
        "classes": told.classes,
        "unsure": told.tentative,
        "sure": told.sure,
        "tentative": told.tentative,
        "groups": told.groups,
        "said": told.said,
        "redecided": redecided and asdict(redecided),
        "cut": asdict(cut),
    }


def accounted(files: Counter[str], tree: Found) -> dict[str, Any]:
    """Every file there is: read, known before, or not read for a reason."""
    from ilap.sources.tree import DAMAGED, not_read

    reasons = tree.passed + Counter({DAMAGED: files[DAMAGED]})
    return {
        "found": files["read"] + files["known"] + reasons.total(),
        "read": files["read"],
        "known": files["known"],
        "not_read": dict(sorted(reasons.items())),
        "advice": not_read(tree.passed),
    }


def line(row: Learned) -> str:
    """A decision as one line."""
    answer = {
        "new": f"new: {row.class_name}",
        "known": str(row.class_name),
        "unsure": f"unsure: {row.place_name}?",
    }
    number = f"{'now ' if row.settled else ''}{row.exposure}"
    some = f"{row.pictures:>4} {noun(row.pictures, 'picture'):<8}"
    text = f"{number:>7}  {row.name:<32}  {some}  {answer[row.decision]:<18}"
    if row.decision == "unsure":
        text += f"  {row.reason}"
    elif row.error is not None:
        text += f"  {1 - row.error:.1%} sure"
    if row.strangers:
        text += f", {row.strangers} left out"
    return text


def summary(report: dict[str, Any]) -> list[str]:
    """The end of it."""
    from ilap.keep.words import quoted
    from ilap.sources.tree import several

    kinds = [row["decision"] for row in report["decisions"] if not row["settled"]]
    seconds = max(report["seconds"], 1e-9)
    files = report["files"]
    reasons = [several(reason, count) for reason, count in files["not_read"].items()]
    not_read = sum(files["not_read"].values())
    told = f"{files['found']}: {files['read']} read, {files['known']} known before, {not_read} not read"
    rows = [
        ("exposures learned", f"{len(kinds)}: {kinds.count('new')} new, {kinds.count('known')} known"),
        (
            "pictures",
            f"{report['pictures']}, {report['known']} known before, {len(report['skipped'])} not read",
        ),
        ("files", told + (f" ({', '.join(reasons)})" if reasons else "")),
        ("time", f"{seconds:.1f} s, {counted(round(report['pictures'] / seconds), 'picture')} a second"),
    ]
    lines = [f"{name:<20}{value}" for name, value in rows] + [report["said"]]
    if report["tentative"]:
        path = quoted(report["learner"])
        lines.append(f"answer these questions next: ilap ask {path}")
    return ["", *lines]
