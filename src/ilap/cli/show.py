"""The commands that tell what a learner knows: on the terminal, as a page, and in files for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, changes_of, interruptible, print_json
from ilap.core.plural import counted
from ilap.core.terminal import print_table, say
from ilap.export.contract import kinds

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.overview import GroupView, Overview

GROUPS = 20  # tentative ones that are listed


def overview_of(learner: Path) -> Overview:
    """What there is to tell."""
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.overview import overview

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        return overview(ready)


@app.command()
def show(learner: LearnerPath, as_json: AsJson = False) -> None:
    """List the classes and tentative groups.

    Each class with its health; then the tentative groups of what is unsure, what may be one class or two, and
    what kind of stream this was understood to be.
    """
    overview = overview_of(learner)
    if as_json:
        print_json(asdict(overview))
        return
    names = {row.class_id: row.name for row in overview.classes}
    print_table(
        ("class", "name", "exposures", "tentative", "pictures", "accuracy", "purity", "most like"),
        (
            (
                row.class_id,
                row.name,
                len(row.exposures),
                f"+{len(row.tentative)}" if row.tentative else "",
                row.pictures,
                f"{row.accuracy:.0%}",
                f"{row.purity:.0%}",
                "" if row.look_alike is None else f"{names[row.look_alike]} ({row.confusion:.1%})",
            )
            for row in overview.classes
        ),
    )
    if overview.groups:
        say("")
        print_table(
            ("tentative group", "name", "exposures", "pictures"),
            ((row.group_id, row.name, len(row.exposures), row.pictures) for row in largest(overview.groups)),
        )
        if len(overview.groups) > GROUPS:
            say(f"and {len(overview.groups) - GROUPS} smaller ones: ilap show --json lists all")
    some = f"{counted(len(overview.exposures), 'exposure')}, {counted(overview.pictures, 'picture')}"
    say(f"\n{some}, {overview.bytes / 1e6:.1f} MB")
    say(overview.said)
    say(overview.understood)
    if overview.network:
        say(overview.network.said)
    if overview.audit and overview.audit.broken:
        say(f"{overview.audit.said} ilap audit looks again")
    hints(overview)
    if overview.unsure:
        say("ilap review lists what is tentative; ilap confirm makes a group a class")


def largest(groups: Sequence[GroupView]) -> list[GroupView]:
    """The tentative groups that are worth a line, those of most exposures first."""
    return sorted(groups, key=lambda row: (-len(row.exposures), row.group_id))[:GROUPS]


def hints(overview: Overview) -> None:
    """What a person should look at, with the command that settles it."""
    for pair in overview.likely_one:
        say(f"{' and '.join(pair.names)} are likely one ({pair.probability:.0%}): {pair.command}")
    for one in overview.likely_two:
        say(f"{one.name} is likely two ({one.probability:.0%}): {one.command}")


@app.command()
def review(learner: LearnerPath, as_json: AsJson = False) -> None:
    """List what waits for you.

    Tentative groups, unsure exposures with what they may be, classes that may be one or two, and the sure
    decisions that are likeliest wrong, each with the command that settles it.
    """
    from ilap.keep.listing import in_words

    overview = overview_of(learner)
    if as_json:
        plain = asdict(overview)
        keys = ("groups", "unsure", "likely_one", "likely_two", "weakest")
        print_json({key: plain[key] for key in keys})
        return
    names = {row.exposure: row.name for row in overview.exposures}
    for group in sorted(overview.groups, key=lambda row: (-len(row.exposures), row.group_id)):
        if len(group.exposures) > 1:
            numbers = in_words(group.exposures, names)
            say(f"{group.name} (tentative): exposures {numbers} likely show the same: {group.command}")
    for row in overview.unsure:
        some = counted(row.pictures, "picture")
        say(f"{row.exposure:>5}  {row.name}  {some}  tentative: {row.place_name}")
        say(f"       {row.reason}")
        say(f"       {' | '.join(row.commands)}")
    hints(overview)
    if not (overview.unsure or overview.likely_one or overview.likely_two):
        say("nothing to review")
    if overview.weakest:
        say("the sure decisions that are likeliest wrong:")
    for weak in overview.weakest:
        some = counted(weak.pictures, "picture")
        say(f"{weak.exposure:>5}  {weak.name}  {some}  {weak.class_name}, {1 - weak.error:.1%} sure")
        say(f"       {' | '.join(weak.commands)}")


@app.command()
def report(
    learner: LearnerPath,
    out: Annotated[
        Path, typer.Option(metavar="PATH", help="Where to write the page. An earlier page is replaced.")
    ] = Path("report.html"),
    force: Annotated[
        bool, typer.Option("--force", help="Write even where a file is that ilap has not made.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a page with pictures of every class.

    What is worth a check, what is unsure, and every class, with small pictures and the commands that settle it.
    Open it in a browser: it needs no network and no other file.
    """
    from ilap.keep.learner import LearnerInFile
    from ilap.report import page as report

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        made = report.write(ready, out, force)
    if as_json:
        print_json(made)
        return
    kinds = {"classes": "class", "exposures": "exposure", "pictures": "picture"}
    counts = ", ".join(counted(made[kind], thing) for kind, thing in kinds.items())
    check = f"{made['tentative']} tentative, {made['likely_one'] + made['likely_two']} worth a check"
    say(f"{made['page']}: {counts}, {check} ({made['bytes'] / 1e6:.1f} MB)")


@app.command()
def export(
    learner: LearnerPath,
    to: Annotated[str, typer.Option("--to", metavar="KIND", help=f"One of {', '.join(kinds())}.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="PATH",
            help="The file to write, or the folder for links and camtrap-dp. An earlier export is replaced.",
        ),
    ],
    copy: Annotated[
        bool, typer.Option("--copy", help="For links: copy the pictures instead of linking to them.")
    ] = False,
    url: Annotated[
        str,
        typer.Option(
            help="For label-studio and camtrap-dp: what comes before a picture's path where pictures are "
            "served, such as /data/local-files/?d= for Label Studio's own."
        ),
    ] = "",
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="What else this kind can be told, as name=value.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write even where something is that ilap has not made.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the classes for other programs.

    Pictures are never changed or moved. csv and parquet have a row a picture, whatever was decided. links is a
    folder of symbolic links, class / exposure / picture, and tentative / group / exposure / picture. Like coco,
    label-studio and camtrap-dp it leaves out what was discarded. onnx is the backbone and the classifier in one
    graph, with the classes' names. Everywhere what is tentative is marked so, and kept apart from what is sure.
    In csv and camtrap-dp, text that a spreadsheet would take for a formula has an apostrophe before it.
    parquet and onnx need an extra: pip install 'ilap[parquet]', 'ilap[train]'.
    """
    from ilap.export import contract

    own = changes_of(assignments, copy=copy or None, url=url or None)
    with interruptible():
        made = contract.export(learner, to, out, force=force, **own)
    if as_json:
        print_json(asdict(made))
        return
    parts = [counted(made.pictures, "picture")] if made.pictures or to != "onnx" else []
    parts += [counted(made.classes, "class")]
    parts += [f"{counted(made.left_out, 'picture')} left out"] if made.left_out else []
    say(f"{made.path}: {', '.join(parts)}{f'; {made.advice}' if made.advice else ''}")
