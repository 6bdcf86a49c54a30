"""What was seen: exposures, their pictures and features, as rows of the file."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ilap.classify.burst import Bond
from ilap.classify.look import Traits
from ilap.exposure import Exposure, Picture, Samples, validation_mask
from ilap.memory import rank
from ilap.store.events import NOWHERE

THUMBNAILS = 8  # of an exposure's most typical pictures
THUMBNAIL = 128
MANY = 500  # rows that one question asks for

Places = Sequence[tuple[int, int]]
"""Pictures, each as (exposure, place in it)."""


def add_exposure(
    connection: sqlite3.Connection, exposure: Exposure, samples: Samples, continues: int | None = None
) -> None:
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
            continues,
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
    connection.executemany(f"INSERT INTO pictures VALUES ({', '.join('?' * 11)})", pictures)
    connection.executemany(
        "INSERT INTO features VALUES (?, ?)", [(first + i, row.tobytes()) for i, row in enumerate(rows)]
    )
    typical = rank(rows)[:THUMBNAILS]
    connection.executemany(
        "INSERT INTO thumbnails VALUES (?, ?)",
        [(first + int(i), thumbnail(exposure.pictures[int(i)])) for i in typical],
    )


def thumbnail(picture: Picture) -> bytes:
    """A small copy, as JPEG."""
    image = Image.fromarray(picture[..., 0] if picture.ndim == 3 and picture.shape[2] == 1 else picture)
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    image.thumbnail((THUMBNAIL, THUMBNAIL))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


def array(row: bytes, dtype: str) -> NDArray[Any]:
    """A feature as it was written."""
    return np.frombuffer(row, np.dtype(dtype))


def samples(connection: sqlite3.Connection, number: int, dtype: str, everything: bool = False) -> Samples:
    """An exposure as the classifier sees it, without the pictures that were left out."""
    ordered, size = connection.execute(
        "SELECT ordered, size FROM exposures WHERE number = ?", (number,)
    ).fetchone()
    found = connection.execute(
        "SELECT place, row FROM pictures JOIN features ON picture = id"
        " WHERE exposure = ? AND (included OR ?) ORDER BY place",
        (number, everything),
    ).fetchall()
    places = np.array([place for place, _ in found], np.intp)
    rows = np.stack([array(row, dtype) for _, row in found])
    return Samples(number, rows, validation_mask(size)[places], (), bool(ordered), places)


def features(connection: sqlite3.Connection, places: Places, dtype: str) -> dict[tuple[int, int], NDArray[Any]]:
    """The features of some pictures."""
    wanted = set(places)
    found = {}
    for exposures in chunks(sorted({exposure for exposure, _ in places})):
        question = (
            "SELECT exposure, place, row FROM pictures JOIN features ON picture = id"
            f" WHERE exposure IN ({', '.join('?' * len(exposures))})"
        )
        for exposure, place, row in connection.execute(question, exposures):
            if (exposure, place) in wanted:
                found[exposure, place] = array(row, dtype)
    return found


def chunks(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    """As many at a time as a question takes.

    >>> [len(part) for part in chunks(range(1100))]
    [500, 500, 100]
    """
    return (numbers[i : i + MANY] for i in range(0, len(numbers), MANY))


def traits_text(traits: Traits) -> str:
    """What an exposure told of its stream, as JSON."""
    bond = traits.bond and [traits.bond.ordered, traits.bond.value, traits.bond.weight]
    return json.dumps([traits.log_tr, traits.log_ratio, bond, dict(traits.nearest)])


def traits_of(text: str) -> Traits:
    """The same, read.

    >>> traits_of(traits_text(Traits(1.5, None, Bond(True, 0.5, 3.0), {4: 0.25})))
    Traits(log_tr=1.5, log_ratio=None, bond=Bond(ordered=True, value=0.5, weight=3.0), nearest={4: 0.25})
    """
    log_tr, log_ratio, bond, nearest = json.loads(text)
    near: Mapping[int, float] = {int(number): value for number, value in nearest.items()}
    return Traits(log_tr, log_ratio, Bond(*bond) if bond else None, near)
