"""Routes that change the learner: what a person says, and pictures that are to be named.

Each is one function of keep/ and one transaction of the file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from ilap.keep import answers, audit
from ilap.keep.answers import Corrected
from ilap.keep.audit import AuditView
from ilap.keep.identify import NamedPicture, named
from ilap.keep.learner import LearnerInFile
from ilap.serve.bodies import (
    CONFLICT,
    PROBLEM,
    REFUSED,
    Answer,
    AuditAsked,
    Confirm,
    Discard,
    Id,
    Merge,
    Move,
    Redo,
    Rename,
    Served,
    Split,
    Told,
    Undo,
)
from ilap.serve.service import Service
from ilap.sources.read import of_bytes

NOT_NOW: dict[int | str, dict[str, Any]] = {
    **CONFLICT,
    413: {**PROBLEM, "description": "Too much was sent."},
}
router = APIRouter(responses={**REFUSED, **NOT_NOW})

UPLOAD = "The uploaded picture"
PICTURE = {"requestBody": {"required": True, "content": {"image/*": {"schema": {"format": "binary"}}}}}


async def corrected(served: Service, do: Callable[[LearnerInFile], Corrected]) -> Told:
    """Carry out what a person said, and tell what it did."""
    return Told(await served.write(do))


@router.post("/answers", response_model=Corrected)
async def answer(served: Served, body: Answer) -> Told:
    """Answer a question. What is like it is looked at again."""
    return await corrected(served, lambda learner: answers.answer(learner, body.question, body.key))


@router.post("/audit", response_model=AuditView)
async def judge(served: Served, body: AuditAsked) -> Told:
    """Draw sure decisions to look at, or say which of them are right."""
    words = [verdict.word for verdict in body.answers]

    def judged(learner: LearnerInFile) -> AuditView:
        return audit.answer(learner, words) if words else audit.audit(learner, body.number, body.seed)

    return Told(await served.write(judged))


@router.post("/undo", response_model=Corrected)
async def undo(served: Served, body: Undo) -> Told:
    """Take back the last correction, or any event."""
    return await corrected(served, lambda learner: answers.undo(learner, body.event, body.with_later))


@router.post("/redo", response_model=Corrected)
async def redo(served: Served, body: Redo) -> Told:
    """Carry out again what the last undo took back."""
    return await corrected(served, answers.redo)


@router.post("/merge", response_model=Corrected)
async def merge(served: Served, body: Merge) -> Told:
    """Two classes are one."""
    return await corrected(served, lambda learner: answers.merge(learner, str(body.into), str(body.other)))


@router.post("/split", response_model=Corrected)
async def split(served: Served, body: Split) -> Told:
    """Exposures of one class are a class of their own."""
    words = list(map(str, body.exposures))
    return await corrected(served, lambda learner: answers.split(learner, words, body.name))


@router.post("/move", response_model=Corrected)
async def move(served: Served, body: Move) -> Told:
    """Exposures belong to a class, or to one of their own."""
    words = list(map(str, body.numbers))
    return await corrected(served, lambda learner: answers.move(learner, words, str(body.to)))


@router.post("/discard", response_model=Corrected)
async def discard(served: Served, body: Discard) -> Told:
    """Exposures are of no use."""
    words = list(map(str, body.exposures))
    return await corrected(served, lambda learner: answers.discard(learner, words))


@router.post("/confirm", response_model=Corrected)
async def confirm(served: Served, body: Confirm) -> Told:
    """A tentative group is a class."""
    return await corrected(served, lambda learner: answers.confirm(learner, str(body.class_id)))


@router.patch("/classes/{class_id}", response_model=Corrected)
async def rename(served: Served, class_id: Id, body: Rename) -> Told:
    """Give a class or a tentative group a name."""
    return await corrected(served, lambda learner: answers.rename(learner, str(class_id), body.name))


@router.post("/identify", response_model=NamedPicture, openapi_extra=PICTURE)
async def identify(served: Served, request: Request) -> Told:
    """Name a picture, which is sent as the body of the request. Nothing is learned from it."""
    data = await request.body()
    async with served.decoding:
        picture = await asyncio.to_thread(of_bytes, data, UPLOAD)
    (found,) = await served.read(lambda learner: named(learner, [(Path("upload"), picture)]))
    return Told({**vars(found), "picture": "upload"})
