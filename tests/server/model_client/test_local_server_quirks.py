"""What real local servers do that OpenAI's does not, and what the client makes of it.

llama.cpp's server is the real one, over a random model: its words are nonsense, its protocol is not. What
llama-cpp-python's server does is played, as observed of version 0.3.36.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from local_llm import LocalLlm, serving
from random_gguf import write_random_gguf

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import DecisionUsage, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.model_client.events import ClientEvent, RequestSent
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.testing import Feature, Peer, RecordingProxy, Reply, ScriptedOpenAIServer, replayed

LIMIT = {"type": "object", "properties": {"limit": {"type": "integer"}}, "required": ["limit"]}
SOLVE = AllowedTool(name="solve", description="Solve the model.", input_schema=LIMIT)
PACKET = ContextPacket(goal="solve within 4 seconds", allowed_tools=(SOLVE,))
SOLVE_CALL = ToolCall(name="solve", input={"limit": 4})
DECIDED = json.dumps({"thought_summary": "", "action": SOLVE_CALL.model_dump()})
TOOLS = [{"type": "function", "function": {"name": "solve", "parameters": LIMIT}}]


@asynccontextmanager
async def client_of(base_url: str, **settings: Any) -> AsyncIterator[OpenAIModelClient]:
    """A client that does not wait between attempts; `settings` are fields of its `HarnessConfig`."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    config = HarnessConfig(**{"base_url": base_url, "model": "random", "max_tokens": 400} | settings)
    client = OpenAIModelClient(config, asleep=at_once)
    try:
        yield client
    finally:
        await client.aclose()


async def posted(base_url: str, **more: Any) -> httpx.Response:
    body = {"model": "random", "max_tokens": 40, "messages": [{"role": "user", "content": "hello"}]} | more
    async with httpx.AsyncClient(trust_env=False, timeout=15) as http:
        return await http.post(f"{base_url}/chat/completions", json=body)


def test_the_random_model_is_small_and_always_the_same(random_model: Path, tmp_path: Path):
    again = write_random_gguf(tmp_path / "again.gguf")

    assert again.read_bytes() == random_model.read_bytes()
    assert again.stat().st_size < 500_000


async def test_a_stream_ends_with_done_and_its_last_event_carries_timings(local_llm: LocalLlm):
    answer = await posted(local_llm.base_url, stream=True, stream_options={"include_usage": True})
    *_, last, done = [line for line in answer.text.split("\n") if line]

    assert done == "data: [DONE]"
    event = json.loads(last.removeprefix("data: "))
    assert event["choices"] == []
    assert event["usage"]["completion_tokens"] == 40
    assert event["timings"]["predicted_n"] == 40


@pytest.mark.parametrize("form", ["json_schema", "json_object"])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_schema_binds_the_reply(
    local_llm: LocalLlm, form: Literal["json_schema", "json_object"], stream: bool
):
    settings = {"native_tool_calls": False, "structured_output": form, "stream_model_calls": stream}
    # At temperature 0 a random model may go round in a circle within a string.
    async with client_of(local_llm.base_url, max_tokens=2000, temperature=1.0, **settings) as client:
        decision = await client.adecide(PACKET)

    assert decision.transport == "json"
    assert decision.transport_trace == []
    assert decision.usage is not None
    assert decision.usage.completion_tokens > 10


async def test_a_required_call_is_not_enforced_and_the_client_does_not_ask_for_ever(local_llm: LocalLlm):
    events: list[ClientEvent] = []
    async with client_of(local_llm.base_url, max_tokens=50) as client:
        with pytest.raises(DecisionParseError, match="cut off at the limit of 50 tokens") as caught:
            await client.adecide_watched(PACKET, events.append)

    requests = [event.body for event in events if isinstance(event, RequestSent)]
    assert [request["tool_choice"] for request in requests] == ["required"] * 3
    assert caught.value.usage is not None
    assert caught.value.usage.completion_tokens == 3 * 50


async def test_the_choice_of_one_tool_is_ignored(local_llm: LocalLlm):
    named = {"type": "function", "function": {"name": "solve"}}
    answer = await posted(local_llm.base_url, tools=TOOLS, tool_choice=named)

    assert answer.status_code == 200
    assert "tool_calls" not in answer.json()["choices"][0]["message"]


async def test_a_reply_that_runs_on_is_cut_at_the_limit(local_llm: LocalLlm):
    answer = (await posted(local_llm.base_url)).json()

    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["usage"]["completion_tokens"] == 40


async def test_a_cancelled_reply_frees_the_server_for_the_next(local_llm: LocalLlm):
    async with client_of(local_llm.base_url, max_tokens=30_000) as client, asyncio.TaskGroup() as group:
        sent = asyncio.Event()
        long = group.create_task(client.adecide_watched(PACKET, lambda event: sent.set()))
        await sent.wait()
        await asyncio.sleep(0.3)
        assert long.cancel()

    began = time.monotonic()
    await posted(local_llm.base_url)
    assert time.monotonic() - began < 5


async def test_a_server_that_works_for_somebody_else_is_silent_and_the_client_does_not_wait(
    local_llm: LocalLlm,
):
    busy = {"model": "random", "max_tokens": 30_000, "messages": [{"role": "user", "content": "hello"}]}
    address = f"{local_llm.base_url}/chat/completions"
    impatient = {"request_idle_timeout_seconds": 0.5, "transport_max_retries": 0}
    async with (
        httpx.AsyncClient(trust_env=False) as http,
        http.stream("POST", address, json=busy | {"stream": True}),
        client_of(local_llm.base_url, **impatient) as client,
    ):
        began = time.monotonic()
        with pytest.raises(TransportError, match="did not answer in time"):
            await client.adecide(PACKET)
        assert time.monotonic() - began < 5


