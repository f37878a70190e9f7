"""Refusals before any route: a foreign `Host`, a foreign `Origin`, a body that is too large. Pure ASGI.

A web page can make a browser call a server on loopback, by its address or by a name of its own that it points
there. The browser then sends the page's origin or that name, so an allow-list of both keeps the page out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from decision_ai.errors import LimitExceeded
from decision_ai_server.web.problems import problem_of, problem_response, simple_problem

_HOST = re.compile(r"(\[[^\[\]]*\]|[^:\[\]@]*)(?::[0-9]*)?")
"""A name, or an IPv6 address, which has colons of its own; then a port."""
_WEB_SCHEME = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class HostAndOriginGuard:
    """Answers to known names only, and to pages of known origins only; handshakes of WebSockets included."""

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], origins: frozenset[str]) -> None:
        self._app, self._hosts, self._origins = app, hosts, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on or refuse."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._knows(hosts[0]):
            detail = f"this server does not answer to {', '.join(hosts) or 'no name'!r}; see allowed_hosts"
            refusal = simple_problem(421, "unknown-host", "This is not the server you asked for", detail)
            return await refusal(scope, receive, send)
        own = f"{_WEB_SCHEME[scope['scheme']]}://{hosts[0]}".lower()
        for origin in headers.getlist("origin"):
            if origin.lower() not in {own, *self._origins}:
                detail = f"pages of {origin!r} may not call this server; see allowed_origins"
                refusal = simple_problem(403, "foreign-origin", "This page may not call", detail)
                return await refusal(scope, receive, send)
        return await self._app(scope, receive, send)

    def _knows(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        return found is not None and (found[1].lower() in self._hosts or "*" in self._hosts)


@dataclass(frozen=True)
class BodyLimit:
    """The largest body of one kind, with the name a refusal gives."""

    name: str
    bytes: int


class BodyLimits:
    """Refuses bodies over their limit, by their announced length or while they arrive."""

    def __init__(self, app: ASGIApp, *, default: BodyLimit, by_path: Mapping[str, BodyLimit]) -> None:
        self._app, self._default, self._by_path = app, default, by_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, counting, or refuse."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        limit = self._by_path.get(scope["path"], self._default)
        announced = Headers(scope=scope).get("content-length", "0")
        size = int(announced[:20]) if announced.isdecimal() else 0
        if size > limit.bytes:
            refusal = problem_response(problem_of(LimitExceeded(limit.name, limit.bytes, size)))
            return await refusal(scope, receive, send)
        arrived = 0

        async def counted() -> Message:
            nonlocal arrived
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > limit.bytes:
                # The one exception that FastAPI lets through while it reads a body.
                raise HTTPException(413, str(LimitExceeded(limit.name, limit.bytes, arrived)))
            return message

        return await self._app(scope, counted, send)
