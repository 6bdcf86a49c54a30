"""What requests and answers hold.

Answers are the dataclasses of keep/, which the command line prints as JSON too. Text in them is readable
(core/names.py), whatever a file is called.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, is_dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from starlette.responses import JSONResponse

from ilap.core.names import all_readable
from ilap.serve.service import Service

LARGEST = 2**53 - 1  # a number that every reader of JSON takes as it is


class Told(JSONResponse):
    """A dataclass, or plain data, as JSON."""

    def render(self, content: Any) -> bytes:
        """As bytes."""
        plain = asdict(content) if is_dataclass(content) and not isinstance(content, type) else content
        return super().render(all_readable(plain))


def service_of(request: Request) -> Service:
    """The learner that is served."""
    service: Service = request.app.state.service
    return service


Served = Annotated[Service, Depends(service_of)]

Id = Annotated[int, Path(ge=0, le=LARGEST)]
Limit = Annotated[int, Query(ge=1, le=500, description="How many rows.")]
Cursor = Annotated[str | None, Query(max_length=500, description="Where to go on: next of the page before.")]


@dataclass(frozen=True)
class Wrong:
    """What went wrong (RFC 9457). ``detail`` is a sentence that says what to do."""

    title: str
    status: int
    detail: str


PROBLEM = {"content": {"application/problem+json": {}}, "model": Wrong}
REFUSED: dict[int | str, dict[str, Any]] = {
    400: {**PROBLEM, "description": "The Host is no name of this server."},
    401: {**PROBLEM, "description": "There is no token and no cookie."},
    403: {**PROBLEM, "description": "The request comes from another page, or the server only reads."},
    422: {**PROBLEM, "description": "The request does not fit."},
}
"""What every route may answer besides."""
