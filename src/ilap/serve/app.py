"""The application: what is asked, answered by the functions that the command line calls too (keep/)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.security import HTTPBearer
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from ilap.core.version import __version__
from ilap.serve import live, pictures, reads, writes
from ilap.serve.access import HEALTH, LOOPBACK, Guard, Keys
from ilap.serve.bodies import REFUSED
from ilap.serve.problems import handle
from ilap.serve.service import Service

STATIC = Path(__file__).parent / "static"
PREFIX = "/api/v1"
TOKEN = HTTPBearer(auto_error=False, scheme_name="token")  # only described by it; access.py is who looks at it
ABOUT = (
    "Questions, answers, classes and pictures of one learner. Every request needs the header "
    "'Authorization: Bearer TOKEN', or the cookie of the page. Errors are application/problem+json."
)


@dataclass(frozen=True)
class Health:
    """The server answers."""

    status: str = "ok"


def create(service: Service) -> FastAPI:
    """The application, without the guard in front of it."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(
        title="ilap",
        version=__version__,
        description=ABOUT,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,  # those that come with FastAPI load scripts from elsewhere
        redoc_url=None,
        lifespan=life,
    )
    handle(app)
    app.state.service = service
    for part in (reads, pictures, live, writes):
        app.include_router(part.router, prefix=PREFIX, dependencies=[Depends(TOKEN)])

    @app.get(HEALTH, responses={400: REFUSED[400]})
    async def health() -> Health:
        """Whether the server answers. This needs no token."""
        return Health()

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    app.mount("/static", StaticFiles(directory=STATIC))
    return app


def guarded(service: Service, keys: Keys, names: Collection[str] = LOOPBACK, cookie: str = "ilap") -> Guard:
    """The application as it is served."""
    return Guard(create(service), keys, names, cookie)
