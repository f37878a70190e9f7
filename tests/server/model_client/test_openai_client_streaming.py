"""Streams against a real endpoint: how they come, how they fail, how they are left."""

import asyncio
import json
from typing import Any

import pytest

from decision_ai_server.model_client.decisions import AskUser, DecisionUsage, FinalAnswer, ToolCall
from decision_ai_server.model_client.errors import EmptyResponseError, TransportError
from decision_ai_server.model_client.events import AnswerDelta, ReasoningDelta, RequestSent, Restarted
from decision_ai_server.testing.openai_server import Chunk, Exchange, Manner, Peer, Reply, call
from tests.server.model_client.endpoints import PACKET, SHOWN, bench

ANSWER = 'Pack "tent" and stove:\n104 € 😀'
ANSWERED = Reply.tool_call("final_answer", {"answer": ANSWER})
SHOW_CALL = ToolCall(name="show", input={"part": "capacity"})


def events(*lines: str, kind: str = "text/event-stream") -> Exchange:
    """An answer as an endpoint wrote it, event by event."""
    chunks = tuple(Chunk(at=0, data=f"data: {line}\n\n") for line in lines)
    asked, headers = {"stream": True}, {"Content-Type": kind}
    return Exchange(request=asked, status=200, headers=headers, chunks=chunks)


@pytest.mark.parametrize("fragment", [1, 3, 8, None])
@pytest.mark.parametrize("call_index", [True, False])
@pytest.mark.parametrize("done", [True, False])
async def test_fragments_of_any_size_come_together(
    fragment: int | None, call_index: bool, done: bool
) -> None:
    manner = Manner(fragment=fragment, call_index=call_index, done=done, keep_alive_comments=3)
    async with bench([ANSWERED.model_copy(update={"manner": manner})]) as it:
        decision = await it.decide()
    assert decision.action == FinalAnswer(answer=ANSWER)
    assert decision.transport == "native_stream"
    assert decision.usage == DecisionUsage(prompt_tokens=20, completion_tokens=5)
    assert "".join(it.told(AnswerDelta)) == ANSWER
    assert Restarted not in {type(event) for event in it.events}


async def test_the_answer_arrives_in_pieces() -> None:
    async with bench([ANSWERED]) as it:
        await it.decide()
    assert len(it.told(AnswerDelta)) > 3


@pytest.mark.parametrize("call_index", [True, False])
async def test_several_streamed_calls_are_kept_apart(call_index: bool) -> None:
    first, second = call("ask_user", {"question": "Which?"}), call("final_answer", {"answer": "no"})
    reply = Reply.tool_calls(first, second, manner=Manner(call_index=call_index, fragment=2))
    async with bench([reply]) as it:
        decision = await it.decide()
    assert decision.action == AskUser(question="Which?")
    assert "".join(it.told(AnswerDelta)) == "Which?"
    assert decision.retry_trace[0].raw == 'final_answer({"answer": "no"})'


async def test_a_repeated_name_is_read_once() -> None:
    def line(arguments: str) -> str:
        fragment = {"index": 0, "id": "t", "function": {"name": "show", "arguments": arguments}}
        return json.dumps({"choices": [{"delta": {"tool_calls": [fragment]}}]})

    end = '{"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}'
    async with bench([events(line('{"part": '), line('"capacity"}'), end)]) as it:
        assert (await it.decide()).action == SHOW_CALL


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_thoughts_are_told_whatever_their_field(name: Any) -> None:
    reply = SHOWN.model_copy(update={"reasoning": "Let me see.", "manner": Manner(reasoning_field=name)})
    async with bench([reply]) as it:
        decision = await it.decide()
    assert "".join(it.told(ReasoningDelta)) == "Let me see.I look first."
    assert decision.thought_summary == "I look first."
    assert it.told(AnswerDelta) == []


async def test_an_answer_as_one_json_object_is_told_as_it_arrives() -> None:
    content = '{"thought_summary": "t", "action": {"type": "final_answer", "answer": "It is \\"104\\"."}}'
    async with bench([Reply.text(content)], native_tool_calls=False) as it:
        decision = await it.decide()
    assert (decision.transport, decision.action) == ("json", FinalAnswer(answer='It is "104".'))
    assert "".join(it.told(AnswerDelta)) == 'It is "104".'


async def test_an_endpoint_without_usage_gives_none() -> None:
    async with bench([SHOWN.model_copy(update={"usage": None})]) as it:
        assert (await it.decide()).usage is None


async def test_a_refusal_of_streams_is_met_once_for_all() -> None:
    async with bench([SHOWN, SHOWN], Peer(refuses=frozenset({"stream"}))) as it:
        first, second = await it.decide(), await it.decide()
    assert (first.transport, second.transport) == ("native", "native")
    assert "Streaming is not supported" in first.streaming_fallback
    assert second.streaming_fallback == ""
    streamed, *plain = it.bodies
    assert {*streamed} - {*plain[0]} == {"stream", "stream_options"}
    assert all(streamed | body == streamed for body in plain[:1])
    assert len(plain) == 2
    assert it.pauses == []


async def test_a_refusal_of_stream_options_drops_just_that() -> None:
    async with bench([SHOWN, SHOWN], Peer(refuses=frozenset({"stream_options"}))) as it:
        first, second = await it.decide(), await it.decide()
    assert {first.transport, second.transport} == {"native_stream"}
    assert (first.usage, first.streaming_fallback) == (None, "")
    assert ["stream_options" in body for body in it.bodies] == [True, False, False]


NO_ID = '{"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "show"}}]}}]}'
NO_NAME = (
    '{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "t", "function": {"arguments": "{}"}}]}}]}'
)
NO_FIRST = '{"choices": [{"delta": {"tool_calls": [{"index": 1, "id": "t", "function": {"name": "show"}}]}}]}'


