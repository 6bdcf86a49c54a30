"""The commands for people with pictures of their own: learn from them, and name more of them."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ilap.cli.app import app, interruptible
from ilap.settings import parse

if TYPE_CHECKING:
    from ilap.kept import KeptLearner
    from ilap.learn import Outcome
    from ilap.sources.bursts import Burst

LearnerPath = Annotated[
    Path, typer.Argument(help="The learner's file, such as animals.ilap.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object; all else goes to stderr.")]


def complain(sentence: str) -> None:
    """What is passed over is told."""
    print(f"ilap: {sentence}", file=sys.stderr)


@app.command()
def learn(
    learner: LearnerPath,
    source: Annotated[Path, typer.Argument(help="The folder that holds your pictures.", show_default=False)],
    by_time: Annotated[
        str | None, typer.Option(help="Cut at gaps in time: 60s, 5m, 2h; by EXIF, else by the file's time.")
    ] = None,
    by_name: Annotated[
        str | None,
        typer.Option(help="Cut by file name: pictures whose match of this regular expression agrees."),
    ] = None,
    risk: Annotated[float | None, typer.Option(help="Share of decisions that may be wrong.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a learner that is made.")] = 0,
    backbone: Annotated[str | None, typer.Option(help="What turns pictures into features.")] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="Any other setting, as name=value (see ilap presets).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sort a folder of unlabelled pictures into classes. Every folder in it is an exposure: pictures of one
    thing. What was learned before is passed over, so the same command goes on after a stop, and next month."""
    from ilap.kept import KeptLearner
    from ilap.sources import bursts

    if by_time and by_name:
        raise typer.BadParameter("take --by-time or --by-name, not both")
    changes = dict(parse(assignment) for assignment in assignments or [])
    given = {"backbone": backbone, "risk": risk}
    changes.update({name: value for name, value in given.items() if value is not None})
    with interruptible("what was learned is kept: run the same command again to go on"):
        if by_time:
            found = bursts.by_time(source, bursts.seconds(by_time), complain)
        elif by_name:
            found = bursts.by_name(source, by_name, complain)
        else:
            found = bursts.by_folder(source, complain)
        if not found:
            complain(f"{source} holds no picture in any folder that can be read")
        with KeptLearner(learner, seed=seed, **changes) as ready:
            report = carry_out(ready, found, as_json)
    print(json.dumps(report) if as_json else summary(report))


def carry_out(learner: KeptLearner, found: list[Burst], as_json: bool) -> dict[str, Any]:
    """Learn with a bar, a line an exposure; gives the figures."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from ilap.learn import learn
    from ilap.sources.bursts import count

    console = Console(stderr=True)
    plain = not as_json and not sys.stdout.isatty()  # on a terminal the lines go above the bar
    bar = Progress(
        TextColumn("{task.completed:.0f} of {task.total:.0f} pictures"),
        BarColumn(),
        TextColumn("{task.fields[rate]:.0f} a second"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
    )
    started = time.perf_counter()
    report: dict[str, Any] = {
        "learner": learner.path,
        "decisions": [],
        "skipped": [],
        "known": 0,
        "pictures": 0,
    }
    with bar:
        task = bar.add_task("", total=count(found), rate=0.0)
        for outcome in learn(learner, found):
            report["pictures"] += outcome.pictures
            report["known"] += outcome.known
            report["skipped"] += outcome.bad
            for sentence in outcome.bad:
                console.print(f"ilap: {sentence}", markup=False, highlight=False, soft_wrap=True)
            for row in told(learner, outcome):
                report["decisions"].append(row)
                if plain:
                    print(line(row), flush=True)
                else:
                    console.print(line(row), markup=False, highlight=False, soft_wrap=True)
            rate = report["pictures"] / (time.perf_counter() - started)
            bar.update(task, advance=len(outcome.burst.paths), rate=rate)
    report["seconds"] = time.perf_counter() - started
    report["classes"] = len(learner.classes)
    report["unsure"] = len(learner.waiting)
    return report


def told(learner: KeptLearner, outcome: Outcome) -> list[dict[str, Any]]:
    """What was decided of a burst, and of earlier ones that are sure now."""
    if outcome.decision is None:
        return []
    return [
        {
            "exposure": decision.exposure,
            "name": learner.name_of_exposure(decision.exposure),
            "pictures": learner.size_of(decision.exposure),
            "decision": decision.kind,
            "class_id": decision.class_id,
            "class_name": None if decision.class_id is None else learner.name_of(decision.class_id),
            "error": decision.error,
            "reason": decision.reason,
            "strangers": len(decision.strangers),
            "settled": decision is not outcome.decision,
            "moved": list(decision.moved),
            "seconds": decision.seconds,
        }
        for decision in (outcome.decision, *outcome.decision.settled)
    ]


def line(row: dict[str, Any]) -> str:
    """A decision as one line."""
    answer = {"new": f"new: {row['class_name']}", "known": str(row["class_name"]), "unsure": "unsure"}
    number = f"{'now ' if row['settled'] else ''}{row['exposure']}"
    text = f"{number:>7}  {row['name']:<32}  {row['pictures']:>4} pictures  {answer[row['decision']]:<18}"
    if row["decision"] == "unsure":
        text += f"  {row['reason']}"
    elif row["error"] is not None:
        text += f"  {1 - row['error']:.1%} sure"
    if row["strangers"]:
        text += f", {row['strangers']} left out"
    return text


def summary(report: dict[str, Any]) -> str:
    """The end of it."""
    kinds = [row["decision"] for row in report["decisions"] if not row["settled"]]
    seconds = max(report["seconds"], 1e-9)
    rows = [
        ("exposures learned", f"{len(kinds)}: {kinds.count('new')} new, {kinds.count('known')} known"),
        ("unsure, waiting", f"{report['unsure']}" + (": see ilap review" if report["unsure"] else "")),
        ("classes", f"{report['classes']}"),
        (
            "pictures",
            f"{report['pictures']}, {report['known']} known before, {len(report['skipped'])} not read",
        ),
        ("time", f"{seconds:.1f} s, {report['pictures'] / seconds:.0f} pictures a second"),
    ]
    return "\n" + "\n".join(f"{name:<20}{value}" for name, value in rows)
