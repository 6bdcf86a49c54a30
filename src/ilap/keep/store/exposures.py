"""What was seen: exposures, their pictures, features and thumbnails, as rows of the file."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.crop import parted
from ilap.core.errors import BadCorrection
from ilap.core.exemplars import rank
from ilap.core.exposure import Exposure, Origin, Samples, validation_mask
from ilap.core.frames import file_of
from ilap.core.names import readable
from ilap.core.page_parts import jpeg
from ilap.exact.statistics import Traits
from ilap.learner.log import NOWHERE

THUMBNAILS = 8  # of an exposure's most typical pictures
ABOUT_PICTURES = ("score", "strangers", "by")  # of a decision, which holds whatever the classes' ids are
AT_ONCE = 500  # exposures that one question asks for

Places = Sequence[tuple[int, int]]
"""Pictures, each as (exposure, place in it)."""


def add(connection: sqlite3.Connection, exposure: Exposure, samples: Samples) -> None:
    """An exposure that has come, with all of its pictures. Where it belongs is for an event to say."""
    rows = np.ascontiguousarray(samples.rows)
    connection.execute(
        "INSERT INTO exposures (number, name, folder, ordered, continues, size, checksum, place, since,"
        " decided_by, decision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', '{}')",
        (
            samples.number,
            exposure.name or f"exposure {samples.number}",
            exposure.folder,
            exposure.ordered,
            last_of_folder(connection, exposure.folder),
            len(rows),
            hashlib.sha256(rows.tobytes()).hexdigest(),
            NOWHERE,
        ),
    )
    first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM pictures").fetchone()[0]
    pictures = []
    for place, picture in enumerate(exposure.pictures):
        about: tuple[Any, ...] = (None, None, None, exposure.digests[place], None, *picture.shape[1::-1])
        if exposure.files:
            file = exposure.files[place]
            about = (file.path, file.bytes, file.modified, file.sha256, file.taken, file.width, file.height)
        pictures.append((first + place, samples.number, place, *about, 1))
    connection.executemany(f"INSERT INTO pictures VALUES ({', '.join('?' * 11)}, NULL)", pictures)
    connection.executemany(
        "INSERT INTO features (picture, row) VALUES (?, ?)",
        [(first + i, row.tobytes()) for i, row in enumerate(rows)],
    )
    typical = rank(rows)[:THUMBNAILS]
    connection.executemany(
        "INSERT INTO thumbnails (picture, jpeg) VALUES (?, ?)",
        [(first + int(i), jpeg(exposure.pictures[int(i)])) for i in typical],
    )


def adopt(connection: sqlite3.Connection, other: sqlite3.Connection, first: int) -> tuple[dict[int, int], int]:
    """Copy the exposures of another file, from number ``first`` on; they are nowhere yet. One whose pictures
    are all there already is not copied. Gives the numbers by their old ones, those of the same exposure here
    where there is one, and how many were not copied."""
    numbers: dict[int, int] = {}
    known = 0
    start = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM pictures").fetchone()[0]
    for theirs in [number for (number,) in other.execute("SELECT number FROM exposures ORDER BY number")]:
        ids = dict(
            other.execute("SELECT id, sha256 FROM pictures WHERE exposure = ? ORDER BY place", (theirs,))
        )
        homes = [holders(connection, digest, first) for digest in ids.values()]
        if all(homes):
            known += 1
            if shared := set.intersection(*homes):
                numbers[theirs] = min(shared)
            continue
        ours = first + len([own for own in numbers.values() if own >= first])
        numbers[theirs] = ours
        new_ids = {id: start + place for place, id in enumerate(ids)}
        start += len(ids)
        (row,) = rows(other, "SELECT * FROM exposures WHERE number = ?", theirs)
        row |= {"number": ours, "continues": numbers.get(row["continues"]), "place": NOWHERE, "since": 0}
        row |= {"decided_by": "", "count": None, "total": None, "tentative": None}
        kept = {key: value for key, value in json.loads(row["decision"]).items() if key in ABOUT_PICTURES}
        insert(connection, "exposures", row | {"decision": json.dumps(kept)})
        for row in rows(other, "SELECT * FROM pictures WHERE exposure = ? ORDER BY place", theirs):
            insert(connection, "pictures", row | {"id": new_ids[row["id"]], "exposure": ours})
        for table in ("features", "thumbnails"):
            asked = f"SELECT own.* FROM {table} AS own JOIN pictures ON picture = id WHERE exposure = ?"
            for row in rows(other, asked, theirs):
                insert(connection, table, row | {"picture": new_ids[row["picture"]]})
    return numbers, known


def holders(connection: sqlite3.Connection, digest: str, before: int) -> set[int]:
    """The exposures below a number that hold a picture of this content."""
    asked = "SELECT exposure FROM pictures WHERE sha256 = ? AND exposure < ?"
    return {number for (number,) in connection.execute(asked, (digest, before))}


def rows(connection: sqlite3.Connection, question: str, number: int) -> list[dict[str, Any]]:
    """Rows with the names of their columns."""
    found = connection.execute(question, (number,))
    columns = [column[0] for column in found.description]
    return [dict(zip(columns, row, strict=True)) for row in found]


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    """Write a row by the names of its columns."""
    connection.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
    )


def last_of_folder(connection: sqlite3.Connection, folder: str | None) -> int | None:
    """The earlier exposure of a folder, which has grown since."""
    if folder is None:
        return None
    found = connection.execute(
        "SELECT number FROM exposures WHERE folder = ? ORDER BY number DESC LIMIT 1", (folder,)
    ).fetchone()
    return found[0] if found else None


def place_of(connection: sqlite3.Connection, number: int) -> int:
    """Where an exposure is: the id of its class, or UNSURE, DISCARDED or NOWHERE (events.py)."""
    found = connection.execute("SELECT place FROM exposures WHERE number = ?", (number,)).fetchone()
    if not found:
        raise BadCorrection(f"There is no exposure {number}: ilap show lists those there are.")
    place: int = found[0]
    return place


def called(connection: sqlite3.Connection, word: str) -> list[int]:
    """The exposures of this name or folder."""
    asked = "SELECT number FROM exposures WHERE name = ? OR folder = ? ORDER BY number"
    here = str(Path(word).absolute())
    return [number for (number,) in connection.execute(asked, (readable(word), here))]


def name_of(connection: sqlite3.Connection, number: int) -> str:
    """What an exposure is called: its folder, mostly."""
    found = connection.execute("SELECT name FROM exposures WHERE number = ?", (number,)).fetchone()
    return str(found[0]) if found else f"exposure {number}"


def is_ordered(connection: sqlite3.Connection, number: int) -> bool:
    """Whether an exposure's pictures are in the order in which they were taken."""
    return bool(connection.execute("SELECT ordered FROM exposures WHERE number = ?", (number,)).fetchone()[0])


