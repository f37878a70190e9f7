"""The drivers with clients that are no library's: what they are asked, and what is left open."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.exchange import Arrived, Ended, Opened, Pause, Receive, Send
from decision_ai_server.model_client.lines import Line, drive
from decision_ai_server.model_client.replies import Failure, RawReply

CONFIG = HarnessConfig(request_timeout_seconds=0.2, request_idle_timeout_seconds=0.1)
STREAMED = Send({"model": "m", "stream": True})


def client_of(create: Any) -> Any:
    return SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))


class Stream:
    """Gives its chunks, then falls silent or ends."""

    def __init__(self, *chunks: Any, silent: bool = False) -> None:
        self.chunks, self.silent, self.closed = chunks, silent, 0

    async def __aiter__(self) -> AsyncIterator[Any]:
        for chunk in self.chunks:
            yield chunk
        if self.silent:
            await asyncio.sleep(15)

    async def close(self) -> None:
        self.closed += 1


def line_of(stream: Any) -> Line:
    async def create(**body: Any) -> Any:
        assert body["timeout"] in (0.1, 0.2)
        return stream

    return Line(client_of(create), CONFIG, asyncio.sleep)


async def test_a_stream_is_opened_received_and_closed() -> None:
    stream = Stream("a", "b")
    line = line_of(stream)
    assert await line.perform(STREAMED) == Opened()
    assert [await line.perform(Receive()) for _ in range(3)] == [Arrived("a"), Arrived("b"), Ended()]
    await line.close()
    await line.close()
    assert stream.closed == 1


@pytest.mark.parametrize("step", [Pause(0.0), STREAMED])
async def test_an_open_stream_is_closed_before_anything_else(step: Any) -> None:
    stream = Stream("a")
    line = line_of(stream)
    await line.perform(STREAMED)
    await line.perform(step)
    assert stream.closed == 1
    await line.close()


async def test_a_stream_that_says_nothing_ends() -> None:
    stream = Stream(silent=True)
    line = line_of(stream)
    await line.perform(STREAMED)
    assert await line.perform(Receive()) == Failure("timeout", "")
    await line.close()
    assert stream.closed == 1


async def test_a_call_that_hangs_ends() -> None:
    async def create(**_: Any) -> Any:
        await asyncio.sleep(15)

    line = Line(client_of(create), CONFIG, asyncio.sleep)
    assert await line.perform(Send({})) == Failure("timeout", "")


async def test_cancelling_is_not_taken_for_a_failure() -> None:
    stream = Stream(silent=True)
    line = line_of(stream)
    await line.perform(STREAMED)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await line.perform(Receive())
    await line.close()
    assert stream.closed == 1


async def test_a_stream_without_a_way_to_close_it_is_let_go() -> None:
    async def chunks() -> AsyncIterator[str]:
        yield "a"

    line = line_of(chunks())
    assert await line.perform(STREAMED) == Opened()
    assert [await line.perform(Receive()) for _ in range(2)] == [Arrived("a"), Ended()]
    await line.close()


def test_the_blocking_driver_sends_and_sleeps() -> None:
    slept: list[float] = []

    def create(**body: Any) -> Any:
        if body["model"] == "broken":
            raise ZeroDivisionError
        return {"choices": [{"message": {"content": "c"}, "finish_reason": "stop"}]}

    def steps() -> Any:
        came = [(yield Send({"model": "broken"}))]
        came.append((yield Pause(1.5)))
        came.append((yield Send({"model": "m"})))
        return came

    came: Any = drive(steps(), client_of(create), CONFIG, slept.append)
    assert came == [Failure("lost", "ZeroDivisionError: "), None, RawReply("c", finish_reason="stop")]
    assert slept == [1.5]
