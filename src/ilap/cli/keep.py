"""The commands that look after a learner's file."""

from __future__ import annotations

import json

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible


@app.command()
def check(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Verify that a learner's file is whole.

    Its checksums, and that all it knows follows from its log and its features.
    """
    from ilap.keep.store.check import problems
    from ilap.keep.store.file import LearnerFile

    file = LearnerFile(learner, writable=False)
    try:
        with interruptible(), file.snapshot() as connection:
            found = list(problems(connection))
    finally:
        file.close()
    if as_json:
        print(json.dumps({"learner": file.path, "problems": found}))
    else:
        print("\n".join(found) or f"{file.path} is whole")
    if found:
        raise typer.Exit(1)


@app.command()
def compact(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Give back unused space of a learner's file.

    All that is derived is made anew.
    """
    from ilap.keep.store.compact import compact
    from ilap.keep.store.file import LearnerFile

    file = LearnerFile(learner)
    try:
        with interruptible("the file is whole"):
            before, after = compact(file)
    finally:
        file.close()
    report = {"learner": file.path, "bytes_before": before, "bytes": after}
    print(
        json.dumps(report) if as_json else f"{file.path}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} now"
    )
