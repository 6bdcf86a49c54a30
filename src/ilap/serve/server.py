"""The process that listens: its socket, its address, and its end."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ilap.core.errors import BadOutput, BadSetting
from ilap.keep.learner import LearnerInFile
from ilap.serve.access import LOOPBACK, Keys
from ilap.serve.app import guarded
from ilap.serve.service import Service
from ilap.sources.bursts import Cutting

WAIT = 10  # seconds in which a connection has to say what it wants
AT_ONCE = 300  # connections that are answered
END = 3  # seconds that answers may still take when the server ends
BY_FOLDER = Cutting()
SHORTEST = 16  # characters of a token


class Impatient(H11Protocol):
    """HTTP over connections that are closed when they ask for nothing."""

    def connection_made(self, transport: Any) -> None:
        """Somebody has connected. Where too many have, who has been silent for longest makes room."""
        super().connection_made(transport)
        self.silent = asyncio.get_running_loop().call_later(WAIT, self.hang_up)
        if len(self.connections) >= AT_ONCE:
            silent = (own for own in self.connections if isinstance(own, Impatient) and own.is_silent)
            if longest := min(silent, key=lambda own: own.silent.when(), default=None):
                longest.hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self.silent.cancel()
        super().connection_lost(exc)

    @property
    def is_silent(self) -> bool:
        """Whether it has asked for nothing yet."""
        return self.cycle is None and not self.transport.is_closing()

    def hang_up(self) -> None:
        """Close a connection that has not asked yet."""
        if self.is_silent:
            self.transport.close()


class Server(uvicorn.Server):
    """Says when it listens, and lets answers that never end know that it stops."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.service, self.ready = service, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way."""
        self.service.learning.stop()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or what a service manager sends, which ends it in the same way. Requests that are cut off by
        it are no errors."""
        self.service.stopping = True
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        super().handle_exit(signal.SIGINT, frame)


def token_of(file: Path | None) -> str | None:
    """The token for scripts: of a file, which is made where there is none, or of ILAP_TOKEN."""
    if file is None:
        found, where = os.environ.get("ILAP_TOKEN", "").strip() or None, "ILAP_TOKEN"
    else:
        found, where = token_in(file), str(file)
    if found is not None and (len(found) < SHORTEST or not found.isascii() or not found.isprintable()):
        raise BadSetting(f"The token of {where} has to have {SHORTEST} ASCII characters or more: take another.")
    return found


def token_in(file: Path) -> str:
    """The token of a file that only its owner can read; a new one where there is no file."""
    try:
        if file.exists():
            return file.read_text("utf-8", "replace").strip()
        made = secrets.token_urlsafe(32)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(f"{made}\n")
    except OSError as error:
        raise BadOutput(f"{file} cannot be read or made ({error.strerror}): choose another file.") from None
    return made


def listen(host: str, port: int) -> socket.socket:
    """A socket, or an error at once."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind, protocol)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadSetting(f"Cannot listen at {host}, port {port} ({why}): choose another by --port.") from None
    return opened


def names_of(host: str) -> set[str]:
    """By which names a server may be asked that listens there."""
    if host in LOOPBACK:
        return set(LOOPBACK)
    own = socket.gethostname()
    return {*LOOPBACK, host, own, f"{own}.local", socket.getfqdn()}


def address_of(host: str, port: int) -> str:
    """Where a browser on this machine finds the server.

    >>> address_of("127.0.0.1", 8420), address_of("::1", 8420), address_of("0.0.0.0", 80)
    ('http://127.0.0.1:8420', 'http://[::1]:8420', 'http://127.0.0.1:80')
    """
    name = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def serve(
    learner: LearnerInFile,
    say: Callable[[str], None],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    read_only: bool = False,
    roots: Sequence[Path] = (),
    watch: Sequence[Path] = (),
    how: Cutting = BY_FOLDER,
) -> None:
    """Serve until the process is told to end. ``say`` gets the address, whose token is used once, as soon as
    somebody listens there. Folders to ``watch`` are learned from as bursts appear in
    them, which are cut as ``how`` says."""
    opened = listen(host, port)
    number = opened.getsockname()[1]
    keys, service = Keys(token), Service(learner, read_only, roots)
    logging.getLogger("ilap.serve").setLevel(logging.ERROR)
    config = uvicorn.Config(
        guarded(service, keys, names_of(host), f"ilap-{number}"),
        http=Impatient,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=AT_ONCE,
        timeout_graceful_shutdown=END,
    )
    server = Server(config, service, lambda: say(f"{address_of(host, number)}/?token={keys.once()}"))
    try:
        for folder in watch:
            service.watch(folder, how)
        server.run(sockets=[opened])
    except KeyboardInterrupt:
        pass  # all answers were given, and the file is whole
    finally:
        service.close()
        opened.close()
