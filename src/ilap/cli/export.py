"""The command that takes a learner's results elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, changes_of, interruptible
from ilap.export.run import kinds


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
    parquet and onnx need an extra: pip install 'ilap[parquet]', 'ilap[train]'.
    """
    from dataclasses import asdict

    from ilap.export import run

    own = changes_of(assignments, copy=copy or None, url=url or None)
    with interruptible():
        made = run.export(learner, to, out, force=force, **own)
    if as_json:
        print(json.dumps(asdict(made), ensure_ascii=False))
        return
    parts = [f"{made.pictures} pictures"] if made.pictures or to != "onnx" else []
    parts += [f"{made.classes} classes"]
    parts += [f"{made.left_out} pictures left out"] if made.left_out else []
    print(f"{made.path}: {', '.join(parts)}{f'; {made.advice}' if made.advice else ''}")
