"""Events as they happen: Server-Sent Events whose id is the number of the event in the log, so that whoever was
away goes on where it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query
from pydantic.json_schema import SkipJsonSchema
from starlette.responses import StreamingResponse

from ilap.core.names import all_readable
from ilap.keep.history import EventView, history
from ilap.serve.bodies import LARGEST, REFUSED, Number, Served
from ilap.serve.service import Service

router = APIRouter(responses=REFUSED)

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
    event's number, its data what GET history tells of it."""
    begin = last if last is not None else after
    return StreamingResponse(stream(served, begin), media_type="text/event-stream")


async def stream(served: Service, begin: int | None) -> AsyncIterator[str]:
    """The events after one, as they come."""
    seen = await served.last_event() if begin is None else begin
    yield f": from {seen}\n\n"
    silent = 0.0
    while not served.stopping:
        if await served.last_event() > seen:
            for event in await served.look(partial(history, after=seen)):
                seen, silent = event.event, 0.0
                yield as_text(event)
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
