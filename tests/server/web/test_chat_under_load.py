"""Many clients, slow clients and hostile clients on one session, over real sockets."""

import asyncio
import contextlib
import json
from typing import Any

import httpx
import pytest
from sockets import BEARER, LIVE, STRICT, Chat, kinds
from websockets.exceptions import ConnectionClosed, InvalidStatus

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.wire.conversation import Conversation
from decision_ai_server.web import chat as route


async def history(server: Chat) -> list[MessageContainer]:
    url = f"http://127.0.0.1:{server.port}/v1/chat_sessions/{server.session_id}/messages"
    async with httpx.AsyncClient(headers=BEARER) as client:
        items = (await client.get(url)).json()["items"]
    return [MessageContainer.model_validate(item) for item in items]


async def talk(server: Chat, name: str, times: int) -> None:
    """Say something again and again, taking the floor each time, and read whatever comes."""
    for i in range(times):
        try:
            async with server.open(f"?floor=take&client={name}") as socket:
                await socket.send(server.prompt("hi", f"{name}-{i}"))
                async with asyncio.timeout(0.2):
                    async for _ in socket:
                        pass
        except (TimeoutError, ConnectionClosed):
            continue


async def edit(server: Chat, times: int) -> set[int]:
    """Change, take back and read the state by turns; returns the status codes seen."""
    seen = set()
    url = f"http://127.0.0.1:{server.port}/v1/chat_sessions/{server.session_id}"
    async with httpx.AsyncClient(headers=BEARER) as client:
        for i in range(times):
            state = await client.get(url)
            tag = {"If-Match": state.headers["etag"]}
            answers = [
                await client.patch(url, json={"reasoning_enabled": i % 2 == 0}, headers=tag),
                await client.post(f"{url}/undo", json={}),
                await client.get(f"{url}/program"),
            ]
            seen |= {answer.status_code for answer in answers}
    return seen


async def test_everybody_at_once(chat: Chat) -> None:
    async with asyncio.TaskGroup() as group:
        for name in "abc":
            group.create_task(talk(chat, name, 4))
        editing = [group.create_task(edit(chat, 5)) for _ in range(2)]

    assert set.union(*(task.result() for task in editing)) <= {200, 409, 412}
    said = await history(chat)
    ids = [container.message_id for container in said]
    assert len(ids) == len(set(ids))
    Conversation(chat.session_id, said)  # every move was allowed
    async with chat.open("?floor=take", offer=(STRICT,)) as socket:
        await kinds(socket, "ask_for_prompt")
        await socket.send(chat.prompt("hi", "last"))
        async with asyncio.timeout(5):
            while json.loads(await socket.recv())["message_id"] != "last":
                pass


async def test_deleting_while_everybody_talks(chat: Chat) -> None:
    async with asyncio.TaskGroup() as group:
        talking = group.create_task(_refused_in_the_end(chat))
        await asyncio.sleep(0.3)
        async with httpx.AsyncClient(headers=BEARER) as client:
            url = f"http://127.0.0.1:{chat.port}/v1/chat_sessions/{chat.session_id}"
            assert (await client.delete(url)).status_code == 204
            assert (await client.get(url)).status_code == 404
    assert talking.result() == 404


async def _refused_in_the_end(server: Chat) -> int:
    for i in range(100):
        try:
            await talk(server, f"c{i}", 1)
        except InvalidStatus as refused:
            return refused.response.status_code
    return 0


async def test_a_flood_of_frames_that_mean_nothing(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as socket:
        await kinds(socket, "ask_for_prompt")
        for i in range(500):
            await socket.send("{" if i % 2 else chat.prompt("hi", f"refused:{i}"))
        async with asyncio.timeout(10):
            refusals = [json.loads(await socket.recv()) for _ in range(500)]
        assert all(refusal["message_id"].startswith("refused:") for refusal in refusals)
    assert [container.message.kind for container in await history(chat)] == [
        "system_prompt",
        "ask_for_prompt",
    ]


async def test_a_frame_that_is_too_large_ends_its_connection_only(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as socket, chat.open(offer=(STRICT,)) as other:
        await kinds(socket, "ask_for_prompt")
        with contextlib.suppress(ConnectionClosed):
            await socket.send("x" * (5 * 2**20))
            await socket.recv()
        assert socket.close_code == 1009
        await kinds(other, "ask_for_prompt")


async def test_a_session_has_only_so_many_connections(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "MOST_CONNECTIONS", 2)
    async with chat.open(offer=(STRICT,)) as first, chat.open(offer=(LIVE,)) as second:
        for socket in (first, second):
            await kinds(socket, "ask_for_prompt")
        with pytest.raises(InvalidStatus) as caught:
            async with chat.open():
                pass
    assert caught.value.response.status_code == 503


async def test_a_slow_reader_is_closed_and_resumes(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "MOST_QUEUED", 1)
    async with chat.open(offer=(STRICT,)) as socket:
        last: Any = None
        with contextlib.suppress(ConnectionClosed):
            while True:
                last = json.loads(await socket.recv())["message_id"]
        assert socket.close_code == 1013
    async with chat.open(f"?after={last}", offer=(STRICT,)) as socket:
        assert await kinds(socket, "ask_for_prompt") == ["ask_for_prompt"]