def has_folder(connection: sqlite3.Connection, number: int) -> bool:
    """Whether an exposure is all of a folder, as its owner has sorted it."""
    asked = "SELECT folder IS NOT NULL FROM exposures WHERE number = ?"
    return bool(connection.execute(asked, (number,)).fetchone()[0])


def known_files(connection: sqlite3.Connection) -> dict[str, tuple[int, int, str]]:
    """Of every picture that is a file its size, its time of change and its content, by its path; where a part
    of it was learned (core/crop.py), also by that of the whole."""
    asked = "SELECT path, bytes, modified, sha256 FROM pictures WHERE path IS NOT NULL"
    found = {path: (size, modified, digest) for path, size, modified, digest in connection.execute(asked)}
    return {parted(path)[0]: own for path, own in found.items()} | found


def folders(connection: sqlite3.Connection) -> set[Path]:
    """The folders in which bursts were: those above the folders that are exposures, and those of the pictures
    of other exposures."""
    own = connection.execute("SELECT DISTINCT folder FROM exposures WHERE folder IS NOT NULL").fetchall()
    asked = (
        "SELECT path FROM pictures JOIN exposures ON exposure = number"
        " WHERE folder IS NULL AND path IS NOT NULL"
    )
    return {Path(path).parent for (path,) in [*own, *connection.execute(asked)]}


def known_contents(connection: sqlite3.Connection) -> set[str]:
    """The contents of all pictures, and of those of which parts were learned."""
    found = {digest for (digest,) in connection.execute("SELECT sha256 FROM pictures")}
    return found | {parted(digest)[0] for digest in found}


