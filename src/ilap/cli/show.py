"""The commands that tell what a learner knows and does not know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ilap.cli.app import AsJson, LearnerPath, app, interruptible

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.overview import GroupView, Overview
    from ilap.learner.log import Event

MOVES = 4  # of an event that are listed
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
    from ilap.core.terminal import print_table

    overview = overview_of(learner)
    if as_json:
        print(json.dumps(asdict(overview)))
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
        print()
        print_table(
            ("tentative group", "name", "exposures", "pictures"),
            ((row.group_id, row.name, len(row.exposures), row.pictures) for row in largest(overview.groups)),
        )
        if len(overview.groups) > GROUPS:
            print(f"and {len(overview.groups) - GROUPS} smaller ones: ilap show --json lists all")
    print(f"\n{len(overview.exposures)} exposures, {overview.pictures} pictures, {overview.bytes / 1e6:.1f} MB")
    print(overview.said)
    print(overview.understood)
    hints(overview)
    if overview.unsure:
        print("ilap review lists what is tentative; ilap confirm makes a group a class")


def largest(groups: Sequence[GroupView]) -> list[GroupView]:
    """The tentative groups that are worth a line, those of most exposures first."""
    return sorted(groups, key=lambda row: (-len(row.exposures), row.group_id))[:GROUPS]


def hints(overview: Overview) -> None:
    """What a person should look at, with the command that settles it."""
    for pair in overview.likely_one:
        print(f"{' and '.join(pair.names)} are likely one ({pair.probability:.0%}): {pair.command}")
    for one in overview.likely_two:
        print(f"{one.name} is likely two ({one.probability:.0%}): {one.command}")


@app.command()
def review(learner: LearnerPath, as_json: AsJson = False) -> None:
    """List what waits for you.

    Tentative groups, unsure exposures with what they may be, and classes that may be one or two, each with the
    command that settles it.
    """
    overview = overview_of(learner)
    if as_json:
        plain = asdict(overview)
        print(json.dumps({key: plain[key] for key in ("groups", "unsure", "likely_one", "likely_two")}))
        return
    for group in sorted(overview.groups, key=lambda row: (-len(row.exposures), row.group_id)):
        if len(group.exposures) > 1:
            numbers = ", ".join(map(str, group.exposures))
            print(f"{group.name} (tentative): exposures {numbers} are likely one thing: {group.command}")
    for row in overview.unsure:
        likely = ", ".join(f"{near.name} {near.probability:.0%}" for near in row.nearest[:3])
        new = "" if row.p_new is None else f"new {row.p_new:.0%}"
        answers = "; ".join(filter(None, [new, likely]))
        print(f"{row.exposure:>5}  {row.name}  {row.pictures} pictures  tentative: {row.place_name}  {answers}")
        print(f"       {row.reason}")
        print(f"       {' | '.join(row.commands)}")
    hints(overview)
    if not (overview.unsure or overview.likely_one or overview.likely_two):
        print("nothing to review")


@app.command()
def history(learner: LearnerPath, as_json: AsJson = False) -> None:
    """List who decided what, and when.

    Every event can be undone by its number.
    """
    from ilap.keep.store import events
    from ilap.keep.store.file import LearnerFile
    from ilap.learner.log import undone

    file = LearnerFile(learner, writable=False)
    try:
        with file.snapshot() as connection:
            log = events.read(connection)
    finally:
        file.close()
    gone = undone(log)
    if as_json:
        print(json.dumps([{**asdict(event), "undone": event.id in gone} for event in log]))
        return
    for event in log:
        print(line(event) + ("  (undone)" if event.id in gone else ""))


def line(event: Event) -> str:
    """An event in one line."""
    from ilap.keep.asking import in_words
    from ilap.learner.answers import question_of
    from ilap.learner.log import place_in_words

    moves = [f"{c.exposure} to {place_in_words(c.after)}" for c in event.changes if c.before != c.after]
    names = [f"class {k} is called {new}" for k, _, new in event.about.get("names", ())]
    if event.kind == "anew":
        moves = [f"{len({c.exposure for c in event.changes})} exposures"]
    more = [f"and {len(moves) - MOVES} more"] if len(moves) > MOVES else []
    undone = [f"event {event.about['event']}"] if event.kind == "undo" else []
    if not moves and event.tentative:
        undone.append(f"tentative places of {len(event.tentative)} exposures")
    what = ", ".join([*undone, *moves[:MOVES], *more, *names])
    if event.kind == "answer":
        said = in_words(question_of(event.about["question"]), event.about["key"])
        what = f"{said}: {what}" if what else said
    error = event.about.get("error")
    sure = "" if error is None else f"  {1 - error:.1%} sure"
    return f"{event.id:>5}  {event.time}  {event.by:<6}  {event.kind:<8}{what}{sure}"
