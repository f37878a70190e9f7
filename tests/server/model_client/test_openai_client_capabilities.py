"""What a real endpoint refuses is done without, once for the life of a client."""

from typing import Any

import pytest

from decision_ai_server.model_client.decisions import ToolCall
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.testing.openai_server import Answering, Manner, Peer, Reply
from tests.server.model_client.endpoints import SHOWN, bench

SHOW_CALL = ToolCall(name="show", input={"part": "capacity"})
WRITTEN = Reply.text(
    '{"thought_summary": "t", "action": {"type": "tool_call", "name": "show", "input": {"part": "capacity"}}}'
)


def refusing(*features: Any, status: int = 400) -> Peer:
    return Peer(refuses=frozenset(features), refusal_status=status)


def forms(bodies: list[dict[str, Any]]) -> list[str]:
    return [body.get("response_format", {}).get("type", "none") for body in bodies]


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
async def test_required_becomes_auto(status: int) -> None:
    async with bench([SHOWN] * 2, refusing("tool_choice", status=status)) as it:
        for _ in range(2):
            decision = await it.decide()
            assert (decision.action, decision.transport) == (SHOW_CALL, "native_stream")
    assert [body["tool_choice"] for body in it.bodies] == ["required", "auto", "auto"]
    assert it.bodies[0] | {"tool_choice": "auto"} == it.bodies[1]
    assert it.pauses == []


async def test_a_breakdown_on_required_is_taken_for_a_refusal_if_auto_works() -> None:
    broken = Answering(lambda body: Reply.error(500) if body["tool_choice"] == "required" else SHOWN)
    async with bench([broken] * 3) as it:
        assert (await it.decide()).action == SHOW_CALL
        assert (await it.decide()).action == SHOW_CALL
    assert [body["tool_choice"] for body in it.bodies] == ["required", "auto", "auto"]


async def test_a_breakdown_on_both_says_nothing_about_required() -> None:
    async with bench([Reply.error(500), Reply.error(500), SHOWN, SHOWN]) as it:
        decision = await it.decide()
        await it.decide()
    assert [body["tool_choice"] for body in it.bodies] == ["required", "auto", "required", "required"]
    assert len(decision.transport_trace) == 2
    assert len(it.pauses) == 1


async def test_auto_may_be_asked_for_first() -> None:
    async with bench(tool_choice="auto") as it:
        await it.decide()
    assert it.bodies[0]["tool_choice"] == "auto"


async def test_parallel_tool_calls_is_dropped() -> None:
    async with bench([SHOWN] * 2, refusing("parallel_tool_calls")) as it:
        await it.decide()
        await it.decide()
    assert ["parallel_tool_calls" in body for body in it.bodies] == [True, False, False]
    assert {body["tool_choice"] for body in it.bodies} == {"required"}


async def test_an_endpoint_without_tools_gets_the_json_protocol() -> None:
    async with bench([WRITTEN] * 2, refusing("tools")) as it:
        for _ in range(2):
            decision = await it.decide()
            assert (decision.action, decision.transport) == (SHOW_CALL, "json")
    assert ["tools" in body for body in it.bodies] == [True, False, False]
    assert not {"tool_choice", "parallel_tool_calls"} & {*it.bodies[1]}
    assert "Show a part of the model." in it.bodies[1]["messages"][0]["content"]


async def test_an_endpoint_that_knows_next_to_nothing() -> None:
    peer = refusing("tools", "tool_choice", "parallel_tool_calls", "stream", "stream_options", "json_schema")
    async with bench([WRITTEN] * 2, peer) as it:
        first, second = await it.decide(), await it.decide()
    assert (first.action, second.action) == (SHOW_CALL, SHOW_CALL)
    assert second.transport_trace == []
    assert first.streaming_fallback
    assert it.pauses == []


async def test_one_json_object_is_asked_for_by_its_schema() -> None:
    async with bench([WRITTEN], native_tool_calls=False) as it:
        decision = await it.decide()
    assert (decision.action, decision.transport, decision.thought_summary) == (SHOW_CALL, "json", "t")
    asked = it.bodies[0]["response_format"]
    assert asked["json_schema"]["schema"]["required"] == ["thought_summary", "action"]
    assert "tools" not in it.bodies[0]


