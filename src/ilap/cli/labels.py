"""The command that takes labels that exist already."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, complain, interruptible, print_json
from ilap.core.plural import counted
from ilap.core.terminal import say

SOME = 5  # of what did not match that are listed


@app.command("import")
def import_labels(
    learner: LearnerPath,
    labels: Annotated[
        Path, typer.Argument(help="A CSV table, or a folder of label folders.", show_default=False)
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take labels that you have already as your word.

    A table has a column picture or exposure (a folder or a burst's name) and a column label; what ilap export
    --to csv writes is such a table. In a folder tree, label / ... / picture, pictures are found by their path
    or by their content, so copies and the links of ilap export --to links will do. A label is the name of a
    class, which is founded where there is none; class 3 means the id. What the learner does not know, and
    exposures with two labels, are told and left as they are. All of it is one event, which ilap undo takes
    back.
    """
    from ilap.keep.labels import import_labels
    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, create=False, writable=not dry_run) as ready:
        done = import_labels(ready, labels, dry_run)
    if as_json:
        print_json({**asdict(done), "said": done.said})
        return
    say(done.said)
    if done.without_label:
        complain(f"{counted(done.without_label, 'row')} without a label")
    for one in done.contradictions[:SOME]:
        complain(f"exposure {one.exposure} ({one.name}) has several labels: {', '.join(one.labels)}")
    if len(done.contradictions) > SOME:
        complain(f"and {counted(len(done.contradictions) - SOME, 'exposure')} more with several labels")
    for rows, what in ((done.unmatched, "of nothing that it knows"), (done.ambiguous, "of several exposures")):
        if rows:
            complain(
                f"{counted(len(rows), 'label')} {what}: {', '.join(rows[:SOME])}{', ...' * (len(rows) > SOME)}"
            )