async def test_a_server_killed_in_the_middle_of_a_reply_is_told_and_not_waited_for(random_model: Path):
    with serving(random_model) as server:
        async with client_of(server.base_url, max_tokens=30_000) as client, asyncio.TaskGroup() as group:
            sent = asyncio.Event()
            asked = group.create_task(_told(client, sent))
            await sent.wait()
            await asyncio.sleep(0.3)
            server.kill()
            assert "cannot be reached" in await asked


async def _told(client: OpenAIModelClient, sent: asyncio.Event) -> str:
    with pytest.raises(TransportError) as caught:
        await client.adecide_watched(PACKET, lambda event: sent.set())
    return str(caught.value)


async def test_a_server_that_is_still_loading_is_asked_again():
    loading = Reply.error(503, "Loading model")
    async with (
        ScriptedOpenAIServer([loading, loading, Reply.tool_call("solve", {"limit": 4})]) as server,
        client_of(server.base_url) as client,
    ):
        decision = await client.adecide(PACKET)

    assert decision.action == SOLVE_CALL
    assert decision.transport_trace == ["HTTP 503: Loading model"] * 2


async def test_json_schema_is_answered_with_500_and_json_object_with_a_schema_works():
    async with (
        played([Reply.text(DECIDED), Reply.text(DECIDED)], "json_schema") as server,
        client_of(server.base_url, native_tool_calls=False) as client,
    ):
        decisions = [await client.adecide(PACKET) for _ in range(2)]

    assert [decision.action for decision in decisions] == [SOLVE_CALL] * 2
    forms = [request["response_format"] for request in server.requests]
    assert [form["type"] for form in forms] == ["json_schema", "json_object", "json_object"]
    assert forms[1]["schema"] == forms[0]["json_schema"]["schema"]


async def test_a_required_call_is_answered_with_500_and_asked_for_without():
    replies = [Reply.tool_call("solve", {"limit": 4})] * 2
    async with played(replies, "tool_choice") as server, client_of(server.base_url) as client:
        decisions = [await client.adecide(PACKET) for _ in range(2)]

    assert [decision.action for decision in decisions] == [SOLVE_CALL] * 2
    assert [request["tool_choice"] for request in server.requests] == ["required", "auto", "auto"]


@pytest.mark.parametrize("dress", ["plain", "fenced", "tagged", "doubled"])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_call_written_into_the_text_counts(
    dress: Literal["plain", "fenced", "tagged", "doubled"], stream: bool
):
    reply = Reply.written_call("solve", {"limit": 4}, dress)
    async with (
        ScriptedOpenAIServer([reply]) as server,
        client_of(server.base_url, stream_model_calls=stream) as client,
    ):
        decision = await client.adecide(PACKET)

    assert decision.action == SOLVE_CALL
    assert decision.transport == "json_fallback"


@pytest.mark.parametrize(
    "content",
    ["functions.solve:", "\n" * 400, "```json\n" + "\n" * 300, "Sure, I can solve that for you.", "`" * 300],
)
async def test_text_that_is_no_call_goes_back_to_the_model(content: str):
    replies = [Reply.text(content, finish_reason="length"), Reply.tool_call("solve", {"limit": 4})]
    async with ScriptedOpenAIServer(replies) as server, client_of(server.base_url) as client:
        decision = await client.adecide(PACKET)

    assert decision.action == SOLVE_CALL
    (note,) = decision.retry_trace
    assert "the reply was cut off at the limit of 400 tokens" in note.error
    assert decision.usage == DecisionUsage(prompt_tokens=40, completion_tokens=10)
    assert server.requests[1]["messages"][:-2] == server.requests[0]["messages"]


async def test_a_model_that_leaves_the_form_of_its_characters_breaks_the_server_and_not_the_client():
    """llama.cpp's server answers so when a reply bound by a schema is no UTF-8."""
    broken = Reply.error(500, "The model produced output that does not match the expected peg-native format")
    async with (
        ScriptedOpenAIServer([broken, Reply.text(DECIDED)]) as server,
        client_of(server.base_url, native_tool_calls=False) as client,
    ):
        decision = await client.adecide(PACKET)

    assert decision.action == SOLVE_CALL
    assert len(decision.transport_trace) == 1
    assert server.requests[1] == server.requests[0]  # not taken for a refusal of the schema


async def test_a_recording_of_a_real_server_leads_to_the_same_decision(local_llm: LocalLlm, tmp_path: Path):
    path = tmp_path / "recording.jsonl"
    settings = {"native_tool_calls": False, "max_tokens": 2000, "temperature": 1.0}
    async with (
        RecordingProxy(local_llm.base_url, path) as proxy,
        client_of(proxy.base_url, **settings) as client,
    ):
        recorded = await client.adecide(PACKET)

    async with (
        ScriptedOpenAIServer(replayed(path)) as server,
        client_of(server.base_url, **settings) as client,
    ):
        assert await client.adecide(PACKET) == recorded


def played(replies: Sequence[Reply], *refuses: Feature) -> ScriptedOpenAIServer:
    """llama-cpp-python's server: a request it does not like is an error of its own."""
    return ScriptedOpenAIServer(replies, Peer(refuses=frozenset(refuses), refusal_status=500))
