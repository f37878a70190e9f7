"""The WebSocket of a session: `GET /v1/chat_sessions/{id}/ws`.

One task reads, one writes; what is to be sent waits in a bounded queue, and a reader too slow for it is
closed cleanly and can resume with `?after=`.
"""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, WebSocket, WebSocketDisconnect
from starlette.requests import HTTPConnection

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import LiveContainer
from decision_ai.errors import LimitExceeded, ProtocolError
from decision_ai.wire import codec
from decision_ai_server.sessions.hub import SessionHub
from decision_ai_server.sessions.runner import SessionRunner
from decision_ai_server.storage.errors import NotFound, StoreFailed
from decision_ai_server.web.parts import CallerDep
from decision_ai_server.web.problems import simple_problem

LIVE = "decision-ai.v1.live"
STRICT = "decision-ai.v1"
MOST_QUEUED = 10_000
"""Envelopes that may wait for one slow reader."""
MOST_QUEUED_LIVE = 100
"""From this many on, a slow reader is not sent what other clients say live: large, and soon old."""
MOST_CONNECTIONS = 100
"""Connections of one session; each is told about every message and about every other one."""
_SEND_SECONDS = 60.0
_AGAIN = 1013
_GONE = (4404, "the session was deleted")
_UNSTORED = (_AGAIN, "the server cannot store messages now; connect again")
_LOG = logging.getLogger(__name__)

router = APIRouter()


def _hub(connection: HTTPConnection) -> SessionHub:
    hub: SessionHub = connection.app.state.hub
    return hub


HubDep = Annotated[SessionHub, Depends(_hub)]


@dataclass(frozen=True)
class Wishes:
    """What a client says about itself when it connects.

    Attributes:
        after: id of the last message it knows.
        client: what it calls itself, the same when it reconnects.
        floor: `take` the right to speak from whoever has it, or only `watch`.
        interactive: whether somebody is there to answer a question.
    """

    after: str | None = None
    client: str | None = None
    floor: Annotated[Literal["take", "watch"] | None, Query()] = None
    interactive: bool = True


WishesDep = Annotated[Wishes, Depends()]


class _Socket:
    """A connection of the session's runner over one WebSocket."""

    def __init__(self, websocket: WebSocket, *, live: bool, principal: str, wishes: Wishes) -> None:
        self.live, self.principal = live, principal
        self.client, self.interactive = wishes.client, wishes.interactive
        self._websocket = websocket
        self._queue: asyncio.Queue[codec.Envelope | tuple[int, str]] = asyncio.Queue()
        self._closing = False

    def push(self, envelope: codec.Envelope) -> None:
        """Queue an envelope; live ones only where they are understood."""
        if self._closing or (isinstance(envelope, LiveContainer) and not self._takes(envelope)):
            return
        if self._queue.qsize() >= MOST_QUEUED:
            self.close(_AGAIN, "too slow; connect again with ?after=")
        else:
            self._queue.put_nowait(envelope)
            is_last = isinstance(envelope, MessageContainer) and isinstance(
                envelope.message, CriticalErrorMessage
            )
            if is_last:
                self.close(1011, "the turn broke off; connect again to resume")

    def _takes(self, envelope: LiveContainer) -> bool:
        passed_on = envelope.message.origin == "user"
        return self.live and not (passed_on and self._queue.qsize() >= MOST_QUEUED_LIVE)

    def close(self, code: int, reason: str) -> None:
        """Close once everything queued is sent."""
        if not self._closing:
            self._closing = True
            self._queue.put_nowait((code, reason))

    async def write(self) -> None:
        """Send what is queued until told to close."""
        while True:
            item = await self._queue.get()
            try:
                async with asyncio.timeout(_SEND_SECONDS):
                    if isinstance(item, tuple):
                        await self._websocket.close(*item)
                        return
                    await self._websocket.send_text(codec.encode(item))
            except TimeoutError:
                return  # it does not read; what it missed is stored

    async def read(self, runner: SessionRunner) -> None:
        """Take in frames until the peer goes."""
        while True:
            event = await self._websocket.receive()
            if event["type"] == "websocket.disconnect":
                return
            frame: str | bytes = event.get("text") or event.get("bytes") or ""
            try:
                envelope = codec.decode(frame, live=self.live)
            except (ProtocolError, LimitExceeded) as error:
                runner.refuse(self, "", str(error))
                continue
            try:
                await runner.receive(self, envelope)
            except NotFound:
                self.close(*_GONE)
            except StoreFailed:
                # Not acknowledged, so the client sends it again when it is back.
                _LOG.exception("a message could not be stored")
                self.close(*_UNSTORED)


@router.websocket("/v1/chat_sessions/{session_id}/ws")
async def chat(
    websocket: WebSocket,
    session_id: str,
    caller: CallerDep,
    hub: HubDep,
    wishes: WishesDep,
) -> None:
    """One connection of a session, from handshake to close."""
    runner = await hub.runner(session_id)
    offered = websocket.scope["subprotocols"]
    chosen = next((name for name in (LIVE, STRICT) if name in offered), None)
    if chosen is None:
        detail = f"offer {LIVE} or {STRICT} in Sec-WebSocket-Protocol"
        refusal = simple_problem(400, "no-subprotocol", "No common subprotocol", detail)
        await websocket.send_denial_response(refusal)
        return
    if runner.connections >= MOST_CONNECTIONS:
        detail = f"the session has {MOST_CONNECTIONS} connections, which is all it may have"
        refusal = simple_problem(503, "too-many-connections", "Too many connections", detail)
        await websocket.send_denial_response(refusal)
        return
    await websocket.accept(subprotocol=chosen)
    socket = _Socket(websocket, live=chosen == LIVE, principal=caller.name, wishes=wishes)
    try:
        await runner.join(
            socket, after=wishes.after, take=wishes.floor == "take", watch=wishes.floor == "watch"
        )
        await _until_one_ends(socket, runner)
    except NotFound:
        await websocket.close(*_GONE)
    except StoreFailed:
        await websocket.close(*_UNSTORED)
    finally:
        await runner.leave(socket)


async def _until_one_ends(socket: _Socket, runner: SessionRunner) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_gone(socket.read(runner))), group.create_task(_gone(socket.write()))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()


async def _gone(work: Coroutine[None, None, None]) -> None:
    try:
        await work
    except WebSocketDisconnect:
        return  # what the peer sent is stored, and it asks for the rest when it connects again
