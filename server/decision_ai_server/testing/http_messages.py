"""As much of HTTP/1.1 as a test needs on both sides of a connection, over the streams of asyncio.

No web framework and no client library: a scripted endpoint has to do what those prevent, such as falling
silent before the first byte or closing the connection in the middle of a piece.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

LARGEST_HEAD = 64 * 1024
END = b"\r\n"


@dataclass(frozen=True)
class Head:
    """The first line of a message and its headers, names in lower case."""

    start: str
    headers: Mapping[str, str]

    @property
    def keeps_alive(self) -> bool:
        """Whether another message may follow on the connection."""
        return self.headers.get("connection", "").lower() != "close"


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """The next message's head; None if the other side has closed the connection.

    Raises:
        ValueError: if it is no HTTP/1.1.
    """
    try:
        raw = await reader.readuntil(END + END)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        raise ValueError("a head that does not end") from error
    start, *lines = raw.decode("latin-1").strip().split("\r\n")
    pairs = [line.partition(":") for line in lines]
    return Head(start, {name.strip().lower(): value.strip() for name, _, value in pairs})


def write_head(start: str, headers: Mapping[str, str]) -> bytes:
    """A head as bytes, the blank line included."""
    lines = [start, *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode("latin-1") + END + END


async def body_pieces(reader: asyncio.StreamReader, head: Head) -> AsyncGenerator[bytes, None]:
    """The body behind a head, as it comes; the framing is taken off.

    Raises:
        asyncio.IncompleteReadError: if the connection ends before the body does.
    """
    if head.headers.get("transfer-encoding", "").lower() == "chunked":
        while size := int((await reader.readuntil(END)).split(b";")[0], 16):
            yield await reader.readexactly(size)
            await reader.readexactly(len(END))
        await reader.readuntil(END)
    elif "content-length" in head.headers:
        if length := int(head.headers["content-length"]):
            yield await reader.readexactly(length)
    elif head.start.startswith("HTTP/"):
        # A response without a length ends with its connection; a request without one has no body.
        while piece := await reader.read(LARGEST_HEAD):
            yield piece


def framed(piece: bytes) -> bytes:
    """A piece of a body of unknown length; an empty one ends it."""
    return b"%x" % len(piece) + END + piece + END


@asynccontextmanager
async def listening(serve: Serve, port: int = 0) -> AsyncIterator[str]:
    """Listen on loopback; whatever is still being served at the end is cut off.

    Args:
        serve: serves one connection until it ends.
        port: 0 = any free one.

    Yields:
        The address, such as `http://127.0.0.1:41234`.

    Raises:
        Exception: at the end, what `serve` raised and did not handle.
    """
    loop = asyncio.get_running_loop()
    serving: list[asyncio.Task[None]] = []
    ended = False

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if ended:
            writer.transport.abort()
            return
        serving.append(loop.create_task(_served(serve, reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", port, limit=LARGEST_HEAD)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        ended = True
        server.close()
        for task in serving:
            task.cancel()
        results = await asyncio.gather(*serving, return_exceptions=True)
        await server.wait_closed()
    for error in results:
        if isinstance(error, Exception):
            raise error


async def _served(serve: Serve, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        # A peer that goes away is what these servers are there to see.
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve(reader, writer)
            writer.close()
            await writer.wait_closed()
    finally:
        writer.transport.abort()
