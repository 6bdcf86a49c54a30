"""The command that shows a learner as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible


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
        print(json.dumps(made, ensure_ascii=False))
        return
    kinds = ("classes", "exposures", "pictures", "tentative")
    counts = ", ".join(f"{made[kind]} {kind}" for kind in kinds)
    check = made["likely_one"] + made["likely_two"]
    print(f"{made['page']}: {counts}, {check} worth a check ({made['bytes'] / 1e6:.1f} MB)")
