"""Who carries out the steps of an exchange: one driver that blocks, one for an event loop."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.exchange import Arrived, Came, Ended, Opened, Pause, Send, Step, Steps
from decision_ai_server.model_client.replies import Failure, read_reply
from decision_ai_server.model_client.sdk import failure_of, kind_of_stream

_NO_CHUNK = object()


def drive(steps: Steps, client: Any, config: HarnessConfig, sleep: Callable[[float], None]) -> ModelDecision:
    """Carry out an exchange that does not stream.

    Args:
        steps: a running exchange.
        client: of the library, or anything with its `chat.completions.create`.
        config: the time-outs.
        sleep: waits so many seconds.
    """
    came: Came = None
    while True:
        try:
            step = steps.send(came)
        except StopIteration as end:
            decision: ModelDecision = end.value
            return decision
        match step:
            case Pause(seconds):
                sleep(seconds)
                came = None
            case Send(body):
                came = _answer(client, body, config.request_timeout_seconds)


def _answer(client: Any, body: dict[str, Any], seconds: float) -> Came:
    try:
        return read_reply(client.chat.completions.create(**body, timeout=seconds))
    except Exception as error:
        return failure_of(error)


async def adrive(steps: Steps, line: "Line") -> ModelDecision:
    """Carry out an exchange on the event loop; cancelled at any moment, it leaves no stream open."""
    came: Came = None
    try:
        while True:
            try:
                step = steps.send(came)
            except StopIteration as end:
                decision: ModelDecision = end.value
                return decision
            came = await line.perform(step)
    finally:
        await line.close()


class Line:
    """An asynchronous client and the stream that is open on it.

    Args:
        client: of the library, or anything with its `chat.completions.create`.
        config: the time-outs.
        asleep: waits so many seconds.
    """

    def __init__(
        self, client: Any, config: HarnessConfig, asleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._client = client
        self._config = config
        self._asleep = asleep
        self._stream: Any = None
        self._chunks: Any = None

    async def perform(self, step: Step) -> Came:
        """Do one step; whatever goes wrong with the endpoint is the answer, not an exception."""
        if isinstance(step, Pause):
            await self.close()
            await self._asleep(step.seconds)
            return None
        try:
            # A stream that never falls silent but says nothing either (comments only) ends here.
            async with asyncio.timeout(self._config.request_timeout_seconds):
                return await (self._send(step.body) if isinstance(step, Send) else self._receive())
        except Exception as error:
            return failure_of(error)

    async def close(self) -> None:
        """Let go of the open stream, if there is one."""
        stream, self._stream, self._chunks = self._stream, None, None
        closing = getattr(stream, "close", None)
        if closing is not None and inspect.isawaitable(waiting := closing()):
            await waiting

    async def _send(self, body: dict[str, Any]) -> Came:
        await self.close()
        create = self._client.chat.completions.create
        if not body.get("stream"):
            return read_reply(await create(**body, timeout=self._config.request_timeout_seconds))
        self._stream = await create(**body, timeout=self._config.request_idle_timeout_seconds)
        kind = kind_of_stream(self._stream)
        if kind == "application/json":
            return Failure("unstreamable", "a streamed request was answered in one piece")
        if kind.startswith("text/html"):
            return Failure("unreadable", "a page of HTML")
        self._chunks = aiter(self._stream)
        return Opened()

    async def _receive(self) -> Came:
        chunk = await anext(self._chunks, _NO_CHUNK)
        return Ended() if chunk is _NO_CHUNK else Arrived(chunk)
