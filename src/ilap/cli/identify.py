"""The command that names single pictures."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ilap.cli.app import LearnerPath, app, complain, interruptible, print_json
from ilap.core.cells import as_text
from ilap.core.terminal import print_table, printable

if TYPE_CHECKING:  # slow to import, for its types
    from ilap.keep.identify import NamedPicture
    from ilap.keep.learner import LearnerInFile

BATCH = 64
COLUMNS = ("picture", "class_id", "class_name", "probability", "typical", "nearest", "certainty")


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
    """Name single pictures, or say that they are none.

    Of each the class or tentative group, how likely that is, and the nearest pictures of it.
    """
    from ilap.keep.learner import LearnerInFile

    with interruptible(), LearnerInFile(learner, writable=False) as ready:
        rows = named(ready, files(pictures))
        if as_json:
            for row in rows:
                print_json(asdict(row))
        elif as_csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(COLUMNS)
            for row in rows:
                nearest = "|".join(row.nearest)
                known = (row.picture, row.class_id, row.class_name, row.probability, row.typical, nearest)
                cells = map(as_text, (*known, certainty(row)))
                writer.writerow([printable(cell) if sys.stdout.isatty() else cell for cell in cells])
        else:
            print_table(
                ("class", "probability", "as typical as", "picture"),
                (
                    (
                        f"{row.class_name}{' (tentative)' if certainty(row) == 'tentative' else ''}",
                        f"({row.likeliest})" if row.class_id is None else f"{row.probability:.1%}",
                        f"{row.typical:.0%} of those learned",
                        row.picture,
                    )
                    for row in rows
                ),
            )


def certainty(row: NamedPicture) -> str:
    """Whether a picture is named as a class or as a tentative group; empty where it is none of these."""
    return "" if row.class_id is None else "tentative" if row.tentative else "sure"


def files(words: Iterable[str]) -> Iterator[Path]:
    """The pictures that are meant: of videos their frames, one a second."""
    from ilap.core.errors import BadPicture
    from ilap.core.frames import VIDEO
    from ilap.sources.bursts import FPS
    from ilap.sources.tree import Found, walk
    from ilap.sources.video import frames

    def frames_of(video: Path) -> Iterator[Path]:
        try:
            yield from frames(video, FPS)
        except BadPicture as error:
            complain(str(error))

    for word in words:
        if word == "-":
            lines = sys.stdin.buffer  # names are bytes, whatever the encoding of the stream is
            yield from files(os.fsdecode(line.rstrip(b"\r\n")) for line in lines if line.strip())
        elif Path(word).is_dir():
            found = Found()
            for _, own in walk(Path(word), complain, found):
                yield from own
            for video in found.videos:
                yield from frames_of(video)
        elif Path(word).suffix.lower() in VIDEO:
            yield from frames_of(Path(word))
        else:
            yield Path(word)


def named(learner: LearnerInFile, paths: Iterator[Path]) -> Iterator[NamedPicture]:
    """A row a picture, some at a time."""
    from itertools import islice

    from ilap.core.errors import BadPicture, MissingFile
    from ilap.keep.identify import named as name
    from ilap.sources.read import read

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
        if loaded:
            some = True
            yield from name(learner, loaded)
    if not some:
        raise MissingFile("There is no picture to name: give files, folders, or - for names on standard input.")
