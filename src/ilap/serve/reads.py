"""Routes that tell."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from fastapi import APIRouter

from ilap.core.version import __version__
from ilap.keep import summary
from ilap.serve.bodies import REFUSED, Served, Told

router = APIRouter(responses=REFUSED)


@dataclass(frozen=True)
class ServedStatus(summary.Status):
    """The same, and what the server is."""

    version: str
    read_only: bool


@router.get("/status", response_model=ServedStatus)
async def status(served: Served) -> Told:
    """The learner in short, and the number of the last event."""
    found = await served.read(summary.status)
    return Told(ServedStatus(**asdict(found), version=__version__, read_only=served.read_only))
