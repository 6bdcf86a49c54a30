"""What happens while somebody listens: events of the log, as Server-Sent Events whose id is the number of the
event, so that whoever was away goes on where it was; and new bursts that are taken in meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from pydantic.json_schema import SkipJsonSchema
from starlette.responses import StreamingResponse

from ilap.core.names import all_readable
from ilap.keep.history import EventView, history
from ilap.serve.bodies import LARGEST, PROBLEM, REFUSED, Learn, Number, Served, Told
from ilap.serve.learning import Progress
from ilap.serve.service import Service

router = APIRouter(responses=REFUSED)

NO_FOLDER: dict[int | str, dict[str, Any]] = {
    403: {**PROBLEM, "description": "The folder may not be learned from, or the server only reads."},
    404: {**PROBLEM, "description": "There is no such folder."},
    409: {**PROBLEM, "description": "Too many folders wait."},
    413: {**PROBLEM, "description": "Too much was sent."},
}
PAUSE = 0.25  # seconds between two looks at the log
ALIVE = 15  # seconds after which a line is sent that says nothing


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "Events, for as long as you listen."}
    },
)
async def events(
    served: Served,
    last: Annotated[Number | SkipJsonSchema[None], Header(alias="Last-Event-ID")] = None,
    after: Annotated[int | None, Query(ge=0, le=LARGEST, description="Begin after this event.")] = None,
) -> StreamingResponse:
    """What happens from now on, or has happened after an event, as Server-Sent Events: the id of each is the
    event's number, its data what GET history tells of it. While new bursts are taken in, events of the kind
    progress tell how far that is; they have no id."""
    begin = last if last is not None else after
    return StreamingResponse(stream(served, begin), media_type="text/event-stream")


@dataclass(frozen=True)
class Learning(Progress):
    """The same, and the folders below which it may learn (``roots``)."""

    roots: tuple[str, ...] = ()


async def learning(served: Service, progress: Progress, status: int = 200) -> Told:
    """How far it is with new bursts."""
    return Told(Learning(**vars(progress), roots=tuple(map(str, await served.roots()))), status)


@router.get("/learn", response_model=Learning)
async def how_far(served: Served) -> Told:
    """How far the learner is with new bursts."""
    return await learning(served, served.learning.progress)


@router.post("/learn", status_code=202, response_model=Learning, responses=NO_FOLDER)
async def learn(served: Served, body: Learn) -> Told:
    """Take in the new bursts of a folder, beside all other requests. What was learned before is passed over."""
    return await learning(served, await served.learn(body.folder, body.how, body.watch), 202)


@router.delete("/learn", response_model=Learning)
async def stop(served: Served) -> Told:
    """Stop after the burst that is under way. What was learned is kept, and the same request goes on."""
    return await learning(served, served.learning.stop())


async def stream(served: Service, begin: int | None) -> AsyncIterator[str]:
    """The events after one, as they come."""
    seen = await served.last_event() if begin is None else begin
    yield f": from {seen}\n\n"
    silent, told = 0.0, None
    while not served.stopping:
        if await served.last_event() > seen:
            for event in await served.look(partial(history, after=seen)):
                seen, silent = event.event, 0.0
                yield as_text(event)
        progress = served.learning.progress
        if progress != told:
            told, silent = progress, 0.0
            yield f"event: progress\ndata: {json.dumps(all_readable(asdict(progress)))}\n\n"
        elif silent >= ALIVE:
            silent = 0.0
            yield ": alive\n\n"
        await asyncio.sleep(PAUSE)
        silent += PAUSE


def as_text(event: EventView) -> str:
    """An event as it is sent.

    >>> as_text(EventView(7, "2026-01-01", "person", "answer", "a", (), None, False)).splitlines()[:2]
    ['id: 7', 'event: change']
    """
    return f"id: {event.event}\nevent: change\ndata: {json.dumps(all_readable(asdict(event)))}\n\n"
