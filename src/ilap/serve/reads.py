"""Routes that tell."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from ilap.core.version import __version__
from ilap.export import csv
from ilap.keep import audit, identities, listing, meter, summary
from ilap.keep.audit import AuditView
from ilap.keep.history import EventView, some_of, to_be_undone
from ilap.keep.identities import ExposurePictures, Identity, IdentityRow, Order
from ilap.keep.learner import LearnerInFile
from ilap.keep.listing import ListedExposure, Wanted
from ilap.keep.meter import Asked
from ilap.keep.store.events import numbers
from ilap.serve.bodies import CONFLICT, LARGEST, MISSING, REFUSED, Cursor, Id, Limit, Served, Told
from ilap.serve.paging import page

router = APIRouter(responses=REFUSED)


@dataclass(frozen=True)
class ServedStatus(summary.Status):
    """The same, and what the server is."""

    version: str
    read_only: bool


@dataclass(frozen=True)
class Identities:
    """Some classes and tentative groups; ``next`` is the cursor of the page after, None at the end."""

    items: tuple[IdentityRow, ...]
    next: str | None


@dataclass(frozen=True)
class Exposures:
    """Some exposures."""

    items: tuple[ListedExposure, ...]
    next: str | None


@dataclass(frozen=True)
class Undone:
    """Events that would be undone."""

    items: tuple[EventView, ...]


@dataclass(frozen=True)
class History:
    """Some events of the log."""

    items: tuple[EventView, ...]
    next: str | None


@router.get("/status", response_model=ServedStatus)
async def status(served: Served) -> Told:
    """The learner in short, and the number of the last event."""
    found = await served.read(summary.status)
    return Told(ServedStatus(**asdict(found), version=__version__, read_only=served.read_only))


@router.get("/questions", response_model=Asked)
async def questions(
    served: Served,
    count: Annotated[int, Query(ge=1, le=60, description="How many.")] = 10,
    bulk: Annotated[bool, Query(description="With exposures that are confirmed together.")] = False,
) -> Told:
    """The questions whose answers would help most, the best first."""
    return Told(await served.read(lambda learner: meter.ask(learner, count, bulk)))


@router.get("/classes", response_model=Identities, responses=MISSING)
async def classes(served: Served, order: Order = "id", cursor: Cursor = None, limit: Limit = 100) -> Told:
    """Classes and tentative groups, with some pictures of each."""

    def listed(learner: LearnerInFile) -> Identities:
        rows = identities.identities(learner, order)
        some, after = page(rows, lambda row: identities.key_of(row, order), cursor, limit)
        return Identities(tuple(identities.with_pictures(learner.file.connection, some)), after)

    return Told(await served.read(listed))


@router.get("/classes/{class_id}", response_model=Identity, responses=MISSING)
async def one_class(served: Served, class_id: Id) -> Told:
    """A class or a tentative group, with its exposures and how well it is known."""
    return Told(await served.read(lambda learner: identities.identity(learner, class_id)))


@router.get(
    "/classes/{class_id}/export",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "A table with a row a picture."}, **MISSING},
)
async def export_class(served: Served, class_id: Id) -> Response:
    """The pictures of a class or a tentative group as a table, as ilap export --to csv writes it of all."""
    headers = {"Content-Disposition": f"attachment; filename=class-{class_id}.csv"}
    table = await served.look(lambda connection: csv.of_place(connection, class_id))
    return Response(table, media_type="text/csv", headers=headers)


@router.get("/audit", response_model=AuditView)
async def last_audit(served: Served) -> Told:
    """The last audit as it stands, with the decisions that are still to be looked at."""
    return Told(await served.read(audit.current))


@router.get("/exposures", response_model=Exposures, responses={**MISSING, **CONFLICT})
async def exposures(
    served: Served,
    class_id: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
    unsure: bool = False,
    by: Literal["person", "ilap"] | None = None,
    below: Annotated[float | None, Query(ge=0, le=1)] = None,
    folder: Annotated[str | None, Query(max_length=4096)] = None,
    weakest: bool = False,
    cursor: Cursor = None,
    limit: Limit = 100,
) -> Told:
    """Exposures: where each is, and how sure. The parameters are the options of ilap list."""
    wanted = Wanted(None if class_id is None else str(class_id), unsure, by, below, folder, weakest)
    rows = await served.read(lambda learner: listing.list_exposures(learner, wanted))
    some, after = page(rows, listing.by_certainty if weakest else listing.by_number, cursor, limit)
    return Told(Exposures(tuple(some), after))


@router.get("/exposures/{exposure}", response_model=ExposurePictures, responses=MISSING)
async def one_exposure(served: Served, exposure: Id) -> Told:
    """An exposure with the ids of its pictures."""
    return Told(await served.look(lambda connection: identities.pictures_of(connection, exposure)))


@router.get("/history", response_model=History, responses=MISSING)
async def log(
    served: Served,
    after: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    newest: Annotated[bool, Query(description="The last event first.")] = False,
    cursor: Cursor = None,
    limit: Limit = 100,
) -> Told:
    """Who decided what, and when."""
    sign = -1 if newest else 1

    def told(connection: sqlite3.Connection) -> History:
        some, then = page(numbers(connection, after)[::sign], lambda own: (sign * own,), cursor, limit)
        return History(tuple(some_of(connection, some))[::sign], then)

    return Told(await served.look(told))


@router.get("/history/{event}/undo", response_model=Undone, responses={**MISSING, **CONFLICT})
async def dependants(served: Served, event: Id) -> Told:
    """What undo takes back with an event, since it depends on it, the latest first. Nothing is undone."""
    return Told(Undone(tuple(await served.look(lambda connection: to_be_undone(connection, event)))))
