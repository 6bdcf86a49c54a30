"""Who may ask: whoever has the token or the cookie, by the right name of the server, from its own page.

A browser sends requests for any page that it shows. So a cookie alone proves nothing: the Host has to be a name
of this server, or a page elsewhere could reach it by a name of its own that leads here (DNS rebinding); and the
Origin of whatever changes something has to be this server (cross-site request forgery).
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ilap.serve.problems import Problem, problem

HEALTH = "/health"
READING = {"GET", "HEAD"}
MOST_BYTES = 1 << 20  # of a request
MOST_UPLOADED = 32 << 20  # of a picture
UPLOADS = {"/api/v1/identify"}
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Keys:
    """What lets somebody in: a ``token`` for scripts, if there is one; an address that is used ``once``, and
    the cookies that browsers got for it."""

    def __init__(self, token: str | None = None) -> None:
        self.token = token
        self._once: str | None = None
        self._cookies: set[str] = set()

    def once(self) -> str:
        """A new token for an address; an earlier one that was not used is void."""
        self._once = secrets.token_urlsafe(32)
        return self._once

    def exchange(self, token: str) -> str | None:
        """A cookie for the token of an address, which is used up by it; None for any other."""
        if self._once is None or not alike(token, self._once):
            return None
        self._once = None
        cookie = secrets.token_urlsafe(32)
        self._cookies.add(cookie)
        return cookie

    def opened_by_token(self, authorization: str) -> bool:
        """Whether a header has the token."""
        scheme, _, given = authorization.partition(" ")
        return self.token is not None and scheme.lower() == "bearer" and alike(given.strip(), self.token)

    def opened_by_cookie(self, cookie: str) -> bool:
        """Whether a browser has been here."""
        return any(alike(cookie, known) for known in self._cookies)


def alike(given: str, known: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


class Guard:
    """In front of the application: lets nobody in without a key, and sends what keeps browsers careful.
    ``names`` are those of this server; any address of a machine is one too where it is open to others."""

    def __init__(self, app: ASGIApp, keys: Keys, names: Collection[str], cookie: str) -> None:
        self.app, self.keys, self.cookie = app, keys, cookie
        self.names = {name.lower() for name in names}
        self.open_to_others = not self.names <= LOOPBACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def careful(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        answer = self.refusal(scope, headers) or self.entry(scope)
        if answer is not None:
            await answer(scope, receive, careful)
            return
        most = MOST_UPLOADED if scope["path"] in UPLOADS else MOST_BYTES
        if announced(headers) > most:
            await too_large(most)(scope, receive, careful)
            return
        await self.bounded(scope, receive, careful, most)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Why a request is not answered."""
        host, method = headers.get("host", ""), scope["method"]
        if not self.is_name(host):
            return problem(
                400,
                f"{host[:100]!r} is no name of this server: open the address that ilap serve has printed, or "
                f"start it with --host.",
            )
        if scope["path"] == HEALTH or self.is_entry(scope):
            return None
        origin = headers.get("origin")
        if origin is not None and urlsplit_netloc(origin) != host.lower():
            return problem(403, "This request comes from a page of another server: use the page of this one.")
        if self.keys.opened_by_token(headers.get("authorization", "")):
            return None
        if not self.keys.opened_by_cookie(cookie_of(headers, self.cookie)):
            return problem(
                401,
                "A token is needed: open the address that ilap serve has printed, or send the header "
                "'Authorization: Bearer TOKEN' with the token of --token-file or ILAP_TOKEN.",
            )
        if method not in READING and origin is None:
            return problem(403, "A request that changes something needs the header Origin beside a cookie.")
        return None

    def is_name(self, host: str) -> bool:
        """Whether a Host is this server. A numeric address cannot be led elsewhere, as a name can."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        return name in self.names or (self.open_to_others and is_numeric(name))

    def is_entry(self, scope: Scope) -> bool:
        """Whether a request has the token of an address."""
        return scope["path"] == "/" and scope["method"] == "GET" and b"token=" in scope["query_string"]

    def entry(self, scope: Scope) -> Response | None:
        """The token of an address becomes a cookie."""
        if not self.is_entry(scope):
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        cookie = self.keys.exchange(given)
        if cookie is None:
            return problem(401, "This address was used already, or is of an earlier start: restart ilap serve.")
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, cookie, httponly=True, samesite="strict", path="/")
        return answer

    async def bounded(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        """Answer, unless more is sent than may be, whatever was announced."""
        so_far, began = 0, False

        async def counted() -> Message:
            nonlocal so_far
            message = await receive()
            so_far += len(message.get("body", b""))
            if so_far > most:
                raise Problem(413, f"A request may have {most >> 20} MB: send less.")
            return message

        async def noted(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except Problem as refused:
            if began:
                raise
            await problem(refused.status, str(refused))(scope, receive, send)


def announced(headers: Headers) -> int:
    """How many bytes a request says that it has."""
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


def too_large(most: int) -> Response:
    """Of a request that is."""
    answer = problem(413, f"A request may have {most >> 20} MB: send less.")
    answer.headers["Connection"] = "close"
    return answer


def urlsplit_netloc(origin: str) -> str | None:
    """Host and port of an origin; None where it is none.

    >>> urlsplit_netloc("http://127.0.0.1:8420"), urlsplit_netloc("null")
    ('127.0.0.1:8420', None)
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") and parts.netloc else None


def is_numeric(name: str) -> bool:
    """Whether a name is an address of numbers.

    >>> is_numeric("10.0.0.7"), is_numeric("::1"), is_numeric("fox.example")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def cookie_of(headers: Headers, name: str) -> str:
    """The value of a cookie, empty where there is none."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
