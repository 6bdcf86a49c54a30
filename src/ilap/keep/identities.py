"""Classes and tentative groups as a list, and one of them with all that it holds."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ilap.core.errors import MissingFile
from ilap.exact.review import Health, health
from ilap.keep.learner import LearnerInFile
from ilap.keep.listing import ListedExposure, Wanted, list_exposures
from ilap.keep.store import view
from ilap.keep.store.exposures import THUMBNAILS

Order = Literal["id", "size", "name"]
COVER = 4  # pictures that stand for a class in a list


@dataclass(frozen=True)
class IdentityRow:
    """A class, or a tentative group, in a list. ``picture_ids`` are some of its pictures."""

    class_id: int
    name: str
    tentative: bool
    exposures: int
    pictures: int
    first: tuple[int, ...]
    picture_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Identity:
    """A class or a tentative group. Of a class there is its health (exact/review.py). ``likely`` are exposures
    that are unsure and most likely belong to it."""

    class_id: int
    name: str
    tentative: bool
    pictures: int
    exposures: tuple[ListedExposure, ...]
    likely: tuple[ListedExposure, ...]
    health: Health | None
    look_alike: str | None


@dataclass(frozen=True)
class PictureView:
    """A picture of an exposure. ``included`` pictures are learned from."""

    picture_id: int
    place: int
    file: str | None
    taken: str | None
    included: bool


@dataclass(frozen=True)
class ExposurePictures:
    """An exposure with all of its pictures; ``typical`` are those that stand for it."""

    exposure: int
    name: str
    pictures: tuple[PictureView, ...]
    typical: tuple[int, ...]


def identities(learner: LearnerInFile, order: Order = "id") -> list[IdentityRow]:
    """All of them, without pictures."""
    places = {**learner.state.members, **learner.groups}
    rows = [
        IdentityRow(
            place,
            learner.name_of(place),
            place not in learner.state.members,
            len(numbers),
            sum(map(learner.size_of, numbers)),
            tuple(numbers[:COVER]),
        )
        for place, numbers in places.items()
    ]
    return sorted(rows, key=lambda row: key_of(row, order))


def key_of(row: IdentityRow, order: Order) -> tuple[str | int, int]:
    """By what a row is found in a list."""
    first: dict[Order, str | int]
    first = {"id": row.class_id, "size": -row.exposures, "name": row.name.casefold()}
    return first[order], row.class_id


def with_pictures(connection: sqlite3.Connection, rows: Iterable[IdentityRow]) -> list[IdentityRow]:
    """The same with pictures, which are looked up one by one."""
    return [
        replace(row, picture_ids=cover([view.typical(connection, number, COVER) for number in row.first]))
        for row in rows
    ]


def cover(found: list[list[tuple[int, str | None]]]) -> tuple[int, ...]:
    """Some pictures of several exposures: the first of each, then the second, and so on.

    >>> cover([[(1, None), (2, None), (3, None)], [(7, None)]])
    (1, 7, 2, 3)
    """
    turns = ((turn, place) for turn in range(COVER) for place in range(len(found)) if turn < len(found[place]))
    return tuple(found[place][turn][0] for turn, place in turns)[:COVER]


def identity(learner: LearnerInFile, class_id: int) -> Identity:
    """One of them, all of one moment."""
    with learner.snapshot():
        known = class_id in learner.state.members
        if not known and class_id not in learner.groups:
            raise MissingFile(f"There is no class {class_id}: /api/v1/classes lists those there are.")
        rows = list_exposures(learner, Wanted(of_class=str(class_id)))
        own = [row for row in rows if not known or row.certainty == "sure"]
        states = health(learner.exact, learner.state.memory, (class_id,)) if known else []
        like = states[0].look_alike if states else None
        return Identity(
            class_id,
            learner.name_of(class_id),
            not known,
            sum(row.pictures for row in own),
            tuple(own),
            tuple(row for row in rows if row not in own),
            states[0] if states else None,
            None if like is None else learner.name_of(like),
        )


def pictures_of(connection: sqlite3.Connection, exposure: int) -> ExposurePictures:
    """An exposure with its pictures."""
    names = view.names(connection)
    if exposure not in names:
        raise MissingFile(f"There is no exposure {exposure}: /api/v1/exposures lists those there are.")
    return ExposurePictures(
        exposure,
        names[exposure],
        tuple(
            PictureView(picture, place, path and os.path.basename(path), taken, included)
            for picture, place, path, taken, included in view.pictures_of(connection, exposure)
        ),
        tuple(picture for picture, _ in view.typical(connection, exposure, THUMBNAILS)),
    )
