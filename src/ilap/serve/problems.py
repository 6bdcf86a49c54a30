"""What went wrong, as an answer: application/problem+json (RFC 9457), with a sentence that says what to do."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ilap.core.errors import (
    BadCorrection,
    BadPicture,
    BadSetting,
    IlapError,
    LearnerInUse,
    MissingFile,
    NothingLearned,
)
from ilap.core.names import readable

log = logging.getLogger("ilap.serve")

STATUS: dict[type[IlapError], int] = {
    BadCorrection: 409,
    NothingLearned: 409,
    BadPicture: 422,
    BadSetting: 422,
    MissingFile: 404,
    LearnerInUse: 503,
}
"""What an error is in HTTP; any other is 500."""

SENTENCES = {
    404: "There is nothing at this address: /api/v1/openapi.json lists what there is.",
    405: "This cannot be done at this address: /api/v1/openapi.json lists what can.",
}


class Problem(Exception):
    """A request that cannot be answered."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def problem(status: int, sentence: str) -> Response:
    """An answer that says so."""
    content = {"title": HTTPStatus(status).phrase, "status": status, "detail": readable(sentence)}
    answer = JSONResponse(content, status, media_type="application/problem+json")
    if status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def status_of(error: IlapError) -> int:
    """Of one of ours."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def told(error: RequestValidationError) -> str:
    """What does not fit in a request, as a sentence."""
    first = error.errors()[0]
    kind, *way = map(str, first["loc"])
    where = " ".join(part for part in way if kind != "body" or part.isidentifier() or part.isdecimal())
    return f"{where or 'The request'}: {first['msg']}. /api/v1/openapi.json says what is taken."


def allowed(described: Mapping[str, Iterable[str]], path: str) -> list[str]:
    """What can be done at an address, by all routes that lead there.

    >>> allowed({"/classes/{class_id}": ["patch", "get"], "/classes": ["get"]}, "/classes/7")
    ['GET', 'PATCH']
    """
    fit = (own for way, own in described.items() if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", way), path))
    return sorted({method.upper() for methods in fit for method in methods})


def handle(app: FastAPI) -> None:
    """Let an application answer so."""

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, IlapError)
        return problem(status_of(error), str(error))

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return problem(error.status, str(error))

    async def unfit(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem(422, told(error))

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        sentence = SENTENCES.get(error.status_code, f"{error.detail}.")
        answer = problem(error.status_code, sentence)
        answer.headers.update(error.headers or {})
        if methods := allowed(request.app.openapi()["paths"], request.url.path):
            answer.headers["Allow"] = ", ".join(methods)
        return answer

    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return problem(
            500, "This is a defect of ilap; nothing was written. The terminal of ilap serve has more."
        )

    app.add_exception_handler(IlapError, ours)
    app.add_exception_handler(Problem, refused)
    app.add_exception_handler(RequestValidationError, unfit)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(Exception, unforeseen)
