"""The commands of the paper: its tables and figures, and the calibration of lambda and theta."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import (
    AsJson,
    Assignments,
    AtOnce,
    Backbone,
    DataRoot,
    app,
    changes_of,
    interruptible,
    print_json,
    split,
)
from ilap.core.errors import BadSetting
from ilap.core.extras import needed_for

TABLES = ("table1", "table2", "table3")
AGAIN = "run the same command again to go on"


@app.command()
def paper(
    what: Annotated[
        str,
        typer.Argument(
            help="all (one report), table1 (novelty), table2 (accuracy), table3 (classes found), decisions "
            "(how many are right), ablation (what paper-cpu hangs on), figure1 to figure12, or early (early "
            "frequent repeats)."
        ),
    ],
    scale: Annotated[
        str,
        typer.Option(
            help="quick: digits; cpu: frozen features; cpu-long: what takes longer; full: the paper's."
        ),
    ] = "cpu",
    data: Annotated[str, typer.Option(help="Some of the scale's data sets, by commas, for tables.")] = "",
    learner: Annotated[str, typer.Option(help="Some learners, by commas, for table2 and table3.")] = "",
    detector: Annotated[str, typer.Option(help="Some detectors, by commas, for table1.")] = "",
    closed_loop: Annotated[
        bool, typer.Option("--closed-loop", help="Detectors learn what they decide, for table1.")
    ] = False,
    odin_grid: Annotated[
        bool, typer.Option("--odin-grid", help="Search ODIN's settings by FPR, for table1.")
    ] = False,
    seeds: Annotated[int | None, typer.Option(help="Seeds for all, instead of the scale's.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of the runs; the same again goes on.")] = Path("runs/paper"),
    jobs: AtOnce = None,
    data_root: DataRoot = None,
    as_json: AsJson = False,
) -> None:
    """Make the paper's tables and figures.

    One of them, ours beside theirs, or all in one report. Stopped or killed, the same command goes on where it
    was.
    """
    with needed_for("ilap paper"):
        import matplotlib  # noqa: F401

        from ilap.paper import command

    if data_root:
        os.environ["ILAP_DATA"] = str(data_root)
    with interruptible(AGAIN):
        if what == "table1":
            rows = split(detector)
            command.table1(scale, split(data), rows, seeds, out, jobs, closed_loop, odin_grid, as_json)
        elif what in TABLES:
            command.learners_table(what, scale, split(data), split(learner), seeds, out, jobs, as_json)
        elif data or learner or detector or closed_loop or odin_grid:
            raise BadSetting(
                f"--data and the like are for tables: {what} has the data and methods of its scale."
            )
        else:
            command.figure(what, scale, seeds, out, jobs, as_json)


@app.command()
def calibrate(
    data: Annotated[
        str, typer.Option(help="A labelled data set: by name, folder:PATH or hf:ID.")
    ] = "fashion_mnist",
    preset: Annotated[str, typer.Option(help="The preset to calibrate.")] = "paper-cpu",
    exposure_size: Annotated[int, typer.Option(help="Pictures in an exposure.")] = 100,
    seeds: Annotated[int, typer.Option(help="How many seeds.")] = 3,
    backbone: Backbone = None,
    assignments: Assignments = None,
    out: Annotated[Path, typer.Option(help="Folder of the preset file, the curves and the runs.")] = Path(
        "runs/calibrate"
    ),
    jobs: AtOnce = None,
    data_root: DataRoot = None,
    as_json: AsJson = False,
) -> None:
    """Find lambda and theta on labelled pictures.

    As in figure 2 of the paper; they are written as a preset file, which every command takes.
    """
    with needed_for("ilap calibrate"):
        import matplotlib  # noqa: F401

        from ilap.paper.calibrate import calibrate, sentences

    if data_root:
        os.environ["ILAP_DATA"] = str(data_root)
    changes = changes_of(assignments, backbone=backbone)
    with interruptible(AGAIN):
        report = calibrate(data, preset, exposure_size, range(seeds), changes, out, jobs)
    if as_json:
        print_json(report)
    else:
        print("\n".join(sentences(report)))
