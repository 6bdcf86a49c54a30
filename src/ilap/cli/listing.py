"""The command that lists exposures."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, interruptible, print_json
from ilap.core.plural import counted
from ilap.core.terminal import say


class By(StrEnum):
    """Who decided."""

    person = "person"
    ilap = "ilap"


@app.command("list")
def list_exposures(
    learner: LearnerPath,
    of_class: Annotated[
        str | None, typer.Option("--class", help="Only those of this class or tentative group.")
    ] = None,
    unsure: Annotated[bool, typer.Option("--unsure", help="Only those that are tentative.")] = False,
    by: Annotated[By | None, typer.Option(help="Only those that a person placed, or ilap did.")] = None,
    below: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="P", help="Only those that ilap was less sure of than this."),
    ] = None,
    folder: Annotated[
        str | None, typer.Option(metavar="PREFIX", help="Only those whose folder or name begins so.")
    ] = None,
    weakest: Annotated[bool, typer.Option("--weakest", help="The least sure first.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the exposures: where each is, and how sure.

    A row an exposure: its number, name, pictures and class, whether that is sure, tentative or discarded, how
    likely ilap's answer is wrong (empty where a person decided), who decided, and its folder. Options can be
    combined.
    """
    from ilap.core.terminal import print_table
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.listing import Wanted, list_exposures

    wanted = Wanted(of_class, unsure, by, below, folder, weakest)
    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        rows = list_exposures(ready, wanted)
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    if rows:
        print_table(
            ("exposure", "name", "pictures", "class", "certainty", "error", "by", "folder"),
            (
                (
                    row.exposure,
                    row.name,
                    row.pictures,
                    row.class_name or "",
                    row.certainty,
                    "" if row.error is None else f"{row.error:.1%}",
                    row.decided_by,
                    row.folder or "",
                )
                for row in rows
            ),
        )
        say("")
    say(counted(len(rows), "exposure"))
