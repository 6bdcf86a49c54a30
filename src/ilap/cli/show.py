"""The commands that tell what a learner knows and does not know."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ilap.cli.app import AsJson, LearnerPath, app, interruptible

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.overview import Overview
    from ilap.keep.store.events import Event

MOVES = 4  # of an event that are listed


def overview_of(learner: Path) -> Overview:
    """What there is to tell."""
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.overview import overview

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        return overview(ready)


@app.command()
def show(learner: LearnerPath, as_json: AsJson = False) -> None:
    """What a learner knows: its classes with the health of each, and what it is unsure of."""
    from ilap.core.terminal import print_table

    overview = overview_of(learner)
    if as_json:
        print(json.dumps(asdict(overview)))
        return
    names = {row.class_id: row.name for row in overview.classes}
    print_table(
        ("class", "name", "exposures", "pictures", "accuracy", "purity", "most like"),
        (
            (
                row.class_id,
                row.name,
                len(row.exposures),
                row.pictures,
                f"{row.accuracy:.0%}",
                f"{row.purity:.0%}",
                "" if row.look_alike is None else f"{names[row.look_alike]} ({row.confusion:.1%})",
            )
            for row in overview.classes
        ),
    )
    print(f"\n{len(overview.exposures)} exposures, {overview.pictures} pictures, {overview.bytes / 1e6:.1f} MB")
    hints(overview)
    if overview.unsure:
        print(f"{len(overview.unsure)} exposures are unsure: ilap review lists them")


def hints(overview: Overview) -> None:
    """What a person should look at, with the command that settles it."""
    for pair in overview.likely_one:
        print(f"{' and '.join(pair.names)} are likely one ({pair.probability:.0%}): {pair.command}")
    for one in overview.likely_two:
        print(f"{one.name} is likely two ({one.probability:.0%}): {one.command}")


@app.command()
def review(learner: LearnerPath, as_json: AsJson = False) -> None:
    """What waits for a person: unsure exposures with what they may be, and classes that may be one or two."""
    overview = overview_of(learner)
    if as_json:
        plain = asdict(overview)
        print(json.dumps({key: plain[key] for key in ("unsure", "likely_one", "likely_two")}))
        return
    for row in overview.unsure:
        likely = ", ".join(f"{near.name} {near.probability:.0%}" for near in row.nearest[:3])
        new = "" if row.p_new is None else f"new {row.p_new:.0%}"
        answers = "; ".join(filter(None, [new, likely]))
        print(f"{row.exposure:>5}  {row.name}  {row.pictures} pictures  {answers}")
        print(f"       {row.reason}")
        print(f"       {' | '.join(row.commands)}")
    hints(overview)
    if not (overview.unsure or overview.likely_one or overview.likely_two):
        print("nothing to review")


@app.command()
def history(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Who decided what, when, with which scores. Every event can be undone by its number."""
    from ilap.keep.store import events
    from ilap.keep.store.file import LearnerFile

    file = LearnerFile(learner, writable=False)
    try:
        with file.snapshot() as connection:
            log = events.read(connection)
    finally:
        file.close()
    gone = events.undone(log)
    if as_json:
        print(json.dumps([{**asdict(event), "undone": event.id in gone} for event in log]))
        return
    for event in log:
        print(line(event) + ("  (undone)" if event.id in gone else ""))


def line(event: Event) -> str:
    """An event in one line."""
    from ilap.keep.corrections import place_in_words

    moves = [f"{c.exposure} to {place_in_words(c.after)}" for c in event.changes if c.before != c.after]
    names = [f"class {k} is called {new}" for k, _, new in event.about.get("names", ())]
    more = [f"and {len(moves) - MOVES} more"] if len(moves) > MOVES else []
    undone = [f"event {event.about['event']}"] if event.kind == "undo" else []
    what = ", ".join([*undone, *moves[:MOVES], *more, *names])
    error = event.about.get("error")
    sure = "" if error is None else f"  {1 - error:.1%} sure"
    return f"{event.id:>5}  {event.time}  {event.by:<6}  {event.kind:<8}{what}{sure}"
