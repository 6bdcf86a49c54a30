"""``ilap demo``: a stream of exposures, sorted before your eyes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ilap.bench import page
from ilap.bench.learners.preset import Preset
from ilap.bench.records import Record
from ilap.bench.run import Run
from ilap.bench.stream import make
from ilap.core import files
from ilap.core.decision import Decision
from ilap.core.errors import BadOutput
from ilap.core.settings import resolve
from ilap.core.terminal import bars, printable
from ilap.data.load import load as load_data
from ilap.learner.learner import Learner

STYLES = {"new": "cyan", "known": "blue", "unsure": "yellow"}


def run(
    data: str,
    preset: str,
    exposure_size: int,
    repeats: int,
    seed: int,
    changes: Mapping[str, Any],
    out: Path,
) -> dict[str, Any]:
    """Run the stream, tell how it goes on stderr, write the page, and give all figures."""
    started = time.perf_counter()
    console = Console(stderr=True, highlight=False)
    settings = resolve(preset, changes)
    check_writable(out)
    dataset = load_data(data)
    stream = make(dataset, exposure_size, repeats, seed)
    console.print(
        f"{len(stream)} exposures of {exposure_size} pictures, {len(dataset.test)} pictures to test with; "
        f"the learner sees no label.",
        soft_wrap=True,
    )
    with console.status("loading the backbone (the first time it is prepared, which takes some seconds)"):
        learner = Learner(preset, seed=seed, **changes)
    work = Run(Preset(learner), stream)
    with bars(console) as progress:
        task = progress.add_task("sorting", total=len(stream))
        for record in work:
            progress.console.print(printable(line(record, dataset.names)), soft_wrap=True)
            progress.advance(task)
            for later in record.decision.settled:
                progress.console.print(settled_line(later), soft_wrap=True)

    given = {"data": data, "preset": preset, "seed": seed, "exposure_size": exposure_size, "repeats": repeats}
    files.write(out, page.render(work, {**given, **settings.plain()}))
    return {
        **given,
        **work.summary(),
        "seconds_in_all": time.perf_counter() - started,
        "page": str(out),
        "records": [as_plain(record, dataset.names) for record in work.records],
    }


def line(record: Record, names: tuple[str, ...]) -> str:
    """One exposure in one line: what was decided, whether that was right, and why."""
    decision = record.decision
    said = decision.kind if decision.class_id is None else f"{decision.kind} {decision.class_id}"
    verdict = (
        "[green]right[/]"
        if record.right
        else "[red]wrong[/]"
        if decision.kind != "unsure"
        else "[yellow]open [/]"
    )
    gone = f" [magenta]discarded {', '.join(map(str, decision.discarded))}[/]" if decision.discarded else ""
    return (
        f"[dim]{decision.exposure + 1:4}[/]  [{STYLES[decision.kind]}]{said:<9}[/] {verdict} "
        f"[dim]({names[record.truth]}, {decision.seconds:.2f} s)[/]  {decision.reason}{gone}"
    )


def settled_line(decision: Decision) -> str:
    """One exposure that waited, was asked about again, and is sure now."""
    said = f"{decision.kind} {decision.class_id}"
    return (
        f"[dim]{decision.exposure + 1:4}[/]  [{STYLES[decision.kind]}]{said:<9}[/] "
        f"[dim]asked again:[/] {decision.reason}"
    )


def as_plain(record: Record, names: tuple[str, ...]) -> dict[str, Any]:
    """A record for JSON."""
    return {**asdict(record), "truth_name": names[record.truth]}


def check_writable(path: Path) -> None:
    """Say before the work, not after it, that a file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writable = os.access(path if path.exists() else path.parent, os.W_OK) and not path.is_dir()
    except OSError:
        writable = False
    if not writable:
        raise BadOutput(f"The page cannot be written to {path}: name another file with --out.")


def print_table(report: Mapping[str, Any]) -> None:
    """The figures that matter, on stdout."""
    table = Table(
        show_header=False, title=f"ilap on {report['data']}, seed {report['seed']}", title_justify="left"
    )
    right, exposures = report["right_at_end"], report["exposures"]
    unsure = f", {report['unsure_at_end']} unsure" if report["unsure_at_end"] else ""
    at_once = f"; at once {report['decisions_right']}" if report["unsure"] else ""
    groups = report["learned_classes"]
    spread = f", in {groups} groups" if groups != report["unique_classes"] else ""
    table.add_row("decisions right", f"{right} of {exposures} ({right / exposures:.1%}){unsure}{at_once}")
    table.add_row("classes found", f"{report['unique_classes']} of {report['true_classes']}{spread}")
    if report["accuracy"] is not None:
        table.add_row("accuracy on new pictures", f"{report['accuracy']:.1%}")
    table.add_row("seconds an exposure", f"{report['seconds_per_exposure']:.2f}")
    table.add_row("seconds in all", f"{report['seconds_in_all']:.1f}")
    table.add_row("page", report["page"])
    Console().print(table)
