from dataclasses import replace
from typing import Any

import pytest

from decision_ai_server.model_client.capabilities import Capabilities
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.messages import build_messages
from decision_ai_server.model_client.replies import RawCall, RawReply
from decision_ai_server.model_client.requests import Replay, build_body, characters_to_show, excerpt
from tests.server.model_client.endpoints import PACKET

CONFIG = HarnessConfig(model="m")
ABLE = Capabilities.wanted(CONFIG)
BAD = RawReply("I look.", (RawCall("", "show it!", '{"part": '), RawCall("", "edit", "{}")))


def body(able: Capabilities = ABLE, *replays: Replay, streamed: bool = False) -> dict[str, Any]:
    return build_body(PACKET, CONFIG, able, replays, streamed=streamed)


def test_native_and_json_requests_share_what_they_can() -> None:
    native, as_json = body(), body(replace(ABLE, tools=False))
    assert {*native} - {*as_json} == {"tools", "tool_choice", "parallel_tool_calls"}
    assert {*as_json} - {*native} == {"response_format"}
    assert native["messages"] == build_messages(PACKET, native_tools=True)
    assert as_json["messages"] == build_messages(PACKET, native_tools=False)


@pytest.mark.parametrize(
    ("able", "missing"),
    [
        (replace(ABLE, parallel_tool_calls=False), {"parallel_tool_calls"}),
        (replace(ABLE, temperature=False), {"temperature"}),
        (replace(ABLE, limit_field="max_completion_tokens"), {"max_tokens"}),
        (replace(ABLE, stream_options=False), {"stream_options"}),
    ],
)
def test_what_is_refused_is_left_out(able: Capabilities, missing: set[str]) -> None:
    assert {*body(streamed=True)} - {*body(able, streamed=True)} == missing


def test_only_a_streamed_request_speaks_of_streams() -> None:
    assert not {"stream", "stream_options"} & {*body()}


def test_replays_of_calls_add_up_after_the_messages() -> None:
    first, second = Replay(BAD, "no JSON", 2_000), Replay(RawReply("Hello."), "no call", 2_000)
    messages = body(ABLE, first, second)["messages"]
    assert messages[:-4] == build_messages(PACKET, native_tools=True)
    called, answered, assistant, user = messages[-4:]
    (call,) = called["tool_calls"]
    assert (called["role"], called["content"]) == ("assistant", "I look.")
    assert call == {
        "id": "call_0",
        "type": "function",
        "function": {"name": "show_it_", "arguments": '{"part": '},
    }
    assert (answered["role"], answered["tool_call_id"]) == ("tool", "call_0")
    assert "no JSON" in answered["content"]
    assert assistant == {"role": "assistant", "content": "Hello."}
    assert user["role"] == "user"
    assert "no call" in user["content"]


@pytest.mark.parametrize("able", [replace(ABLE, tools=False), replace(ABLE, replayed_calls=False)])
def test_a_call_may_be_replayed_as_text(able: Capabilities) -> None:
    assistant, user = body(able, Replay(RawReply("", BAD.calls), "no JSON", 2_000))["messages"][-2:]
    assert assistant == {"role": "assistant", "content": 'show it!({"part": )'}
    assert "no JSON" in user["content"]


def test_an_empty_reply_is_not_replayed_as_nothing() -> None:
    assert body(ABLE, Replay(RawReply("\n"), "cut off", 2_000))["messages"][-2]["content"] == "(nothing)"


@pytest.mark.parametrize(("tool", "characters"), [("show", 2_000), ("edit", 12_000), ("none", 2_000)])
def test_calls_that_carry_code_are_shown_longer(tool: str, characters: int) -> None:
    assert characters_to_show(RawReply(calls=(RawCall("", tool, ""),)), PACKET) == characters


def test_an_excerpt_says_what_is_missing() -> None:
    assert excerpt("abc", 3) == "abc"
    assert excerpt("a" * 2_500, 2) == "aa… (2,498 more characters)"
