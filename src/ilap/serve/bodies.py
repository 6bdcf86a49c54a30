"""What requests and answers hold.

Answers are the dataclasses of keep/, which the command line prints as JSON too. Text in them is readable
(core/names.py), whatever a file is called.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, is_dataclass
from typing import Annotated, Any, Literal

from fastapi import Depends, Path, Query, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.responses import JSONResponse

from ilap.core.names import all_readable
from ilap.serve.service import Service
from ilap.sources.bursts import Cutting, seconds

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
MISSING: dict[int | str, dict[str, Any]] = {404: {**PROBLEM, "description": "What is named is not there."}}
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {**PROBLEM, "description": "What is named is not there, or cannot be changed so."}
}


class Body(BaseModel):
    """What a request holds: nothing else, and of just these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def whole(number: Any) -> Any:
    """An integer that is written as 12.0, which JSON does not tell from 12.

    >>> whole(12.0), whole(12.5), whole("12")
    (12, 12.5, '12')
    """
    return int(number) if isinstance(number, float) and number.is_integer() else number


WHOLE = BeforeValidator(whole)
Number = Annotated[int, Field(ge=0, le=LARGEST), WHOLE]
Numbers = Annotated[list[Number], Field(min_length=1, max_length=1000)]
Name = Annotated[str, Field(min_length=1, max_length=500, examples=["the old fox"])]


class Answer(Body):
    """The answer to a question of GET questions: 1 to 5, new, same, different or cannot; of a batch or a split
    all, or all but some of those shown, as not 40,7."""

    question: Annotated[str, Field(max_length=1100, examples=["12:40,7"])]
    key: Annotated[str, Field(max_length=1100, examples=["1"])]


class Verdict(Body):
    """Whether a decision of an audit is right. Of a wrong one ``belongs`` is the class where it belongs, new
    for one of its own; nothing where nobody knows yet."""

    exposure: Number
    verdict: Literal["right", "wrong", "cannot"]
    belongs: Number | Literal["new"] | None = None

    @property
    def word(self) -> str:
        """As the command line takes it."""
        return f"{self.exposure}={self.verdict}" + ("" if self.belongs is None else f":{self.belongs}")


class AuditAsked(Body):
    """Draw ``number`` decisions, or go on with those that were drawn; or ``answers`` about them."""

    number: Annotated[int, Field(ge=1, le=1000), WHOLE] = 20
    seed: Number = 0
    answers: Annotated[list[Verdict], Field(max_length=1000)] = []


class Undo(Body):
    """An event to undo, the last correction by default; ``with_later`` undoes also what depends on it."""

    event: Number | None = None
    with_later: bool = False


class Redo(Body):
    """Nothing is said: what the last undo took back is carried out again."""


class Merge(Body):
    """Two classes that are one; the first keeps its id and name."""

    into: Annotated[Number, Field(examples=[3])]
    other: Annotated[Number, Field(examples=[7])]


class Split(Body):
    """Exposures of one class that are a class of their own."""

    exposures: Annotated[Numbers, Field(examples=[[12, 40]])]
    name: Name | None = None


class Move(Body):
    """An exposure, or several, and the class that they belong to, new for one of their own."""

    exposure: Annotated[Number | Numbers, Field(examples=[12, [12, 40]])]
    to: Annotated[Number | Literal["new"], Field(examples=[3, "new"])]

    @property
    def numbers(self) -> list[int]:
        """The exposures."""
        return [self.exposure] if isinstance(self.exposure, int) else self.exposure


class Discard(Body):
    """Exposures that are of no use."""

    exposures: Annotated[Numbers, Field(examples=[[12]])]


class Confirm(Body):
    """A tentative group that is a class."""

    class_id: Annotated[Number, Field(examples=[9])]


class Rename(Body):
    """A name."""

    name: Name


SPAN = r"^[0-9]{1,6}(\.[0-9]{1,3})?(s|m|min|h|d)?$"


class Learn(Body):
    """A folder to learn from, by its whole path. Every folder in it is a burst, or pictures are cut at gaps in
    time, as 60s, 5m, 2h; a video has so many frames a second. With ``watch`` new bursts are taken in as they
    come."""

    folder: Annotated[str, Field(min_length=1, max_length=4096, examples=["/home/me/pictures/june"])]
    by_time: Annotated[str, Field(pattern=SPAN, examples=["60s"])] | None = None
    fps: Annotated[float, Field(ge=1e-3, le=1000)] = 1.0
    watch: bool = False

    @property
    def how(self) -> Cutting:
        """How the folder is cut into bursts."""
        return Cutting(None if self.by_time is None else seconds(self.by_time), None, self.fps)