def relocate(connection: sqlite3.Connection, found: Sequence[Origin], folder: Path | None) -> None:
    """Note where pictures are now that were moved or renamed: they are known by their content."""
    asked = "SELECT id, exposure, path FROM pictures WHERE sha256 = ? AND path IS NOT NULL"
    for origin in found:
        for number, exposure, path in connection.execute(asked, (origin.sha256,)).fetchall():
            if os.path.exists(file_of(path)):
                continue
            connection.execute(
                "UPDATE pictures SET path = ?, bytes = ?, modified = ? WHERE id = ?",
                (origin.path, origin.bytes, origin.modified, number),
            )
            if folder:
                connection.execute(
                    "UPDATE exposures SET folder = ? WHERE number = ? AND folder IS NOT NULL",
                    (str(folder), exposure),
                )


def array(row: bytes, dtype: str) -> NDArray[Any]:
    """A feature as it was written."""
    return np.frombuffer(row, np.dtype(dtype))


def arrays(rows: Sequence[bytes], dtype: str) -> NDArray[Any]:
    """Several of them, one or more."""
    return np.frombuffer(b"".join(rows), np.dtype(dtype)).reshape(len(rows), -1)


def samples(connection: sqlite3.Connection, number: int, dtype: str, whole: bool = False) -> Samples:
    """An exposure as the classifier sees it, without the pictures that were left out, or ``whole``."""
    ordered, size = connection.execute(
        "SELECT ordered, size FROM exposures WHERE number = ?", (number,)
    ).fetchone()
    found = connection.execute(
        "SELECT place, row FROM pictures JOIN features ON picture = id"
        " WHERE exposure = ? AND (included OR ?) ORDER BY place",
        (number, whole),
    ).fetchall()
    places = np.array([place for place, _ in found], np.intp)
    rows = arrays([row for _, row in found], dtype)
    return Samples(number, rows, validation_mask(size)[places], (), bool(ordered), places)


def features(connection: sqlite3.Connection, places: Places, dtype: str) -> dict[tuple[int, int], NDArray[Any]]:
    """The features of some pictures."""
    wanted = set(places)
    found = {}
    for numbers in chunks(sorted({exposure for exposure, _ in places})):
        question = (
            "SELECT exposure, place, row FROM pictures JOIN features ON picture = id"
            f" WHERE exposure IN ({', '.join('?' * len(numbers))})"
        )
        for exposure, place, row in connection.execute(question, numbers):
            if (exposure, place) in wanted:
                found[exposure, place] = array(row, dtype)
    return found


def included(connection: sqlite3.Connection) -> dict[int, list[int]]:
    """Of each exposure the places of the pictures that are learned from."""
    found: dict[int, list[int]] = {}
    asked = "SELECT exposure, place FROM pictures WHERE included ORDER BY exposure, place"
    for number, place in connection.execute(asked):
        found.setdefault(number, []).append(place)
    return found


def leave_out(connection: sqlite3.Connection, number: int, strangers: Sequence[int]) -> None:
    """Pictures that show something else are not learned from."""
    connection.executemany(
        "UPDATE pictures SET included = 0 WHERE exposure = ? AND place = ?",
        [(number, place) for place in strangers],
    )


def chunks(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    """As many at a time as a question takes.

    >>> [len(part) for part in chunks(range(1100))]
    [500, 500, 100]
    """
    return (numbers[i : i + AT_ONCE] for i in range(0, len(numbers), AT_ONCE))


def traits(connection: sqlite3.Connection, number: int) -> Traits | None:
    """What an exposure told of its stream."""
    found = connection.execute("SELECT traits FROM exposures WHERE number = ?", (number,)).fetchone()
    return traits_of(found[0]) if found and found[0] else None


def traits_text(own: Traits) -> str:
    """Traits as JSON."""
    return json.dumps({"log_tr": own.log_tr, "log_ratio": own.log_ratio, "succession": own.succession})


def traits_of(text: str) -> Traits:
    """The same, read.

    >>> traits_of(traits_text(Traits(1.5, None, 0.25)))
    Traits(log_tr=1.5, log_ratio=None, succession=0.25)
    """
    return Traits(**json.loads(text))
