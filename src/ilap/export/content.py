"""What a learner's file holds, as exports need it: rows, names that nothing else has and that a file can have,
and pictures as addresses. No backbone is loaded."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import quote

from ilap.core.frames import file_of
from ilap.core.names import readable
from ilap.keep.store import view
from ilap.keep.store.file import LearnerFile
from ilap.keep.store.view import ExposureRow, PictureRow
from ilap.learner.log import DISCARDED, NOWHERE, PLACES

GONE = (PLACES[DISCARDED], PLACES[NOWHERE])
LONGEST = 120  # bytes of a file's name; 255 are allowed, and a number may follow
FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Content:
    """All of it at one moment. ``class_names``, ``place_names`` (classes and tentative groups) and
    ``exposure_names`` are unique; ``modified`` are the times of
    change of pictures' files in nanoseconds, by exposure and place; ``decided`` is when each exposure was put
    where it is."""

    name: str
    pictures: tuple[PictureRow, ...]
    exposures: tuple[ExposureRow, ...]
    class_names: Mapping[int, str]
    place_names: Mapping[int, str]
    exposure_names: Mapping[int, str]
    modified: Mapping[tuple[int, int], int]
    decided: Mapping[int, str]

    def usable(self) -> list[PictureRow]:
        """Pictures that have a file, without those of exposures that a person discarded or undid. The tables
        list these too; everywhere else they would be taken for something."""
        return [row for row in self.pictures if row.path and row.exposure.state not in GONE]


def read(path: Path) -> Content:
    """Read a learner's file. It may be written to meanwhile."""
    file = LearnerFile(path, writable=False)
    try:
        with file.snapshot() as connection:
            pictures, exposures = view.pictures(connection), view.exposures(connection)
            modified = view.modified_at(connection)
            decided = view.decided_at(connection, "max")
    finally:
        file.close()
    known = {row.class_id for row in exposures if row.class_id is not None}
    named = {row.place: readable(row.place_name or "") for row in exposures if row.place is not None}
    places = unique(sorted(named.items()))
    return Content(
        readable(Path(path).stem),
        tuple(pictures),
        tuple(exposures),
        {place: name for place, name in places.items() if place in known},
        places,
        unique((row.number, readable(row.name)) for row in exposures),
        modified,
        decided,
    )


def absolute(row: PictureRow) -> str | None:
    """Where a picture is; None where it never was a file."""
    return os.path.abspath(row.path) if row.path else None


def text(name: str | None) -> str | None:
    """A name for formats that take nothing but text; None where there is none."""
    return None if name is None else readable(name)


def where(row: ExposureRow) -> str:
    """An exposure's folder, or its name where it has none."""
    return readable(os.path.abspath(row.folder)) if row.folder else readable(row.name)


def shown(row: PictureRow) -> int | None:
    """The class that a picture shows: its exposure's, unless it is a stranger there."""
    return row.exposure.class_id if row.included else None


def likely_shown(row: PictureRow) -> int | None:
    """The same or, where that is not sure, the tentative place of its exposure."""
    return row.exposure.place if row.included else None


def confidence(row: ExposureRow) -> float | None:
    """How likely an exposure is of its class, where ilap put it there and has said how sure it was."""
    return None if row.error is None or row.class_id is None else 1.0 - row.error


def numbered(name: str, key: int) -> str:
    """A name with a number after it."""
    return f"{name} ({key})"


def numbered_file(name: str, key: int) -> str:
    """The same, before the ending.

    >>> numbered_file("a.tar.jpg", 3)
    'a.tar (3).jpg'
    """
    stem, ending = os.path.splitext(name)
    return f"{stem} ({key}){ending}"


def unique(
    named: Iterable[tuple[int, str]],
    taken: Iterable[str] = (),
    distinguish: Callable[[str, int], str] = numbered,
) -> dict[int, str]:
    """To every key its name; where that is taken already, with the key. Names that some file systems do not
    tell apart (Fox and fox) count as one.

    >>> unique([(0, "fox"), (1, "hare"), (7, "Fox")])
    {0: 'fox', 1: 'hare', 7: 'Fox (7)'}
    """
    used = {folded(name) for name in taken}
    names = {}
    for key, wanted in named:
        name = wanted
        while folded(name) in used:
            name = distinguish(name, key)
        used.add(folded(name))
        names[key] = name
    return names


def folded(name: str) -> str:
    """A name as file systems compare it that know neither case nor ways to write an accent."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def safe(name: str) -> str:
    r"""A name as a file can have it, everywhere, in whatever script it is.

    >>> [safe(name) for name in ("Fuchs/2\n", "狐 #1", "..", "NUL", "")]
    ['Fuchs_2_', '狐 #1', '_', '_NUL', '_']
    """
    plain = FORBIDDEN.sub("_", unicodedata.normalize("NFC", name))
    plain = plain.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    plain = plain.lstrip(". ").rstrip(". ")
    return f"_{plain}" if not plain or DEVICES.fullmatch(plain) else plain


def address(path: str, prefix: str = "") -> str:
    r"""A picture's address: its file's, or where ``prefix`` serves pictures, its path after that. It holds no
    two dots in a row, which some take for a step out of a folder.

    >>> address("/a b/c..d\n.jpg")
    'file:///a%20b/c%2E%2Ed%0A.jpg'
    >>> address("/a b/c.jpg", "/data/local-files/?d=")
    '/data/local-files/?d=a%20b/c.jpg'
    >>> address("/a b/clip.mp4#t=2.0")
    'file:///a%20b/clip.mp4#t=2.0'
    """
    file = file_of(path)
    plain = PurePath(file).as_posix().lstrip("/")
    quoted = quote(plain, safe="/" if prefix else "/:", errors="surrogateescape")
    made = (prefix or "file:///") + quoted
    return made.replace("..", "%2E%2E") + path[len(file) :]
