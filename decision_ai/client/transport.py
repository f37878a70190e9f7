"""The socket: envelopes in and out over a connection that comes back. The only file that knows websockets."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlencode
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.http11 import Response
from websockets.typing import Subprotocol

from decision_ai.client.backoff import Backoff
from decision_ai.client.loop_thread import call_in_thread
from decision_ai.errors import ConnectionFailed, ServerRefused
from decision_ai.wire import codec, limits
from decision_ai.wire.codec import Envelope

LIVE = Subprotocol("decision-ai.v1.live")
STRICT = Subprotocol("decision-ai.v1")

FloorWish = Literal["take", "watch"]

_COME_BACK = {1001, 1006, 1012, 1013}
"""Going away, gone without a word, restarting, or we were too slow to read."""
_REFUSALS = {4401: "the key is not accepted", 4404: "there is no such session", 4409: "protocol misuse"}
_CRITICAL = 1011
_BUSY = {502, 503, 504}
_OPEN_SECONDS = 10.0


@dataclass(frozen=True)
class Connected:
    """The socket is open, for the first time or again; `live` tells what it may carry."""

    live: bool


Event = Connected | Envelope


class Transport:
    """One session's socket on one server.

    Args:
        base_url: http or https address of the server.
        api_key: sent as bearer; None sends none.
        chat_session_id: the session to join.
        backoff: how to come back after a loss.
        revive: starts the server again, if nobody is there; only a private server has one.
        interactive: whether somebody is there to answer a question.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        chat_session_id: str,
        *,
        backoff: Backoff | None = None,
        revive: Callable[[], None] | None = None,
        interactive: bool = True,
    ) -> None:
        scheme, _, rest = base_url.partition("://")
        session = quote(chat_session_id, safe="")
        self._url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}/v1/chat_sessions/{session}/ws"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._backoff = backoff or Backoff()
        self._revive = revive
        self._interactive = None if interactive else "false"
        self._client = uuid4().hex  # by it the server knows a lost connection of ours from another client's
        self._socket: ClientConnection | None = None

    async def events(
        self, after: Callable[[], str | None], floor: Callable[[], FloorWish | None]
    ) -> AsyncGenerator[Event, None]:
        """Everything that arrives, across losses of the connection; ends after a critical error's close.

        Args:
            after: id of the last message known, asked for at every connect.
            floor: what to ask about the floor at every connect.

        Raises:
            ConnectionFailed: if the server stays away or closes for good.
            ServerRefused: if it does not want this client or session.
            ProtocolError: if it says something that cannot be read.
        """
        waits = self._backoff.waits()
        while True:
            socket = await self._open(after(), floor(), waits)
            self._socket = socket
            live = socket.subprotocol == LIVE
            try:
                yield Connected(live)
                async for frame in socket:
                    yield codec.decode(frame, live=live)
                    waits = self._backoff.waits()  # it works: the next loss is a new one
            except ConnectionClosed:
                pass  # the code says what to do, below
            finally:
                self._socket = None
                with contextlib.suppress(asyncio.CancelledError):
                    await socket.close()
            if socket.close_code == _CRITICAL:
                return
            _check_close(socket.close_code, socket.close_reason)
            await self._pause(waits, "it closed the connection")

    async def send(self, envelope: Envelope) -> bool:
        """Send one envelope.

        Returns:
            False if the connection is down; whoever needs the message to arrive sends it again.
        """
        if self._socket is None:
            return False
        try:
            await self._socket.send(codec.encode(envelope))
        except ConnectionClosed:
            return False
        return True

    async def _open(
        self, after: str | None, floor: FloorWish | None, waits: Iterator[float]
    ) -> ClientConnection:
        query = {
            "client": self._client, "after": after, "floor": floor, "interactive": self._interactive
        }  # fmt: skip
        url = f"{self._url}?{urlencode({name: value for name, value in query.items() if value is not None})}"
        while True:
            try:
                return await connect(
                    url,
                    subprotocols=[LIVE, STRICT],
                    additional_headers=self._headers,
                    proxy=None,
                    compression=None,
                    max_size=limits.FRAME_BYTES,
                    open_timeout=_OPEN_SECONDS,
                )
            except InvalidStatus as error:
                if error.response.status_code not in _BUSY:
                    raise _denied(error.response) from error
                reason = f"it answers {error.response.status_code}"
            except InvalidURI as error:
                raise ConnectionFailed(f"{self._url} is not an address of a server") from error
            except (OSError, EOFError, InvalidHandshake) as error:  # TimeoutError is an OSError
                reason = str(error) or type(error).__name__
                if self._revive is not None and isinstance(error, ConnectionRefusedError):
                    await call_in_thread(lambda revive: revive(), self._revive)
            await self._pause(waits, reason)

    async def _pause(self, waits: Iterator[float], reason: str) -> None:
        wait = next(waits, None)
        if wait is None:
            raise ConnectionFailed(
                f"the server at {self._url} stayed away for {self._backoff.patience:g} s ({reason}); "
                "what was said is kept and sent when you connect again"
            )
        await asyncio.sleep(wait)


def _check_close(code: int | None, reason: str | None) -> None:
    if code in _COME_BACK or code is None:
        return
    words = reason or "no reason given"
    if code in _REFUSALS:
        raise ServerRefused(code - 4000, _REFUSALS[code], words)
    raise ConnectionFailed(f"the server closed the connection with code {code}: {words}")


def _denied(response: Response) -> ServerRefused:
    """The error for a handshake that was answered with a problem."""
    try:
        problem = json.loads(response.body or b"")
    except ValueError:
        problem = {}
    known = problem if isinstance(problem, dict) else {}
    title = known.get("title") or f"the server refused the connection with {response.status_code}"
    return ServerRefused(response.status_code, str(title), str(known.get("detail") or ""))
