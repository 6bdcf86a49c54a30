"""The commands that tell what a learner knows and does not know."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ilap.cli.app import app, interruptible
from ilap.cli.learn import AsJson, LearnerPath, complain

BATCH = 64


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows in columns; the last column may be long."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(head), *(len(row[i]) for row in texts), 0) for i, head in enumerate(heads)]
    for row in [list(heads), *texts]:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def overview_of(learner: Path) -> dict[str, Any]:
    """What there is to tell."""
    from ilap.kept import KeptLearner
    from ilap.overview import overview

    with interruptible(), KeptLearner(learner, writable=False) as ready:
        return overview(ready)


@app.command()
def show(learner: LearnerPath, as_json: AsJson = False) -> None:
    """What a learner knows: its classes with the health of each, and what it is unsure of."""
    told = overview_of(learner)
    if as_json:
        print(json.dumps(told))
        return
    names = {row["class_id"]: row["name"] for row in told["classes"]}
    heads = ("class", "name", "exposures", "pictures", "accuracy", "purity", "most like")
    table(
        heads,
        (
            (
                row["class_id"],
                row["name"],
                len(row["exposures"]),
                row["pictures"],
                f"{row['accuracy']:.0%}",
                f"{row['purity']:.0%}",
                "" if row["look_alike"] is None else f"{names[row['look_alike']]} ({row['confusion']:.1%})",
            )
            for row in told["classes"]
        ),
    )
    print(f"\n{len(told['exposures'])} exposures, {told['pictures']} pictures, {told['bytes'] / 1e6:.1f} MB")
    hints(told)


def hints(told: dict[str, Any]) -> None:
    """What a person should look at."""
    for row in told["likely_one"]:
        a, b = row["classes"]
        print(
            f"{' and '.join(row['names'])} are likely one ({row['probability']:.0%}): "
            f"ilap merge LEARNER {a} {b}"
        )
    for row in told["likely_two"]:
        few = " ".join(map(str, sorted(row["parts"], key=len)[0]))
        print(f"{row['name']} is likely two ({row['probability']:.0%}): ilap split LEARNER {few}")
    if told["unsure"]:
        print(f"{len(told['unsure'])} exposures are unsure: ilap review lists them")


@app.command()
def review(learner: LearnerPath, as_json: AsJson = False) -> None:
    """What waits for a person: unsure exposures with what they may be, and classes that may be one or two."""
    told = overview_of(learner)
    if as_json:
        print(json.dumps({key: told[key] for key in ("unsure", "likely_one", "likely_two")}))
        return
    for row in told["unsure"]:
        likely = ", ".join(f"{near['name']} {near['probability']:.0%}" for near in row["nearest"][:3])
        new = "" if row["p_new"] is None else f"new {row['p_new']:.0%}"
        answers = "; ".join(filter(None, [new, likely]))
        print(f"{row['exposure']:>5}  {row['name']}  {row['pictures']} pictures  {answers}")
        print(f"       {row['reason']}")
    if told["unsure"]:
        print("\nSettle one with: ilap move LEARNER EXPOSURE CLASS (or new), or ilap discard LEARNER EXPOSURE")
    hints({**told, "unsure": []})
    if not any(told[key] for key in ("unsure", "likely_one", "likely_two")):
        print("nothing to review")


@app.command()
def history(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Who decided what, when, with which scores. Every event can be undone by its number."""
    from dataclasses import asdict

    from ilap.corrections import told
    from ilap.store import events
    from ilap.store.file import LearnerFile

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
        moves = [f"{c.exposure} to {told(c.after)}" for c in event.changes if c.before != c.after]
        names = [f"class {k} is called {new}" for k, _, new in event.about.get("names", ())]
        what = [*moves[:4], *([f"and {len(moves) - 4} more"] if len(moves) > 4 else []), *names]
        if event.kind == "undo":
            what.insert(0, f"event {event.about['event']}")
        mark = "  (undone)" if event.id in gone else ""
        sure = event.about.get("error")
        odds = "" if sure is None else f"  {1 - sure:.1%} sure"
        print(f"{event.id:>5}  {event.time}  {event.by:<6}  {event.kind:<8}{', '.join(what)}{odds}{mark}")


@app.command()
def identify(
    learner: LearnerPath,
    pictures: Annotated[
        list[str],
        typer.Argument(help="Pictures or folders; - reads names from standard input.", show_default=False),
    ],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a table with commas.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
) -> None:
    """Name single pictures: the class, how likely, and the nearest pictures that were learned."""
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, writable=False) as ready:
        rows = named(ready, files(pictures))
        if as_json:
            for row in rows:
                print(json.dumps(row), flush=True)
        elif as_csv:
            writer = csv.writer(sys.stdout)
            writer.writerow(("picture", "class_id", "class_name", "probability", "typical", "nearest"))
            for row in rows:
                writer.writerow([*list(row.values())[:5], "|".join(row["nearest"])])
        else:
            table(
                ("class", "probability", "as typical as", "picture"),
                (
                    (
                        row["class_name"],
                        f"({row['likeliest']})" if row["class_id"] is None else f"{row['probability']:.1%}",
                        f"{row['typical']:.0%} of those learned",
                        row["picture"],
                    )
                    for row in rows
                ),
            )


def files(texts: Iterable[str]) -> Iterator[Path]:
    """The pictures that are meant."""
    from ilap.sources.bursts import walk

    for text in texts:
        if text == "-":
            yield from files(line.rstrip("\n") for line in sys.stdin if line.strip())
        elif Path(text).is_dir():
            for _, own in walk(Path(text), complain):
                yield from own
        else:
            yield Path(text)


def named(learner: Any, paths: Iterator[Path]) -> Iterator[dict[str, Any]]:
    """A row a picture, some at a time."""
    from itertools import islice

    from ilap.errors import BadPicture, MissingFile
    from ilap.identify import identify
    from ilap.sources.read import read
    from ilap.store.view import path_of

    some = False
    while batch := list(islice(paths, BATCH)):
        loaded = []
        for path in batch:
            try:
                picture, _ = read(path)
            except BadPicture as error:
                complain(str(error))
                continue
            if picture is not None:
                loaded.append((path, picture))
        if not loaded:
            continue
        some = True
        answers = identify(learner, [picture for _, picture in loaded])
        for (path, _), answer in zip(loaded, answers, strict=True):
            none = answer.class_id is None
            yield {
                "picture": str(path.absolute()),
                "class_id": answer.class_id,
                "class_name": "none of these" if none else learner.name_of(answer.class_id),
                "probability": answer.probability,
                "typical": answer.typical,
                "nearest": [path_of(learner.file.connection, *place) for place in answer.nearest],
                "likeliest": learner.name_of(answer.likeliest),
            }
    if not some:
        raise MissingFile("There is no picture to name: give files, folders, or - for names on standard input.")
