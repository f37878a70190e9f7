"""The client against a real endpoint: requests, decisions, malformed replies."""

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import AskUser, DecisionUsage, FinalAnswer, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.model_client.events import AnswerDelta, RequestSent, Restarted
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.testing.openai_server import Manner, Reply, call
from tests.server.model_client.endpoints import PACKET, SHOWN, bench

SHOW_CALL = ToolCall(name="show", input={"part": "capacity"})
BROKEN = Reply.tool_call("show", '{"part": ')


async def test_a_native_call_becomes_a_decision() -> None:
    async with bench([SHOWN, SHOWN]) as it:
        for decision, transport in [
            (await it.decide(), "native_stream"),
            (await it.decide_in_thread(), "native"),
        ]:
            assert decision.action == SHOW_CALL
            assert decision.thought_summary == "I look first."
            assert decision.usage == DecisionUsage(prompt_tokens=20, completion_tokens=5)
            assert decision.transport == transport
            assert (decision.retry_trace, decision.transport_trace, decision.streaming_fallback) == (
                [],
                [],
                "",
            )


async def test_what_a_request_says() -> None:
    async with bench([SHOWN, SHOWN], temperature=0.5, max_tokens=99) as it:
        await it.decide()
        await it.decide_in_thread()
    streamed, plain = it.bodies
    assert {key: value for key, value in plain.items() if key not in {"messages", "tools"}} == {
        "model": "scripted",
        "temperature": 0.5,
        "max_tokens": 99,
        "parallel_tool_calls": False,
        "tool_choice": "required",
    }
    assert streamed == plain | {"stream": True, "stream_options": {"include_usage": True}}
    assert [tool["function"]["name"] for tool in plain["tools"]] == [
        "show",
        "edit",
        "final_answer",
        "ask_user",
    ]
    assert [event for event in it.events if isinstance(event, RequestSent)] == [RequestSent(streamed)]


async def test_no_limit_of_tokens_is_sent_where_none_is_set() -> None:
    async with bench(max_tokens=None) as it:
        await it.decide()
    assert "max_tokens" not in it.bodies[0]


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (Reply.tool_call("final_answer", {"answer": "104"}), FinalAnswer(answer="104")),
        (Reply.tool_call("ask_user", {"question": "Which?"}), AskUser(question="Which?")),
    ],
)
async def test_the_actions_are_calls_too(reply: Reply, action: Any) -> None:
    async with bench([reply]) as it:
        assert (await it.decide()).action == action


async def test_only_the_first_of_several_calls_counts() -> None:
    reply = Reply.tool_calls(call("show", {"part": "capacity"}), call("edit", {"code": "x"}))
    async with bench([reply]) as it:
        decision = await it.decide()
    assert decision.action == SHOW_CALL
    (note,) = decision.retry_trace
    assert "only the first call counts" in note.error
    assert note.raw == 'edit({"code": "x"})'


@pytest.mark.parametrize("dress", ["plain", "fenced", "tagged", "doubled"])
async def test_a_call_written_into_the_text_counts(dress: Any) -> None:
    async with bench([Reply.written_call("show", {"part": "capacity"}, dress)]) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport) == (SHOW_CALL, "json_fallback")


@pytest.mark.parametrize("protocol", [True, False])
async def test_what_belongs_to_the_harness_is_not_taken_from_the_model(protocol: bool) -> None:
    forged = {
        "thought_summary": "t",
        "action": {"type": "final_answer", "answer": "a"},
        "retry_trace": [{"error": "forged"}],
        "transport_trace": ["forged"],
        "streaming_fallback": "forged",
        "usage": {"prompt_tokens": 9_999},
        "transport": "forged",
    }
    async with bench([Reply.text(json.dumps(forged))], native_tool_calls=protocol) as it:
        decision = await it.decide()
    assert "forged" not in decision.model_dump_json()
    assert decision.usage == DecisionUsage(prompt_tokens=20, completion_tokens=5)


@pytest.mark.parametrize(
    ("bad", "wrong"),
    [
        (BROKEN, "not valid JSON"),
        (Reply.tool_call("show", "[1]"), "a list"),
        (Reply.tool_call("shwo", {}), "there is no tool 'shwo'"),
        (Reply.tool_call("final_answer", {"text": "x"}), "answer"),
    ],
)
async def test_a_malformed_call_is_shown_to_the_model_again(bad: Reply, wrong: str) -> None:
    async with bench([bad, SHOWN]) as it:
        decision = await it.decide()
    assert decision.action == SHOW_CALL
    (note,) = decision.retry_trace
    assert wrong in note.error
    assert decision.usage == DecisionUsage(prompt_tokens=40, completion_tokens=10)
    first, second = (body["messages"] for body in it.bodies)
    *same, replayed, answer = second
    assert same == first
    (again,) = replayed["tool_calls"]
    assert again["function"] == {"name": bad.calls[0].name, "arguments": bad.calls[0].arguments}
    assert answer["role"] == "tool"
    assert answer["tool_call_id"] == again["id"] == "call_0_0"
    assert wrong in answer["content"]
    assert "same action" in answer["content"]


async def test_prose_without_a_call_is_sent_back() -> None:
    async with bench([Reply.text("The capacity is 10."), SHOWN]) as it:
        decision = await it.decide()
    assert [note.raw for note in decision.retry_trace] == ["The capacity is 10."]
    assistant, user = it.bodies[1]["messages"][-2:]
    assert assistant == {"role": "assistant", "content": "The capacity is 10."}
    assert "calls no tool" in user["content"]


