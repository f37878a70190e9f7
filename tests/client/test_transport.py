import asyncio
import http
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from decision_ai.client.backoff import Backoff
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.transport import LIVE, Connected, Transport
from decision_ai.errors import ConnectionFailed, DecisionAIError, ProtocolError, ServerRefused
from decision_ai.wire import codec

QUICK = Backoff(first=0.01, longest=0.02, patience=2)
ENVELOPE = MessageContainer(chat_session_id="s", message=Prompt(prompt="hello"), message_id="m")


@asynccontextmanager
async def serving(handle: Callable[[ServerConnection], Any], **options: Any) -> AsyncIterator[str]:
    options = {"subprotocols": ["decision-ai.v1"]} | options
    async with serve(handle, "127.0.0.1", 0, **options) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def events(url: str, number: int, *, after: str | None = None, backoff: Backoff = QUICK) -> list[Any]:
    transport = Transport(url, "secret", "s", backoff=backoff)
    found = []
    async for event in transport.events(lambda: after, lambda: "take"):
        found.append(event)
        if len(found) == number:
            break
    return found


async def test_it_says_who_it_is_and_what_it_knows() -> None:
    asked: list[Request] = []

    async def handle(socket: ServerConnection) -> None:
        assert socket.request is not None
        asked.append(socket.request)
        await socket.send(codec.encode(ENVELOPE))
        await socket.wait_closed()

    async with serving(handle) as url:
        assert await events(url, 2, after="a b") == [Connected(live=False), ENVELOPE]
    (request,) = asked
    path, _, query = request.path.partition("?")
    asked_for = parse_qs(query)
    assert path == "/v1/chat_sessions/s/ws"
    assert (asked_for["after"], asked_for["floor"]) == (["a b"], ["take"])
    assert len(asked_for["client"][0]) == 32
    assert request.headers["Authorization"] == "Bearer secret"
    assert request.headers["Sec-WebSocket-Protocol"] == "decision-ai.v1.live, decision-ai.v1"
    assert "Sec-WebSocket-Extensions" not in request.headers


@pytest.mark.parametrize("code", [1001, 1012, 1013])
async def test_it_comes_back_when_the_server_goes_for_a_moment(code: int) -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.close(code)

    async with serving(handle) as url:
        assert await events(url, 3) == [Connected(live=False)] * 3


async def test_a_critical_close_ends_the_events() -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.close(1011)

    async with serving(handle) as url:
        assert await events(url, 5) == [Connected(live=False)]


@pytest.mark.parametrize(
    ("code", "error", "words"),
    [
        (4401, ServerRefused, "key is not accepted"),
        (4404, ServerRefused, "no such session"),
        (4409, ServerRefused, "protocol misuse: because"),
        (1008, ConnectionFailed, "code 1008: because"),
    ],
)
async def test_it_does_not_come_back_where_it_is_not_wanted(
    code: int, error: type[DecisionAIError], words: str
) -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.close(code, "because")

    async with serving(handle) as url:
        with pytest.raises(error, match=words):
            await events(url, 5)


async def test_a_refused_handshake_has_the_words_of_its_problem() -> None:
    def refuse(connection: ServerConnection, request: Request) -> Response:
        problem = '{"title": "Unauthorized", "detail": "the key is unknown"}'
        return connection.respond(http.HTTPStatus.UNAUTHORIZED, problem)

    async with serving(lambda socket: None, process_request=refuse) as url:
        with pytest.raises(ServerRefused, match="Unauthorized: the key is unknown") as caught:
            await events(url, 1)
    assert caught.value.status == 401


async def test_a_busy_server_is_tried_again() -> None:
    tries = 0

    def refuse(connection: ServerConnection, request: Request) -> Response | None:
        nonlocal tries
        tries += 1
        return connection.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "") if tries < 3 else None

    async def handle(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with serving(handle, process_request=refuse) as url:
        assert await events(url, 1) == [Connected(live=False)]
    assert tries == 3


async def test_a_server_that_is_gone_is_revived_where_that_can_be_done() -> None:
    loop, stack = asyncio.get_running_loop(), AsyncExitStack()
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()

    async def handle(server_side: ServerConnection) -> None:
        await server_side.wait_closed()

    async def start() -> None:
        await stack.enter_async_context(serve(handle, "127.0.0.1", port, subprotocols=[LIVE]))

    def revive() -> None:
        asyncio.run_coroutine_threadsafe(start(), loop).result()

    async with stack:
        transport = Transport(f"http://127.0.0.1:{port}", None, "s", backoff=QUICK, revive=revive)
        async with aclosing(transport.events(lambda: None, lambda: None)) as found:
            assert await anext(found) == Connected(live=True)


async def test_what_keeps_a_server_from_coming_back_is_told() -> None:
    def revive() -> None:
        raise ConnectionFailed("the private server did not start")

    transport = Transport("http://127.0.0.1:9", None, "s", backoff=QUICK, revive=revive)
    with pytest.raises(ConnectionFailed, match="did not start"):
        await anext(transport.events(lambda: None, lambda: None))


async def test_patience_ends() -> None:
    brief = Backoff(first=0.01, longest=0.02, patience=0.05)
    with pytest.raises(ConnectionFailed, match=r"stayed away for 0\.05 s"):
        await events("http://127.0.0.1:9", 1, backoff=brief)


async def test_a_frame_that_cannot_be_read_is_the_peers_fault() -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.send('{"kind": "nonsense"}')
        await socket.wait_closed()

    async with serving(handle) as url:
        with pytest.raises(ProtocolError):
            await events(url, 2)


async def test_sending_without_a_connection_is_not_an_error() -> None:
    assert not await Transport("http://127.0.0.1:9", None, "s").send(ENVELOPE)


async def test_a_sent_envelope_arrives() -> None:
    arrived: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def handle(socket: ServerConnection) -> None:
        arrived.put_nowait(await socket.recv())

    async with serving(handle) as url:
        transport = Transport(url, None, "s", backoff=QUICK)
        async for _ in transport.events(lambda: None, lambda: None):
            assert await transport.send(ENVELOPE)
            assert codec.decode(await arrived.get()) == ENVELOPE
            break
