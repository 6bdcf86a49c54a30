"""The file as tables for people and exports: a row a picture, a row an exposure, a row a class."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ilap.core.crop import Box, parted
from ilap.keep.store import state
from ilap.learner.log import ILAP, PLACES
from ilap.learner.naming import class_name

SURE = ("new", "known")  # kinds of answers; where an undo brought a class back, the last one may be another


@dataclass(frozen=True)
class ExposureRow:
    """An exposure and where it is. ``decision`` has the scores (learner/store.py); ``class_id`` is None where
    it is in no class, and ``state`` then says why: unsure, discarded or undone; else it is learned. ``place``
    is where it most likely belongs, sure or not: ``class_id``, or a class or tentative group."""

    number: int
    name: str
    folder: str | None
    pictures: int
    continues: int | None
    class_id: int | None
    class_name: str | None
    state: str
    decided_by: str
    decision: Mapping[str, Any]
    time: str
    first: bool  # of its class
    place: int | None = None
    place_name: str | None = None

    @property
    def certainty(self) -> Literal["sure", "tentative"] | None:
        """Whether its place is sure or tentative; None where it has none."""
        if self.place is None:
            return None
        return "tentative" if self.class_id is None else "sure"

    @property
    def kind(self) -> str:
        """new, known, unsure, discarded or undone. Where a person decided, the first of a class is new."""
        if self.class_id is None:
            return self.state
        told = self.decision.get("kind")
        return str(told) if self.decided_by == ILAP and told in SURE else ("new" if self.first else "known")

    @property
    def score(self) -> float | None:
        """The larger, the more novel it looked."""
        return self.decision.get("score")

    @property
    def error(self) -> float | None:
        """How likely the answer is wrong that ilap gave when it was last asked; None where a person decided, or
        where that answer was about another class than the one that the exposure is in now."""
        error = self.decision.get("error")
        if self.place is None or self.decided_by != ILAP or self.decision.get("class") != self.class_id:
            return None
        return min(max(float(error), 0.0), 1.0) if error is not None and math.isfinite(error) else None


@dataclass(frozen=True)
class PictureRow:
    """A picture, in its exposure. ``included`` pictures are learned from; the others are strangers there.
    ``box`` is the part of it that was looked at, where that is not all; ``path`` is without it."""

    exposure: ExposureRow
    place: int
    path: str | None
    sha256: str
    taken: str | None
    width: int
    height: int
    included: bool
    box: Box | None = None


def among(column: str, numbers: Collection[int] | None) -> tuple[str, tuple[str, ...]]:
    """A condition in SQL for rows of some exposures, or of all, with what it is given."""
    if numbers is None:
        return "TRUE", ()
    return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps(list(numbers)),)


def exposures(connection: sqlite3.Connection, numbers: Collection[int] | None = None) -> list[ExposureRow]:
    """All exposures, or some, in the order in which they came."""
    names = state.names(connection)
    times, (some, given) = decided_at(connection, "min", numbers), among("number", numbers)
    first = dict(connection.execute("SELECT place, min(number) FROM exposures GROUP BY place"))

    def likeliest(place: int, tentative: int | None) -> tuple[int | None, str | None]:
        found = place if place >= 0 else tentative
        return found, None if found is None else class_name(found, names, found not in first)

    return [
        ExposureRow(
            number,
            name,
            folder,
            size,
            continues,
            place if place >= 0 else None,
            class_name(place, names) if place >= 0 else None,
            PLACES.get(place, "learned"),
            by,
            json.loads(decision),
            times[number],
            number == first[place],
            *likeliest(place, tentative),
        )
        for number, name, folder, size, continues, place, by, decision, tentative in connection.execute(
            "SELECT number, name, folder, size, continues, place, decided_by, decision, tentative"
            f" FROM exposures WHERE {some} ORDER BY number",
            given,
        )
    ]


def pictures(connection: sqlite3.Connection) -> list[PictureRow]:
    """All pictures, exposure by exposure."""
    by_number = {row.number: row for row in exposures(connection)}
    asked = (
        "SELECT exposure, place, path, sha256, taken, width, height, included FROM pictures"
        " ORDER BY exposure, place"
    )
    found = []
    for exposure, place, path, sha256, taken, width, height, included in connection.execute(asked):
        file, box = parted(path) if path else (None, None)
        own = (place, file, sha256, taken, width, height, bool(included), box)
        found.append(PictureRow(by_number[exposure], *own))
    return found


def folders(connection: sqlite3.Connection, numbers: Collection[int] | None = None) -> dict[int, str]:
    """The folder of every exposure's first picture, or of some exposures', where that is a file."""
    some, given = among("exposure", numbers)
    asked = f"SELECT exposure, path FROM pictures WHERE place = 0 AND path IS NOT NULL AND {some}"
    return {number: os.path.dirname(parted(path)[0]) for number, path in connection.execute(asked, given)}


def origins(connection: sqlite3.Connection) -> list[tuple[int, str | None, str]]:
    """Of every picture its exposure, its file where it is one, and its content."""
    return connection.execute("SELECT exposure, path, sha256 FROM pictures ORDER BY exposure, place").fetchall()


def names(connection: sqlite3.Connection) -> dict[int, str]:
    """What every exposure is called: its folder, mostly."""
    return dict(connection.execute("SELECT number, name FROM exposures"))


def seen(connection: sqlite3.Connection, numbers: Collection[int] | None = None) -> dict[int, str]:
    """When exposures were last seen: when its last picture was taken, or, where nobody knows, learned."""
    some, given = among("exposure", numbers)
    taken = f"SELECT exposure, max(taken) FROM pictures WHERE taken IS NOT NULL AND {some} GROUP BY exposure"
    return decided_at(connection, "min", numbers) | dict(connection.execute(taken, given))


def errors(connection: sqlite3.Connection, numbers: Collection[int] | None = None) -> dict[int, float]:
    """How likely the answers are wrong by which ilap put exposures into the classes that they are in."""
    some, given = among("number", numbers)
    asked = (
        "SELECT number, json_extract(decision, '$.error') FROM exposures"
        f" WHERE place >= 0 AND decided_by = ? AND json_extract(decision, '$.class') = place AND {some}"
    )
    rows = connection.execute(asked, (ILAP, *given))
    return {number: error for number, error in rows if error is not None}


def thumbnails(connection: sqlite3.Connection, exposure: int) -> dict[int, bytes]:
    """Small copies of an exposure's most typical pictures, as JPEG, by their places."""
    return dict(
        connection.execute(
            "SELECT place, jpeg FROM pictures JOIN thumbnails ON picture = id"
            " WHERE exposure = ? ORDER BY place",
            (exposure,),
        )
    )