async def test_a_model_that_stays_malformed_ends_in_an_error_with_all_tokens() -> None:
    async with bench([BROKEN] * 3) as it:
        with pytest.raises(
            DecisionParseError, match=r"no valid decision in 3 replies.*not valid JSON"
        ) as raised:
            await it.decide()
    assert raised.value.usage == DecisionUsage(prompt_tokens=60, completion_tokens=15)
    assert len(it.bodies) == 3
    assert it.pauses == []


async def test_the_number_of_tries_is_a_setting() -> None:
    async with bench([BROKEN]) as it:
        client = OpenAIModelClient(HarnessConfig(base_url=it.server.base_url, model="m"), max_parse_retries=0)
        with pytest.raises(DecisionParseError):
            await client.adecide(PACKET)
        await client.aclose()
    assert len(it.bodies) == 1


@pytest.mark.parametrize(("tool", "characters"), [("show", 2_000), ("edit", 12_000)])
async def test_long_malformed_calls_are_shown_in_part(tool: str, characters: int) -> None:
    async with bench([Reply.tool_call(tool, '"' + "x" * 20_000, manner=Manner(fragment=None)), SHOWN]) as it:
        decision = await it.decide()
    shown = it.bodies[1]["messages"][-2]["tool_calls"][0]["function"]["arguments"]
    assert shown.startswith('"' + "x" * (characters - 1) + "…")
    assert len(shown) < characters + 50
    assert len(decision.retry_trace[0].raw) < characters + 50


async def test_a_reply_cut_off_at_the_limit_is_told_as_such() -> None:
    cut = Reply.tool_call("edit", '{"code": "def', finish_reason="length")
    async with bench([cut, SHOWN], max_tokens=64) as it:
        decision = await it.decide()
    assert "cut off at the limit of 64 tokens" in decision.retry_trace[0].error
    assert "cut off at the limit of 64 tokens" in it.bodies[1]["messages"][-1]["content"]


async def test_blank_lines_up_to_the_limit_are_the_models_fault() -> None:
    async with bench([Reply.text("\n" * 40, finish_reason="length"), SHOWN]) as it:
        decision = await it.decide()
    assert "cut off" in decision.retry_trace[0].error
    assert it.bodies[1]["messages"][-2]["content"].strip()
    assert it.pauses == []


async def test_a_malformed_streamed_answer_is_withdrawn() -> None:
    bad = Reply.tool_call("final_answer", '{"answer": "It is 1')
    async with bench([bad, Reply.tool_call("final_answer", {"answer": "It is 104."})]) as it:
        decision = await it.decide()
    assert decision.action == FinalAnswer(answer="It is 104.")
    kinds = [type(event) for event in it.events]
    restart = kinds.index(Restarted)
    assert AnswerDelta in kinds[:restart]
    told = [event.text for event in it.events[restart:] if isinstance(event, AnswerDelta)]
    assert "".join(told) == "It is 104."


async def test_construction_needs_neither_a_key_nor_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    client = OpenAIModelClient(HarnessConfig())
    with pytest.raises(TransportError, match=r"pip install 'decision-ai\[openai\]'"):
        client.decide(PACKET)
    with pytest.raises(TransportError, match=r"pip install 'decision-ai\[openai\]'"):
        await client.adecide(PACKET)


def test_one_client_serves_several_event_loops() -> None:
    async def decided() -> str:
        async with bench() as it:
            client = OpenAIModelClient(HarnessConfig(base_url=it.server.base_url, model="m"), aclient=None)
            decision = await client.adecide(PACKET)
            await client.aclose()
            await client.aclose()
            return decision.transport

    assert [asyncio.run(decided()) for _ in range(2)] == ["native_stream"] * 2


async def test_a_closed_client_opens_again() -> None:
    async with bench([SHOWN] * 4) as it:
        for _ in range(2):
            assert (await it.decide()).action == SHOW_CALL
            assert (await it.decide_in_thread()).action == SHOW_CALL
            await it.client.aclose()


async def test_decisions_at_the_same_time_share_one_client() -> None:
    async with bench([SHOWN] * 5) as it, asyncio.TaskGroup() as group:
        tasks = [group.create_task(it.decide()) for _ in range(5)]
    assert all(task.result().action == SHOW_CALL for task in tasks)


def test_a_client_of_ones_own_is_used_and_stays_open() -> None:
    asked: list[dict[str, Any]] = []

    def create(**body: Any) -> Any:
        asked.append(body)
        function = SimpleNamespace(name="show", arguments='{"part": "capacity"}')
        message = SimpleNamespace(content=None, tool_calls=[SimpleNamespace(id="t1", function=function)])
        return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason="tool_calls")])

    fake = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    client = OpenAIModelClient(HarnessConfig(), fake)
    decision = client.decide(PACKET)
    client.close()
    assert (decision.action, decision.usage) == (SHOW_CALL, None)
    assert asked[0]["model"] == "openai/gpt-4o-mini"


async def test_an_asynchronous_client_of_ones_own_is_used() -> None:
    async def create(**body: Any) -> Any:
        assert body["stream"]
        return chunks()

    async def chunks() -> Any:
        function = {"name": "ask_user", "arguments": '{"question": "Which?"}'}
        delta = {"tool_calls": [{"index": 0, "id": "t1", "function": function}]}
        yield {"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}

    fake = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    client = OpenAIModelClient(HarnessConfig(), aclient=fake)
    assert (await client.adecide(PACKET)).action == AskUser(question="Which?")
    await client.aclose()