@pytest.mark.parametrize(("line", "reason"), [(NO_ID, "no id"), (NO_NAME, "no name"), (NO_FIRST, "index 1")])
async def test_calls_that_cannot_be_put_together_end_streaming(line: str, reason: str) -> None:
    async with bench([events(line), SHOWN, SHOWN]) as it:
        first, second = await it.decide(), await it.decide()
    assert (first.transport, second.transport) == ("native", "native")
    assert reason in first.streaming_fallback
    assert ["stream" in body for body in it.bodies] == [True, False, False]
    assert it.pauses == []


async def test_an_endpoint_that_ignores_the_wish_for_a_stream_is_asked_without() -> None:
    async with bench([events("{}", kind="application/json"), SHOWN]) as it:
        decision = await it.decide()
    assert (decision.transport, "in one piece" in decision.streaming_fallback) == ("native", True)


@pytest.mark.parametrize(
    ("manner", "note"),
    [
        (Manner(cut_after_pieces=3), "lost"),
        (Manner(cut_after_bytes=400), "lost"),
        (Manner(body="empty"), "empty"),
        (Manner(body="blank"), "empty"),
        (Manner(body="nul"), "empty"),
    ],
)
async def test_a_lost_stream_is_asked_for_again(manner: Manner, note: str) -> None:
    async with bench([ANSWERED.model_copy(update={"manner": manner}), ANSWERED]) as it:
        decision = await it.decide()
    assert decision.action == FinalAnswer(answer=ANSWER)
    assert [line.partition(":")[0] for line in decision.transport_trace] == [note]
    assert it.bodies[0] == it.bodies[1]
    assert [1 <= pause < 2 for pause in it.pauses] == [True]


async def test_what_was_told_of_a_lost_stream_is_withdrawn() -> None:
    lost = ANSWERED.model_copy(update={"manner": Manner(cut_after_pieces=6)})
    async with bench([lost, ANSWERED]) as it:
        await it.decide()
    kinds = [type(event) for event in it.events]
    restart = kinds.index(Restarted)
    assert kinds.count(Restarted) == 1
    assert kinds[restart - 1] is AnswerDelta
    assert kinds[restart + 1] is RequestSent
    told = [event.text for event in it.events[restart:] if isinstance(event, AnswerDelta)]
    assert "".join(told) == ANSWER


async def test_a_stream_that_ends_in_the_middle_is_lost() -> None:
    half = '{"choices": [{"delta": {"content": "I loo"}}]}'
    async with bench([events(half), SHOWN]) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport_trace) == (SHOW_CALL, ["cut"])


async def test_an_error_in_the_middle_of_a_stream_is_read() -> None:
    broken = '{"error": {"code": 502, "message": "upstream is gone"}}'
    async with bench([events(broken), SHOWN]) as it:
        decision = await it.decide()
    assert decision.transport_trace == ["HTTP 502: upstream is gone"]


async def test_a_stream_of_rubbish_is_lost() -> None:
    async with bench([events("no json"), events('["a list"]'), SHOWN]) as it:
        decision = await it.decide()
    assert decision.action == SHOW_CALL
    assert len(decision.transport_trace) == 2


async def test_a_page_instead_of_a_stream_is_no_stream() -> None:
    page = events("<html>", kind="text/html; charset=utf-8")
    async with bench([page] * 3) as it:
        with pytest.raises(TransportError, match="no chat completion") as raised:
            await it.decide()
    assert not isinstance(raised.value, EmptyResponseError)


@pytest.mark.parametrize("stall_after", [0, 1, 4])
async def test_silence_ends_a_stream(stall_after: int) -> None:
    silent = ANSWERED.model_copy(update={"manner": Manner(stall_seconds=15, stall_after=stall_after)})
    async with bench([silent, ANSWERED], request_idle_timeout_seconds=0.2) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport_trace) == (FinalAnswer(answer=ANSWER), ["timeout"])


async def test_a_slow_stream_is_no_silent_one() -> None:
    slow = ANSWERED.model_copy(update={"manner": Manner(delay_seconds=0.05)})
    async with bench([slow], request_idle_timeout_seconds=0.4) as it:
        decision = await it.decide()
    assert decision.transport_trace == []


@pytest.mark.parametrize("manner", [Manner(stall_seconds=15), Manner(stall_seconds=15, stall_after=5)])
async def test_a_decision_can_be_cancelled_while_it_waits(manner: Manner) -> None:
    async with bench([ANSWERED.model_copy(update={"manner": manner}), SHOWN]) as it:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await it.decide()
        assert (await it.decide()).action == SHOW_CALL
        assert it.server.broken_off == 1


async def test_a_watcher_that_breaks_is_no_fault_of_the_endpoint() -> None:
    def broken(event: object) -> None:
        if isinstance(event, AnswerDelta):
            raise ZeroDivisionError

    async with bench([ANSWERED]) as it:
        with pytest.raises(ZeroDivisionError):
            await it.client.adecide_watched(PACKET, broken)
    assert len(it.bodies) == 1


COMMENTED = SHOWN.model_copy(
    update={"manner": Manner(keep_alive_comments=8, delay_seconds=0.1, fragment=None)}
)


async def test_comments_are_a_sign_of_life() -> None:
    """Gateways send them while a model reads a long prompt."""
    async with bench([COMMENTED], request_idle_timeout_seconds=0.5) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport_trace) == (SHOW_CALL, [])


async def test_nothing_but_comments_ends_at_the_time_out_of_a_request() -> None:
    settings = {"request_idle_timeout_seconds": 0.5, "request_timeout_seconds": 0.5}
    async with bench([COMMENTED, SHOWN], **settings) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport_trace) == (SHOW_CALL, ["timeout"])
