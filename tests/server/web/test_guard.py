"""A web page cannot reach the server, and nobody can send it too much."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.types import Message, Receive, Scope, Send

from decision_ai_server.web.guard import BodyLimit, BodyLimits, HostAndOriginGuard


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:8765"])
async def test_own_names_are_answered(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/healthz", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8765", "", "[::2]", "localhost.", "*"]
)
async def test_a_foreign_name_is_refused_even_with_the_key(client: httpx.AsyncClient, host: str) -> None:
    response = await client.get("/v1/opt_models", headers={"Host": host})
    assert response.status_code == 421
    assert response.headers["content-type"] == "application/problem+json"
    assert "does not answer to" in response.json()["detail"]


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8765", "https://plans.example.com"], ids=["same origin", "allowed"]
)
async def test_a_known_origin_may_call(client: httpx.AsyncClient, origin: str) -> None:
    assert (await client.get("/v1/opt_models", headers={"Origin": origin})).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://127.0.0.1:9999",
        "https://127.0.0.1:8765",
        "http://localhost:8765",
    ],
)
async def test_a_foreign_origin_is_refused_even_with_the_key(client: httpx.AsyncClient, origin: str) -> None:
    response = await client.get("/v1/opt_models", headers={"Origin": origin})
    assert (response.status_code, response.json()["title"]) == (403, "This page may not call")


async def test_two_hosts_are_refused(client: httpx.AsyncClient) -> None:
    headers = [("Host", "localhost"), ("Host", "evil.example")]
    assert (await client.get("/healthz", headers=headers)).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"host", b"localhost:1"), (b"origin", b"http://localhost:1")], 200),
        ([(b"host", b"localhost:1"), (b"origin", b"https://evil.example")], 403),
        ([(b"host", b"evil.example")], 421),
    ],
)
async def test_a_websocket_handshake_is_guarded_too(headers: list[tuple[bytes, bytes]], status: int) -> None:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "websocket.http.response.start", "status": 200, "headers": []})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    guard = HostAndOriginGuard(app, hosts=frozenset({"localhost"}), origins=frozenset())
    scope = {"type": "websocket", "scheme": "ws", "headers": headers, "path": "/"}
    await guard(scope, receive, send)
    assert (sent[0]["type"], sent[0]["status"]) == ("websocket.http.response.start", status)


@pytest.fixture
async def limited() -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()

    @app.post("/{name}")
    async def size(name: str, request: Request) -> int:
        return len(await request.body())

    app.add_middleware(BodyLimits, default=BodyLimit("body", 10), by_path={"/large": BodyLimit("data", 20)})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [("/small", 10, 200), ("/small", 11, 413), ("/large", 20, 200), ("/large", 21, 413)],
)
@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_over_the_limit_of_its_path_is_refused(
    limited: httpx.AsyncClient, path: str, size: int, status: int, announced: bool
) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(size):
            yield b"x"

    response = await limited.post(path, content=b"x" * size if announced else chunks())
    assert response.status_code == status
    if status == 413:
        name, limit = ("data", 20) if path == "/large" else ("body", 10)
        assert f"{name} is {size}, the limit is {limit}" in response.json()["detail"]
