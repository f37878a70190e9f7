"""An endpoint that plays a script, over real HTTP on loopback."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Any, Self

from decision_ai_server.testing.http_messages import (
    Head,
    body_pieces,
    framed,
    listening,
    read_head,
    write_head,
)
from decision_ai_server.testing.openai_server.rendering import Answer, answer
from decision_ai_server.testing.openai_server.replies import Answering, Exchange, Manner, Peer, Played, Reply
from decision_ai_server.testing.openai_server.requests import fault, refusal


class ScriptedOpenAIServer:
    """Answers `POST /v1/chat/completions` with the replies of a script, in order, and `GET /v1/models`.

    A request that is malformed, or asks for what the endpoint refuses, is answered with an error and does
    not use up a reply. Use it as an asynchronous context manager.

    Args:
        replies: what to answer, one entry per request.
        peer: what the endpoint is like.
        port: 0 = any free one.

    Attributes:
        base_url: its address up to `/v1`, for `HarnessConfig.base_url`.
        requests: the bodies of all requests for a completion, oldest first, also of those it refused.
        headers: their headers, names in lower case.
        broken_off: how many answers the client did not wait for.
    """

    def __init__(self, replies: Sequence[Played], peer: Peer = Peer(), *, port: int = 0) -> None:  # noqa: B008
        self._left = deque(replies)
        self._peer = peer
        self._port = port
        self._life = AsyncExitStack()
        self.base_url = ""
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.broken_off = 0

    async def __aenter__(self) -> Self:
        """Begin to listen."""
        self.base_url = await self._life.enter_async_context(listening(self._serve, self._port)) + "/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cut off what is still being served, and close."""
        await self._life.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (head := await read_head(reader)) is not None:
            body = b"".join([piece async for piece in body_pieces(reader, head)])
            due = self._answer(head, body)
            try:
                await _send(due, reader, writer)
            except ConnectionError:
                self.broken_off += 1
                return
            if due.manner.cut_after_bytes is not None or due.manner.cut_after_pieces is not None:
                return
            if not head.keeps_alive:
                return

    def _answer(self, head: Head, body: bytes) -> Answer:
        method, path, _ = head.start.split(" ")
        wanted = self._peer.api_key
        if wanted is not None and head.headers.get("authorization") != f"Bearer {wanted}":
            return _error(HTTPStatus.UNAUTHORIZED, "Incorrect API key provided.")
        match method, path:
            case "GET", "/v1/models":
                return self._models()
            case "POST", "/v1/chat/completions":
                return self._completion(head, body)
            case _:
                return _error(HTTPStatus.NOT_FOUND, f"Invalid URL ({method} {path})")

    def _models(self) -> Answer:
        models = [{"id": name, "object": "model", "created": 0} for name in self._peer.models]
        body = json.dumps({"object": "list", "data": models}).encode()
        return Answer(HTTPStatus.OK, {"Content-Type": "application/json"}, (body,), Manner())

    def _completion(self, head: Head, body: bytes) -> Answer:
        try:
            request = json.loads(body)
        except ValueError:
            return _error(HTTPStatus.BAD_REQUEST, "We could not parse the JSON body of your request.")
        number = len(self.requests)
        self.requests.append(request)
        self.headers.append(head.headers)
        if problem := fault(request):
            return _error(HTTPStatus.BAD_REQUEST, problem)
        if problem := refusal(request, self._peer):
            return _error(self._peer.refusal_status, problem)
        if not self._left:
            return _error(HTTPStatus.BAD_REQUEST, "the script is used up")
        return answer(self._next(request), request, number)

    def _next(self, request: dict[str, Any]) -> Reply | Exchange:
        repeats = self._peer.repeat_last and len(self._left) == 1
        due = self._left[0] if repeats else self._left.popleft()
        return due.reply(request) if isinstance(due, Answering) else due


def _error(status: int, message: str) -> Answer:
    return answer(Reply.error(status, message), {}, 0)


async def _send(due: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send an answer in its manner.

    Raises:
        ConnectionError: if the client goes away before the end.
    """
    manner = due.manner
    left = manner.cut_after_bytes
    head = {**due.headers, "Transfer-Encoding": "chunked"}
    messages = [write_head(f"HTTP/1.1 {due.status} {_phrase(due.status)}", head)]
    messages += [framed(piece) for piece in due.pieces]
    if manner.cut_after_pieces is None:
        messages.append(framed(b""))
    else:
        del messages[manner.cut_after_pieces + 1 :]
    for number, message in enumerate(messages):
        pause = manner.delay_seconds if number > 1 else 0.0
        if number == (manner.stall_after and manner.stall_after + 1):
            pause += manner.stall_seconds
        await _pause(pause, reader)
        writer.write(message if left is None else message[:left])
        await writer.drain()
        if left is not None:
            left -= min(left, len(message))
            if not left:
                break
    if manner.cut_after_bytes is not None or manner.cut_after_pieces is not None:
        writer.transport.abort()


async def _pause(seconds: float, reader: asyncio.StreamReader) -> None:
    """Wait, but not for a client that has gone."""
    if not seconds:
        return
    try:
        async with asyncio.timeout(seconds):
            await reader.read(1)
    except TimeoutError:
        return
    raise ConnectionResetError("the client does not wait for the answer")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Scripted"
