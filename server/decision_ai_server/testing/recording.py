"""Record real exchanges with an endpoint, and play them again without it.

A proxy stands in front of the endpoint and writes one line of JSON per exchange. No header of a request is
kept, so neither the key nor a cookie appears; and every secret is replaced wherever else it turns up.
"""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, TextIO
from urllib.parse import urlsplit

from decision_ai_server.testing.http_messages import (
    Head,
    body_pieces,
    framed,
    listening,
    read_head,
    write_head,
)
from decision_ai_server.testing.openai_server.rendering import error_body
from decision_ai_server.testing.openai_server.replies import Chunk, Exchange
from decision_ai_server.testing.scrubbing import SHORTEST_SECRET, Scrubber

KEPT_HEADERS = {"content-type": "Content-Type", "retry-after": "Retry-After"}
ABOUT_THE_CONNECTION = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "keep-alive", "transfer-encoding"}
)
KEY_HEADERS = ("authorization", "api-key", "x-api-key")
END_OF_EVENT = re.compile(rb"\r?\n\r?\n")
LOST = (ConnectionError, asyncio.IncompleteReadError, ValueError)


class RecordingProxy:
    """Stands in front of an endpoint and writes down what passes; an asynchronous context manager.

    Only completions are written down. A streamed reply passes on as it comes.

    Args:
        upstream: the endpoint's address, such as `https://host/v1`.
        path: the file to write, one exchange a line; what it held before is gone.
        secrets: values that must not be written, of at least four characters, such as names of hosts. The key
            that comes with a request is one without being told.

    Raises:
        ValueError: if a secret is too short.

    Attributes:
        base_url: what the client talks to instead of `upstream`.
    """

    def __init__(self, upstream: str, path: Path, secrets: Iterable[str] = ()) -> None:
        self._upstream = urlsplit(upstream.rstrip("/"))
        self._path = path
        self._scrubber = Scrubber(frozenset(secrets))
        if any(len(secret) < SHORTEST_SECRET for secret in self._scrubber.secrets):
            raise ValueError(f"a secret has at least {SHORTEST_SECRET} characters")
        self._life = AsyncExitStack()
        self.base_url = ""

    async def __aenter__(self) -> Self:
        """Begin to listen."""
        self._file: TextIO = self._life.enter_context(self._path.open("w", encoding="utf-8"))
        self.base_url = await self._life.enter_async_context(listening(self._serve)) + self._upstream.path
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close; what is still on its way is cut off and written down as incomplete."""
        await self._life.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (head := await read_head(reader)) is not None:
            body = b"".join([piece async for piece in body_pieces(reader, head)])
            try:
                async with self._connection() as (upstream, out):
                    out.write(self._forwarded(head, body) + body)
                    complete = await self._pass_on(head, body, upstream, writer)
            except OSError as error:
                await _answer_that_it_is_lost(writer, error)
                return
            if not complete or not head.keeps_alive:
                return

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        encrypted = self._upstream.scheme == "https"
        reader, writer = await asyncio.open_connection(
            self._upstream.hostname,
            self._upstream.port or (443 if encrypted else 80),
            ssl=ssl.create_default_context() if encrypted else None,
        )
        try:
            yield reader, writer
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _forwarded(self, head: Head, body: bytes) -> bytes:
        kept = {name: value for name, value in head.headers.items() if name not in ABOUT_THE_CONNECTION}
        ours = {"Host": self._upstream.netloc, "Connection": "close", "Content-Length": str(len(body))}
        return write_head(head.start, kept | ours)

    async def _pass_on(
        self, asked: Head, body: bytes, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Pass the answer on and write it down; whether it came to its end."""
        clock = asyncio.get_running_loop().time
        began = clock()
        head = await read_head(upstream)
        if head is None:
            raise ConnectionResetError("the endpoint closed the connection without an answer")
        kept = {name: value for name, value in head.headers.items() if name not in ABOUT_THE_CONNECTION}
        writer.write(write_head(head.start, kept | {"Transfer-Encoding": "chunked"}))
        pieces: list[tuple[float, bytes]] = []
        complete = False
        try:
            async with aclosing(body_pieces(upstream, head)) as coming:
                async for piece in coming:
                    pieces.append((clock() - began, piece))
                    writer.write(framed(piece))
                    await writer.drain()
            writer.write(framed(b""))
            await writer.drain()
            complete = True
        except LOST:
            return False
        finally:
            self._write_down(asked, body, head, pieces, complete)
        return True

    def _write_down(
        self, asked: Head, body: bytes, head: Head, pieces: list[tuple[float, bytes]], complete: bool
    ) -> None:
        request = _completion_asked_for(asked, body)
        if request is None:
            return
        keys = [asked.headers[name].rpartition(" ")[2] for name in KEY_HEADERS if name in asked.headers]
        scrubber = self._scrubber.knowing(keys)
        is_stream = head.headers.get("content-type", "").startswith("text/event-stream")
        at, texts = _events(pieces) if is_stream else _whole(pieces)
        kept = {name: head.headers[key] for key, name in KEPT_HEADERS.items() if key in head.headers}
        exchange = Exchange(
            request=scrubber.value(request),
            status=int(head.start.split(" ")[1]),
            headers=kept,
            chunks=tuple(
                Chunk(at=round(when, 3), data=text)
                for when, text in zip(at, scrubber.stream(texts), strict=True)
            ),
            complete=complete,
        )
        self._file.write(exchange.model_dump_json() + "\n")
        self._file.flush()


def replayed(path: Path) -> tuple[Exchange, ...]:
    """The exchanges of a recording, to be played by a `ScriptedOpenAIServer`.

    Raises:
        pydantic.ValidationError: if a line is none.
    """
    # Not `splitlines`, which also splits at characters that JSON leaves as they are.
    lines = path.read_text(encoding="utf-8").split("\n")
    return tuple(Exchange.model_validate_json(line) for line in lines if line)


def _completion_asked_for(head: Head, body: bytes) -> dict[str, Any] | None:
    if not head.start.startswith("POST ") or "/chat/completions" not in head.start:
        return None
    try:
        request = json.loads(body)
    except ValueError:
        return None
    return request if isinstance(request, dict) else None


def _whole(pieces: list[tuple[float, bytes]]) -> tuple[list[float], list[str]]:
    """A body that is no stream, as one piece; when its last byte was there."""
    body = b"".join(piece for _, piece in pieces)
    return ([pieces[-1][0]], [body.decode(errors="replace")]) if body else ([], [])


def _events(pieces: list[tuple[float, bytes]]) -> tuple[list[float], list[str]]:
    """The body by the blank lines that end an event, however the network cut it; when each one was there."""
    at: list[float] = []
    events: list[str] = []
    rest = b""
    for when, piece in pieces:
        *whole, rest = END_OF_EVENT.split(rest + piece)
        events += [event.decode(errors="replace") + "\n\n" for event in whole]
        at += [when] * len(whole)
    if rest:
        events.append(rest.decode(errors="replace"))
        at.append(pieces[-1][0])
    return at, events


async def _answer_that_it_is_lost(writer: asyncio.StreamWriter, error: OSError) -> None:
    body = json.dumps(error_body(HTTPStatus.BAD_GATEWAY, f"the endpoint is lost: {error}")).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    writer.write(write_head("HTTP/1.1 502 Bad Gateway", headers) + body)
    await writer.drain()
