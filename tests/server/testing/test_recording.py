"""What passes a recording proxy is written down without its secrets, and plays again as it was."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from asking import TOOLS, arguments, ask, body, joined

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.testing import (
    Manner,
    Peer,
    RecordingProxy,
    Reply,
    ScriptedOpenAIServer,
    call,
    replayed,
)

KEY = "key-of-the-tests"


def keyed(http: httpx.AsyncClient) -> httpx.AsyncClient:
    http.headers["Authorization"] = f"Bearer {KEY}"
    http.cookies["session"] = "cookie-of-the-tests"
    return http


async def test_exchanges_are_written_and_play_again(http: httpx.AsyncClient, tmp_path: Path):
    script = [
        Reply.tool_calls(call("solve", {"limit": 4}), call("solve", {}), content="two"),
        Reply.text("streamed \u2028 text", manner=Manner(fragment=3)),
        Reply.error(429, "slow down", {"Retry-After": "3", "Set-Cookie": "a=b"}),
        Reply.text("x", manner=Manner(body="nul")),
    ]
    asked = [{"tools": TOOLS}, {"stream": True}, {}, {}]
    path = tmp_path / "recording.jsonl"
    async with (
        ScriptedOpenAIServer(script, Peer(api_key=KEY)) as server,
        RecordingProxy(server.base_url, path) as proxy,
    ):
        assert (await keyed(http).get(f"{proxy.base_url}/models")).status_code == 200
        passed = [await ask(keyed(http), proxy.base_url, **more) for more in asked]
    exchanges = replayed(path)

    async with ScriptedOpenAIServer(exchanges) as server:
        played = [await ask(http, server.base_url, **more) for more in asked]
    assert [answer.content for answer in played] == [answer.content for answer in passed]
    assert [answer.status_code for answer in played] == [200, 200, 429, 200]
    assert joined(played[1].text) == "streamed \u2028 text"
    assert played[2].headers["retry-after"] == "3"
    assert exchanges[0].request == body(tools=TOOLS)
    assert len(exchanges[1].chunks) > 5
    written = path.read_text()
    assert not [secret for secret in (KEY, "cookie", "Set-Cookie", "127.0.0.1") if secret in written]


async def test_a_client_decides_the_same_on_a_recording(tmp_path: Path):
    path = tmp_path / "recording.jsonl"
    script = [Reply.text("no call"), Reply.tool_call("solve", {"limit": 4}), Reply.text("no call either")] * 2
    async with ScriptedOpenAIServer(script) as server, RecordingProxy(server.base_url, path) as proxy:
        recorded = await decided(proxy.base_url)
    async with ScriptedOpenAIServer(replayed(path)) as server:
        assert await decided(server.base_url) == recorded
    assert [decision.action.type for decision in recorded] == ["tool_call"] * 2


async def decided(base_url: str) -> list[ModelDecision]:
    """Two decisions of a client, each with a reply that had to be sent back."""
    client = OpenAIModelClient(HarnessConfig(base_url=base_url, model="m"))
    packet = ContextPacket(goal="solve", allowed_tools=(AllowedTool(name="solve", description="Solve."),))
    try:
        return [await client.adecide(packet) for _ in range(2)]
    finally:
        await client.aclose()


async def test_secrets_in_bodies_are_removed_also_where_a_stream_spreads_them(
    http: httpx.AsyncClient, tmp_path: Path
):
    path = tmp_path / "recording.jsonl"
    script = [
        Reply.text(f"the host is plant-7.example and the key {KEY}"),
        Reply.tool_call("solve", {"host": "plant-7.example"}, manner=Manner(fragment=2)),
    ]
    async with (
        ScriptedOpenAIServer(script) as server,
        RecordingProxy(server.base_url, path, secrets=["plant-7.example"]) as proxy,
    ):
        for stream in (False, True):
            messages = [{"role": "user", "content": f"{KEY} at plant-7.example"}]
            await ask(keyed(http), proxy.base_url, stream=stream, messages=messages)

    plain, streamed = replayed(path)
    assert plain.request["messages"][0]["content"] == "REMOVED at REMOVED"
    assert "the host is REMOVED and the key REMOVED" in plain.chunks[0].data
    assert json.loads(arguments("".join(chunk.data for chunk in streamed.chunks))) == {"host": "REMOVED"}


@pytest.mark.parametrize("stream", [True, False])
async def test_a_cut_reply_is_cut_again(http: httpx.AsyncClient, tmp_path: Path, stream: bool):
    path = tmp_path / "recording.jsonl"
    script = [Reply.text("a long text " * 5, manner=Manner(cut_after_pieces=1))]
    async with ScriptedOpenAIServer(script) as server, RecordingProxy(server.base_url, path) as proxy:
        with pytest.raises(httpx.TransportError):
            await ask(http, proxy.base_url, stream=stream)

    (exchange,) = replayed(path)
    assert not exchange.complete
    async with ScriptedOpenAIServer([exchange]) as server:
        with pytest.raises(httpx.TransportError):
            await ask(http, server.base_url, stream=stream)


async def test_a_stream_passes_on_as_it_comes(http: httpx.AsyncClient, tmp_path: Path):
    script = [Reply.text("abcdefgh", manner=Manner(fragment=4, stall_after=3, stall_seconds=0.3))]
    path = tmp_path / "recording.jsonl"
    async with ScriptedOpenAIServer(script) as server, RecordingProxy(server.base_url, path) as proxy:
        address = f"{proxy.base_url}/chat/completions"
        async with http.stream("POST", address, json=body(stream=True)) as answer:
            lines = answer.aiter_lines()
            async with asyncio.timeout(0.2):
                while "abcd" not in await anext(lines):
                    pass
            async for _ in lines:
                pass

    (exchange,) = replayed(path)
    times = [chunk.at for chunk in exchange.chunks]
    assert times == sorted(times)
    assert max(times) > 0.2


async def test_what_is_no_request_for_a_completion_passes_and_is_not_written(
    http: httpx.AsyncClient, tmp_path: Path
):
    path = tmp_path / "recording.jsonl"
    async with ScriptedOpenAIServer([]) as server, RecordingProxy(server.base_url, path) as proxy:
        broken = [
            await http.post(f"{proxy.base_url}/chat/completions", content=body) for body in (b"{", b"[]")
        ]
        elsewhere = await http.post(f"{proxy.base_url}/embeddings", json={})

    assert [answer.status_code for answer in [*broken, elsewhere]] == [400, 400, 404]
    assert replayed(path) == ()


async def test_an_endpoint_that_is_not_there_is_told(http: httpx.AsyncClient, tmp_path: Path):
    async with ScriptedOpenAIServer([]) as server:
        gone = server.base_url
    script = [Reply.text("a", manner=Manner(cut_after_bytes=0))]
    for number, upstream in enumerate((gone, "mute")):
        path = tmp_path / f"{number}.jsonl"
        async with ScriptedOpenAIServer(script) as server:
            address = server.base_url if upstream == "mute" else upstream
            async with RecordingProxy(address, path) as proxy:
                answer = await ask(http, proxy.base_url)
        assert answer.status_code == 502
        assert "the endpoint is lost" in answer.json()["error"]["message"]
        assert replayed(path) == ()


def test_a_secret_too_short_to_be_one_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="at least 4 characters"):
        RecordingProxy("http://127.0.0.1:1/v1", tmp_path / "a", secrets=["abc"])
