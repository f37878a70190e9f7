"""The WebSocket of a session, over a real socket."""

import json
from typing import Any

import httpx
import pytest
from sockets import BEARER, LIVE, STRICT, Chat, kinds
from websockets.exceptions import ConnectionClosed, InvalidStatus


async def test_a_turn_over_a_strict_connection(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as socket:
        assert socket.subprotocol == STRICT
        assert await kinds(socket, "ask_for_prompt") == ["system_prompt", "ask_for_prompt"]
        await socket.send(chat.prompt("hi"))
        assert await kinds(socket, "ask_for_prompt") == ["prompt", "chat_response", "ask_for_prompt"]


async def test_a_live_connection_learns_who_is_there(chat: Chat) -> None:
    async with chat.open() as socket:
        assert socket.subprotocol == LIVE
        assert set(await kinds(socket, "ask_for_prompt")) == {"presence", "system_prompt", "ask_for_prompt"}


async def test_a_reconnect_gets_what_it_missed_and_the_open_ask(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as socket:
        first = json.loads(await socket.recv())["message_id"]
        last = json.loads(await socket.recv())["message_id"]
    for after, expected in ((first, ["ask_for_prompt"]), (last, ["ask_for_prompt"]), ("no-such-id", None)):
        async with chat.open(f"?after={after}", offer=(STRICT,)) as socket:
            seen = await kinds(socket, "ask_for_prompt")
            assert seen == (expected or ["system_prompt", "ask_for_prompt"])


@pytest.mark.parametrize(
    ("how", "status", "detail"),
    [
        ({"offer": ()}, 400, "offer decision-ai.v1.live or decision-ai.v1"),
        ({"offer": ("chat.v9",)}, 400, "offer decision-ai.v1.live or decision-ai.v1"),
        ({"key": "wrong"}, 401, "not the server's key"),
        ({"id": "nobody"}, 404, "there is no chat session 'nobody'"),
    ],
)
async def test_a_refused_handshake_says_why(chat: Chat, how: Any, status: int, detail: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with chat.open(**how):
            pass

    assert caught.value.response.status_code == status
    assert detail in json.loads(caught.value.response.body)["detail"]


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        ("not json", "the frame is not JSON"),
        (b"\x00\x01", "the frame is binary"),
        ('{"chat_session_id": "x", "message": {"kind": "launch"}}', "unknown kind 'launch'"),
    ],
)
async def test_a_frame_that_cannot_be_read_is_refused_and_the_connection_lives(
    chat: Chat, frame: str | bytes, sentence: str
) -> None:
    async with chat.open(offer=(STRICT,)) as socket:
        await kinds(socket, "ask_for_prompt")
        await socket.send(frame)
        refusal = json.loads(await socket.recv())
        assert refusal["message_id"] == "refused:"
        assert sentence in refusal["message"]["error"]
        await socket.send(chat.prompt("hi"))
        assert (await kinds(socket, "ask_for_prompt"))[0] == "prompt"


async def test_a_second_client_watches_until_it_takes_the_floor(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as first, chat.open(offer=(STRICT,)) as second:
        for socket in (first, second):
            await kinds(socket, "ask_for_prompt")
        await second.send(chat.prompt("hi", "p2"))
        assert json.loads(await second.recv())["message_id"] == "refused:p2"
        async with chat.open("?floor=take", offer=(STRICT,)) as third:
            await kinds(third, "ask_for_prompt")
            await third.send(chat.prompt("hi", "p3"))
            assert (await kinds(first, "ask_for_prompt"))[0] == "prompt"


async def test_deleting_the_session_closes_its_connections(chat: Chat) -> None:
    async with chat.open(offer=(STRICT,)) as socket:
        await kinds(socket, "ask_for_prompt")
        async with httpx.AsyncClient(headers=BEARER) as client:
            url = f"http://127.0.0.1:{chat.port}/v1/chat_sessions/{chat.session_id}"
            assert (await client.delete(url)).status_code == 204
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 4404