@pytest.mark.parametrize("status", [400, 500])
async def test_json_schema_steps_down_to_json_object_with_the_schema(status: int) -> None:
    peer = refusing("json_schema", status=status)
    async with bench([WRITTEN] * 2, peer, native_tool_calls=False) as it:
        await it.decide()
        await it.decide()
    assert forms(it.bodies) == ["json_schema", "json_object", "json_object"]
    lower, upper = it.bodies[1]["response_format"], it.bodies[0]["response_format"]
    assert lower["schema"] == upper["json_schema"]["schema"]


async def test_json_object_steps_down_to_plain() -> None:
    plain_only = Answering(lambda body: Reply.error(422) if "response_format" in body else WRITTEN)
    async with bench([plain_only] * 4, native_tool_calls=False) as it:
        await it.decide()
        await it.decide()
    assert forms(it.bodies) == ["json_schema", "json_object", "none", "none"]


async def test_an_endpoint_that_is_down_keeps_its_forms() -> None:
    async with bench([Reply.error(500)] * 3 + [WRITTEN] * 2, native_tool_calls=False) as it:
        await it.decide()
        await it.decide()
    assert forms(it.bodies) == ["json_schema", "json_object", "none", "json_schema", "json_schema"]


async def test_a_wrong_model_is_told_after_all_forms() -> None:
    async with bench([Reply.error(404, "no such model")] * 6, native_tool_calls=False) as it:
        for _ in range(2):
            with pytest.raises(TransportError, match="no such model"):
                await it.decide()
    assert forms(it.bodies) == ["json_schema", "json_object", "none"] * 2


@pytest.mark.parametrize(("setting", "form"), [("json_object", "json_object"), ("none", "none")])
async def test_a_lower_form_may_be_asked_for_first(setting: Any, form: str) -> None:
    async with bench([WRITTEN], native_tool_calls=False, structured_output=setting) as it:
        await it.decide()
    assert forms(it.bodies) == [form]


async def test_malformed_json_is_sent_back_as_text() -> None:
    async with bench([Reply.text('{"action": '), WRITTEN], native_tool_calls=False) as it:
        decision = await it.decide()
    assert decision.action == SHOW_CALL
    assert [note.raw for note in decision.retry_trace] == ['{"action": ']
    assistant, user = it.bodies[1]["messages"][-2:]
    assert assistant == {"role": "assistant", "content": '{"action":'}
    assert "not valid JSON" in user["content"]


async def test_an_unknown_tool_in_json_is_malformed() -> None:
    unknown = WRITTEN.model_copy(update={"content": (WRITTEN.content or "").replace('"show"', '"shwo"')})
    async with bench([unknown, WRITTEN], native_tool_calls=False) as it:
        decision = await it.decide()
    assert "there is no tool 'shwo'" in decision.retry_trace[0].error


async def test_an_endpoint_that_reads_the_arguments_of_a_replayed_call() -> None:
    """Some templates parse them, and break down on a call whose arguments are no JSON."""

    def reads(body: dict[str, Any]) -> Reply:
        replayed = any(message.get("tool_calls") for message in body["messages"])
        return Reply.error(500, "cannot parse arguments") if replayed else SHOWN

    broken = Reply.tool_call("show", '{"part": ', manner=Manner(fragment=None))
    async with bench([broken, Answering(reads), Answering(reads)], tool_choice="auto") as it:
        decision = await it.decide()
    assert decision.action == SHOW_CALL
    assistant, user = it.bodies[2]["messages"][-2:]
    assert assistant["content"] == 'show({"part": )'
    assert "not valid JSON" in user["content"]


@pytest.mark.parametrize(
    ("said", "before", "after"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature", None),
    ],
)
async def test_fields_that_newer_models_refuse(said: str, before: str, after: str | None) -> None:
    new = Answering(lambda body: Reply.error(400, said) if before in body else SHOWN)
    async with bench([new] * 3) as it:
        await it.decide()
        await it.decide()
    assert [before in body for body in it.bodies] == [True, False, False]
    assert after is None or it.bodies[1][after] == it.bodies[0][before]
