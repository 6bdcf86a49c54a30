"""What a learner's file holds, as all exports but the graph need it. No backbone is loaded."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ilap.export.names import unique
from ilap.keep.store import view
from ilap.keep.store.file import LearnerFile
from ilap.keep.store.view import ExposureRow, PictureRow
from ilap.learner.log import DISCARDED, ILAP, NOWHERE, PLACES

GONE = (PLACES[DISCARDED], PLACES[NOWHERE])


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
    places = unique(
        sorted({row.place: row.place_name or "" for row in exposures if row.place is not None}.items())
    )
    return Content(
        Path(path).stem,
        tuple(pictures),
        tuple(exposures),
        {place: name for place, name in places.items() if place in known},
        places,
        unique((row.number, row.name) for row in exposures),
        modified,
        decided,
    )


def absolute(row: PictureRow) -> str | None:
    """Where a picture is; None where it never was a file."""
    return os.path.abspath(row.path) if row.path else None


def where(row: ExposureRow) -> str:
    """An exposure's folder, or its name where it has none."""
    return os.path.abspath(row.folder) if row.folder else row.name


def shown(row: PictureRow) -> int | None:
    """The class that a picture shows: its exposure's, unless it is a stranger there."""
    return row.exposure.class_id if row.included else None


def likely_shown(row: PictureRow) -> int | None:
    """The same or, where that is not sure, the tentative place of its exposure."""
    return row.exposure.place if row.included else None


def confidence(row: ExposureRow) -> float | None:
    """How likely an exposure is of its class, where ilap put it there and has said how sure it was."""
    error = row.decision.get("error")
    if row.decided_by != ILAP or row.decision.get("class") != row.class_id or error is None:
        return None
    return min(max(1.0 - error, 0.0), 1.0) if math.isfinite(error) else None