def typical(connection: sqlite3.Connection, exposure: int, most: int) -> list[tuple[int, str | None]]:
    """An exposure's most typical pictures, in their order: the id of each, and its file where it is one."""
    asked = (
        "SELECT id, path FROM pictures JOIN thumbnails ON picture = id"
        " WHERE exposure = ? AND included ORDER BY place LIMIT ?"
    )
    return connection.execute(asked, (exposure, most)).fetchall()


@dataclass(frozen=True)
class StoredPicture:
    """A picture by its id: its file where it is one, the name of its content, and a small copy where one is
    kept."""

    path: str | None
    sha256: str
    small: bytes | None


def picture(connection: sqlite3.Connection, id: int) -> StoredPicture | None:
    """The picture of this id, if there is one."""
    asked = "SELECT path, sha256, jpeg FROM pictures LEFT JOIN thumbnails ON picture = id WHERE id = ?"
    found = connection.execute(asked, (id,)).fetchone()
    return StoredPicture(*found) if found else None


def pictures_of(
    connection: sqlite3.Connection, exposure: int
) -> list[tuple[int, int, str | None, str | None, bool]]:
    """The pictures of an exposure: id, place, file where it is one, when it was taken, and whether it is
    learned from."""
    asked = "SELECT id, place, path, taken, included FROM pictures WHERE exposure = ? ORDER BY place"
    rows = connection.execute(asked, (exposure,))
    return [(id, place, path, taken, bool(included)) for id, place, path, taken, included in rows]


def contents_of(connection: sqlite3.Connection, exposure: int) -> list[tuple[int, str | None, str]]:
    """The pictures of an exposure that are learned from: place, file where it is one, and content."""
    asked = "SELECT place, path, sha256 FROM pictures WHERE exposure = ? AND included ORDER BY place"
    return connection.execute(asked, (exposure,)).fetchall()


def path_of(connection: sqlite3.Connection, exposure: int, place: int) -> str:
    """A picture's file, or where it has none its exposure and place."""
    asked = "SELECT path FROM pictures WHERE exposure = ? AND place = ?"
    found = connection.execute(asked, (exposure, place)).fetchone()
    return str(found[0]) if found and found[0] else f"exposure {exposure}, picture {place}"


def paths(connection: sqlite3.Connection) -> list[str]:
    """The files of all pictures that are files."""
    asked = "SELECT path FROM pictures WHERE path IS NOT NULL"
    return [parted(path)[0] for (path,) in connection.execute(asked)]


def crops(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Of pictures of which parts were learned, these parts (core/crop.py), by their files."""
    found: dict[str, list[str]] = {}
    for (path,) in connection.execute(
        "SELECT path FROM pictures WHERE path LIKE '%#xywh=percent:%' ORDER BY id"
    ):
        found.setdefault(parted(path)[0], []).append(path)
    return found


def modified_at(connection: sqlite3.Connection) -> dict[tuple[int, int], int]:
    """When pictures' files were last changed, in nanoseconds, by exposure and place."""
    asked = "SELECT exposure, place, modified FROM pictures WHERE modified IS NOT NULL"
    return {(exposure, place): time for exposure, place, time in connection.execute(asked)}


def decided_at(
    connection: sqlite3.Connection, which: Literal["min", "max"], numbers: Collection[int] | None = None
) -> dict[int, str]:
    """When exposures were first, or last, put somewhere."""
    some, given = among("exposure", numbers)
    asked = (
        f"SELECT exposure, {which}(time) FROM changes JOIN events ON event = id WHERE {some} GROUP BY exposure"
    )
    return dict(connection.execute(asked, given))
