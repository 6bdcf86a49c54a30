"""Pictures by their ids: only those that the learner knows, made small, and never by a path."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from ilap.core.errors import MissingFile
from ilap.core.frames import file_of
from ilap.core.page_parts import jpeg
from ilap.keep.store import view
from ilap.keep.store.view import StoredPicture
from ilap.serve.bodies import MISSING, REFUSED, Id, Served
from ilap.sources.read import read

router = APIRouter(responses={**REFUSED, **MISSING})

FULL = 1600  # pixels along the longer side of a picture in full view
SMALL = 128
FOREVER = "private, max-age=31536000, immutable"  # a picture's id and content never change
JPEG = {"content": {"image/jpeg": {}}, "description": "A JPEG, which never changes."}
GONE = (
    "The file of picture {} is gone, or is another picture now: put it back, or let ilap learn look at its "
    "folder again, which finds pictures that were moved."
)

Known = Annotated[str | None, Header(alias="If-None-Match", include_in_schema=False)]


@router.get("/pictures/{picture_id}/thumb", response_class=Response, responses={200: JPEG})
async def thumb(served: Served, picture_id: Id, known: Known = None) -> Response:
    """A small copy of a picture, of 128 pixels."""
    found = await stored(served, picture_id)
    if unchanged := same(found, SMALL, known):
        return unchanged
    return picture(found, SMALL, found.small or await decoded(served, picture_id, found, SMALL))


@router.get("/pictures/{picture_id}/full", response_class=Response, responses={200: JPEG})
async def full(served: Served, picture_id: Id, known: Known = None) -> Response:
    """A picture out of its file, of 1600 pixels at most along the longer side."""
    found = await stored(served, picture_id)
    return same(found, FULL, known) or picture(found, FULL, await decoded(served, picture_id, found, FULL))


async def stored(served: Served, picture_id: int) -> StoredPicture:
    """What the learner knows of a picture."""
    found = await served.look(lambda connection: view.picture(connection, picture_id))
    if found is None:
        raise MissingFile(f"There is no picture {picture_id}: questions and exposures name those there are.")
    return found


async def decoded(served: Served, picture_id: int, found: StoredPicture, side: int) -> bytes:
    """A picture out of its file, if that still is the one that was learned."""
    if found.path is None:
        raise MissingFile(f"Picture {picture_id} was no file: only a small copy is kept of it, if any.")
    path = Path(found.path)

    def copy() -> bytes | None:
        opened, origin = read(path, largest=side)
        return jpeg(opened, side) if opened is not None and origin.sha256 == found.sha256 else None

    async with served.decoding:
        made = await asyncio.to_thread(copy) if Path(file_of(found.path)).is_file() else None
    if made is None:
        raise MissingFile(GONE.format(picture_id))
    return made


def tag(found: StoredPicture, side: int) -> str:
    """Of a picture of this size."""
    return f'"{hashlib.sha256(f"{found.sha256} {side}".encode()).hexdigest()[:32]}"'


def same(found: StoredPicture, side: int, known: str | None) -> Response | None:
    """The answer to whoever has the picture."""
    own = tag(found, side)
    if known is None or own not in (word.strip().removeprefix("W/") for word in known.split(",")):
        return None
    return Response(status_code=304, headers={"ETag": own, "Cache-Control": FOREVER})


def picture(found: StoredPicture, side: int, content: bytes) -> Response:
    """The answer with a picture."""
    headers = {"ETag": tag(found, side), "Cache-Control": FOREVER}
    return Response(content, media_type="image/jpeg", headers=headers)
