"""Classes and tentative groups as a list, and one of them with all that it holds."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Literal
from weakref import WeakKeyDictionary

from ilap.core.errors import MissingFile
from ilap.exact.review import Health, health
from ilap.keep.learner import LearnerInFile
from ilap.keep.listing import ListedExposure, Wanted, list_exposures
from ilap.keep.look_alikes import near, nearest
from ilap.keep.store import events, view
from ilap.keep.store.exposures import THUMBNAILS
from ilap.learner.naming import class_name

Order = Literal["id", "size", "name", "health", "last", "look-alike"]
COVER = 4  # pictures that stand for a class in a list
BEST = 12  # that show a class
FARTHEST = 1e300  # of what looks like nothing else
LIKE = 6  # classes that look like one


@dataclass(frozen=True)
class IdentityRow:
    """A class, or a tentative group, in a list. ``picture_ids`` are some of its pictures. ``health`` is how
    likely the weakest of ilap's decisions about its exposures is right, None of a tentative group; ``last`` is
    when it was last seen; ``look_alike`` is the nearest other one, at a ``distance``, where the list is ordered
    by that."""

    class_id: int
    name: str
    tentative: bool
    exposures: int
    pictures: int
    first: tuple[int, ...]
    picture_ids: tuple[int, ...] = ()
    health: float | None = None
    last: str | None = None
    look_alike: int | None = None
    distance: float | None = None


@dataclass(frozen=True)
class IdentityExposure(ListedExposure):
    """An exposure of a class, with its most typical pictures, and when it was seen."""

    picture_ids: tuple[int, ...] = ()
    seen: str | None = None


@dataclass(frozen=True)
class Identity:
    """A class or a tentative group. Of a class there is its health (exact/review.py). ``exposures`` are in the
    order in which they were seen, ``likely`` those that are unsure and most likely belong to it; ``best`` are
    pictures of its surest exposures, ``look_alikes`` the places nearest to it."""

    class_id: int
    name: str
    tentative: bool
    pictures: int
    exposures: tuple[IdentityExposure, ...]
    likely: tuple[IdentityExposure, ...]
    health: Health | None
    look_alike: str | None
    best: tuple[int, ...] = ()
    look_alikes: tuple[IdentityRow, ...] = ()


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


LAST: WeakKeyDictionary[LearnerInFile, tuple[tuple[int, Order], list[IdentityRow]]] = WeakKeyDictionary()


def identities(learner: LearnerInFile, order: Order = "id") -> list[IdentityRow]:
    """All of them, without pictures. The last list is kept, for those who read it page by page."""
    asked = events.last(learner.file.connection), order
    if learner not in LAST or LAST[learner][0] != asked:
        LAST[learner] = asked, listed(learner, order)
    return LAST[learner][1]


def listed(learner: LearnerInFile, order: Order) -> list[IdentityRow]:
    """The same, made anew."""
    places = {**learner.state.members, **learner.groups}
    like = nearest(learner.exact.model, places) if order == "look-alike" else {}
    return sorted(rows_of(learner, places, None, like), key=lambda own: key_of(own, order))


def rows_of(
    learner: LearnerInFile,
    places: Mapping[int, tuple[int, ...]],
    exposures: Sequence[int] | None,
    like: Mapping[int, tuple[int, float]],
) -> list[IdentityRow]:
    """Of some places, which have these exposures, or None where it is all of them; ``like`` are the nearest
    ones."""
    connection = learner.file.connection
    seen, errors = view.seen(connection, exposures), view.errors(connection, exposures)

    def row(place: int, numbers: tuple[int, ...]) -> IdentityRow:
        known = place in learner.state.members
        return IdentityRow(
            place,
            class_name(place, learner.names, not known),
            not known,
            len(numbers),
            sum(map(learner.size_of, numbers)),
            tuple(numbers[:COVER]),
            health=1 - max(errors.get(number, 0.0) for number in numbers) if known else None,
            last=max((seen[number] for number in numbers if number in seen), default=None),
            look_alike=like[place][0] if place in like else None,
            distance=like[place][1] if place in like else None,
        )

    return [row(*own) for own in places.items()]


def key_of(row: IdentityRow, order: Order) -> tuple[str | float, ...]:
    """By what a row is found in a list. The largest, the least sure, those last seen and those that look most
    alike, side by side, come first."""
    like = row.class_id if row.look_alike is None else row.look_alike
    keys: dict[Order, tuple[str | float, ...]] = {
        "id": (),
        "size": (-row.exposures,),
        "name": (row.name.casefold(),),
        "health": (-1.0 if row.health is None else row.health,),
        "last": (-seconds(row.last),),
        "look-alike": (FARTHEST if row.distance is None else row.distance, min(row.class_id, like)),
    }
    return *keys[order], row.class_id


def seconds(time: str | None) -> float:
    """A time as a number; 0 where there is none.

    >>> seconds("1970-01-02T00:00:00"), seconds(None)
    (86400.0, 0.0)
    """
    try:
        return datetime.fromisoformat(time or "").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def with_pictures(connection: sqlite3.Connection, rows: Iterable[IdentityRow]) -> list[IdentityRow]:
    """The same with pictures, which are looked up one by one."""
    return [
        replace(row, picture_ids=in_turns([typical(connection, number) for number in row.first], COVER))
        for row in rows
    ]


def in_turns(found: Sequence[Sequence[int]], most: int) -> tuple[int, ...]:
    """Some pictures of several exposures: the first of each, then the second, and so on.

    >>> in_turns([[1, 2, 3], [7]], 4)
    (1, 7, 2, 3)
    """
    turns = zip_longest(*found)
    return tuple(picture for turn in turns for picture in turn if picture is not None)[:most]


def identity(learner: LearnerInFile, class_id: int) -> Identity:
    """One of them, all of one moment."""
    with learner.snapshot() as connection:
        known = class_id in learner.state.members
        if not known and class_id not in learner.groups:
            raise MissingFile(f"There is no class {class_id}: /api/v1/classes lists those there are.")
        found = list_exposures(learner, Wanted(of_class=str(class_id)))
        seen = view.seen(connection, [row.exposure for row in found])
        rows = sorted(
            (
                IdentityExposure(
                    **vars(row), picture_ids=typical(connection, row.exposure), seen=seen.get(row.exposure)
                )
                for row in found
            ),
            key=lambda row: (row.seen or "", row.exposure),
        )
        own = [row for row in rows if not known or row.certainty == "sure"]
        states = health(learner.exact, learner.state.memory, (class_id,)) if known else []
        like = states[0].look_alike if states else None
        places = {**learner.state.members, **learner.groups}
        alike = {k: places[k] for k in near(learner.exact.model, places, class_id, LIKE)}
        beside = rows_of(learner, alike, [number for numbers in alike.values() for number in numbers], {})
        surest = sorted(own, key=lambda row: row.error or 0.0)
        return Identity(
            class_id,
            learner.name_of(class_id),
            not known,
            sum(row.pictures for row in own),
            tuple(own),
            tuple(row for row in rows if row not in own),
            states[0] if states else None,
            None if like is None else learner.name_of(like),
            in_turns([row.picture_ids for row in surest], BEST),
            tuple(with_pictures(connection, beside)),
        )


def typical(connection: sqlite3.Connection, exposure: int) -> tuple[int, ...]:
    """The pictures that stand for an exposure."""
    return tuple(picture for picture, _ in view.typical(connection, exposure, THUMBNAILS))


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
        typical(connection, exposure),
    )
