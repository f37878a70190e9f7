"""A scripted endpoint over real HTTP: replies in order, told manners, and a clean end."""

import asyncio
import time
from typing import Any

import httpx
import pytest
from asking import TOOLS, ask, joined, message

from decision_ai_server.testing import Answering, Manner, Peer, Reply, ScriptedOpenAIServer

LONG = "sixteen letters." * 4


async def test_replies_are_played_in_order_and_requests_are_kept(http: httpx.AsyncClient):
    async with ScriptedOpenAIServer([Reply.text("one"), Reply.text("two")]) as server:
        assert message(await ask(http, server.base_url))["content"] == "one"
        assert joined((await ask(http, server.base_url, stream=True)).text) == "two"
        used_up = await ask(http, server.base_url)

    assert used_up.status_code == 400
    assert used_up.json()["error"]["message"] == "the script is used up"
    assert [request.get("stream") for request in server.requests] == [None, True, None]
    assert server.headers[0]["content-type"] == "application/json"


async def test_the_last_reply_may_repeat_and_a_reply_may_follow_from_the_request(http: httpx.AsyncClient):
    echo = Answering(lambda request: Reply.text(request["messages"][-1]["content"].upper()))
    async with ScriptedOpenAIServer([echo], Peer(repeat_last=True)) as server:
        answers = [message(await ask(http, server.base_url))["content"] for _ in range(3)]

    assert answers == ["HELLO"] * 3


async def test_models_keys_and_unknown_addresses(http: httpx.AsyncClient):
    peer = Peer(models=("a", "b"), api_key="right")
    async with ScriptedOpenAIServer([], peer) as server:
        right = {"Authorization": "Bearer right"}
        models = await http.get(f"{server.base_url}/models", headers=right)
        assert [model["id"] for model in models.json()["data"]] == ["a", "b"]
        assert (await http.get(f"{server.base_url}/models")).status_code == 401
        assert (await http.get(f"{server.base_url}/other", headers=right)).status_code == 404


async def test_what_is_no_json_is_refused(http: httpx.AsyncClient):
    async with ScriptedOpenAIServer([Reply.text("one")]) as server:
        answer = await http.post(f"{server.base_url}/chat/completions", content=b"{")
        assert answer.status_code == 400
        assert message(await ask(http, server.base_url))["content"] == "one"


async def test_a_refused_request_uses_up_no_reply(http: httpx.AsyncClient):
    peer = Peer(refuses=frozenset({"tools"}), refusal_status=500)
    async with ScriptedOpenAIServer([Reply.text("one")], peer) as server:
        assert (await ask(http, server.base_url, tools=TOOLS)).status_code == 500
        assert (await ask(http, server.base_url, messages=[])).status_code == 400
        assert message(await ask(http, server.base_url))["content"] == "one"

    assert len(server.requests) == 3


async def test_a_stall_before_the_first_byte_outlasts_a_client_and_is_noticed(http: httpx.AsyncClient):
    reply = Reply.text("late", manner=Manner(stall_seconds=60))
    async with ScriptedOpenAIServer([reply, Reply.text("next")]) as server:
        with pytest.raises(httpx.ReadTimeout):
            await http.post(
                f"{server.base_url}/chat/completions",
                json={"model": "m", "messages": [{"role": "user", "content": "x"}]},
                timeout=0.1,
            )
        assert message(await ask(http, server.base_url))["content"] == "next"

    assert server.broken_off == 1


@pytest.mark.parametrize("stream", [True, False])
async def test_a_stall_may_come_in_the_middle(http: httpx.AsyncClient, stream: bool):
    reply = Reply.text(LONG, manner=Manner(stall_seconds=60, stall_after=1))
    request = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "x"}]}
    async with ScriptedOpenAIServer([reply]) as server:
        address = f"{server.base_url}/chat/completions"
        async with http.stream("POST", address, json=request, timeout=0.2) as answer:
            received: list[bytes] = []
            with pytest.raises(httpx.ReadTimeout):
                received.extend([piece async for piece in answer.aiter_raw()])
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "manner",
    [
        Manner(cut_after_bytes=0),
        Manner(cut_after_bytes=250),
        Manner(cut_after_pieces=0),
        Manner(cut_after_pieces=1),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
async def test_a_connection_may_be_cut_anywhere(http: httpx.AsyncClient, manner: Manner, stream: bool):
    async with ScriptedOpenAIServer([Reply.text(LONG, manner=manner), Reply.text("next")]) as server:
        with pytest.raises(httpx.TransportError):
            await ask(http, server.base_url, stream=stream)
        assert message(await ask(http, server.base_url))["content"] == "next"


async def test_pieces_may_come_slowly(http: httpx.AsyncClient):
    reply = Reply.text("abcdef", manner=Manner(fragment=2, delay_seconds=0.02))
    async with ScriptedOpenAIServer([reply]) as server:
        began = time.monotonic()
        assert joined((await ask(http, server.base_url, stream=True)).text) == "abcdef"
        assert time.monotonic() - began > 0.08


async def test_errors_carry_headers_and_may_be_a_page(http: httpx.AsyncClient):
    replies = [
        Reply.error(429, "slow down", {"Retry-After": "7"}),
        Reply.error(502, "bad gateway", html=True),
        Reply.error(599),
    ]
    async with ScriptedOpenAIServer(replies) as server:
        limited, page, odd = [await ask(http, server.base_url, stream=True) for _ in replies]

    assert (limited.status_code, limited.headers["retry-after"]) == (429, "7")
    assert limited.json()["error"]["message"] == "slow down"
    assert (page.status_code, page.headers["content-type"]) == (502, "text/html")
    assert "bad gateway" in page.text
    assert odd.status_code == 599


async def test_the_end_of_a_server_ends_what_it_is_serving():
    reached = asyncio.Event()

    def stall(request: dict[str, Any]) -> Reply:
        reached.set()
        return Reply.text("late", manner=Manner(stall_seconds=60))

    async with httpx.AsyncClient(trust_env=False) as http, asyncio.TaskGroup() as group:
        async with ScriptedOpenAIServer([Answering(stall)]) as server:
            asked = group.create_task(_lost(http, server.base_url))
            await reached.wait()
        assert await asked


async def test_what_goes_wrong_in_a_function_of_the_script_is_raised_at_the_end(http: httpx.AsyncClient):
    def wrong(request: dict[str, Any]) -> Reply:
        raise AssertionError("the request is not what I expected")

    with pytest.raises(AssertionError, match="not what I expected"):
        async with ScriptedOpenAIServer([Answering(wrong)]) as server:
            assert await _lost(http, server.base_url)


async def _lost(http: httpx.AsyncClient, base_url: str) -> bool:
    try:
        await ask(http, base_url)
    except httpx.TransportError:
        return True
    return False
