"""HTTP/1.1 is read as it is written, however it is framed and cut."""

import asyncio

import pytest

from decision_ai_server.testing.http_messages import (
    Head,
    body_pieces,
    framed,
    listening,
    read_head,
    write_head,
)


def reading(*pieces: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=1000)
    for piece in pieces:
        reader.feed_data(piece)
    reader.feed_eof()
    return reader


async def everything(reader: asyncio.StreamReader, head: Head) -> list[bytes]:
    return [piece async for piece in body_pieces(reader, head)]


async def test_a_head_is_read_as_it_was_written():
    reader = reading(write_head("GET / HTTP/1.1", {"X-Name": "a:b", "Connection": "Close"}))
    head = await read_head(reader)

    assert head == Head("GET / HTTP/1.1", {"x-name": "a:b", "connection": "Close"})
    assert not head.keeps_alive
    assert Head("GET / HTTP/1.1", {}).keeps_alive
    assert await read_head(reader) is None


async def test_a_head_that_does_not_end_is_no_head():
    with pytest.raises(ValueError, match="does not end"):
        await read_head(reading(b"x" * 2000))


@pytest.mark.parametrize(
    ("start", "headers", "sent", "pieces"),
    [
        ("POST / HTTP/1.1", {"content-length": "3"}, b"abcd", [b"abc"]),
        ("POST / HTTP/1.1", {"content-length": "0"}, b"", []),
        ("GET / HTTP/1.1", {}, b"", []),
        ("HTTP/1.1 200 OK", {}, b"abc", [b"abc"]),
        ("HTTP/1.1 200 OK", {"transfer-encoding": "chunked"}, b"3;x=y\r\nabc\r\n0\r\n\r\n", [b"abc"]),
        (
            "HTTP/1.1 200 OK",
            {"transfer-encoding": "chunked"},
            framed(b"ab") + framed(b"\r\n" * 20) + framed(b""),
            [b"ab", b"\r\n" * 20],
        ),
    ],
)
async def test_a_body_is_read_by_its_framing(
    start: str, headers: dict[str, str], sent: bytes, pieces: list[bytes]
):
    assert await everything(reading(sent), Head(start, headers)) == pieces


@pytest.mark.parametrize("headers", [{"content-length": "9"}, {"transfer-encoding": "chunked"}])
async def test_a_body_that_is_cut_is_told(headers: dict[str, str]):
    with pytest.raises(asyncio.IncompleteReadError):
        await everything(reading(b"5\r\nab"), Head("HTTP/1.1 200 OK", headers))


async def test_the_end_of_listening_ends_the_connections():
    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"here\n")
        await asyncio.Event().wait()

    async with listening(wait) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        assert await reader.readline() == b"here\n"
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()
