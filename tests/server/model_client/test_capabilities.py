from typing import Any

import pytest

from decision_ai_server.model_client.capabilities import Capabilities, Lowering, refused
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.replies import Failure

ABLE = Capabilities.wanted(HarnessConfig())
NATIVE: dict[str, Any] = {
    "messages": [{"role": "user", "content": "x"}],
    "tools": [{}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
    "temperature": 0.0,
    "max_tokens": 9,
    "stream": True,
    "stream_options": {"include_usage": True},
}
JSON: dict[str, Any] = {"messages": [], "response_format": {"type": "json_schema"}}


def lowered(body: dict[str, Any], status: int, said: str) -> Lowering | None:
    return refused(body, Failure("status", said, status=status), ABLE)


def test_the_settings_say_what_is_wanted() -> None:
    config = HarnessConfig(
        stream_model_calls=False, native_tool_calls=False, structured_output="none", tool_choice="auto"
    )
    assert Capabilities.wanted(config) == Capabilities(False, False, "auto", "none")


@pytest.mark.parametrize(
    ("status", "said", "feature"),
    [
        (400, "Unrecognized request argument supplied: stream_options", "stream_options"),
        (422, "body.stream_options: Extra inputs are not permitted", "stream_options"),
        (400, "Streaming is not supported with tools", "stream"),
        (404, "this deployment does not support stream", "stream"),
        (422, "stream=true is not allowed here", "stream"),
        (400, "Unsupported parameter: 'parallel_tool_calls'", "parallel_tool_calls"),
        (404, "No endpoints found that support the provided 'tool_choice' value.", "tool_choice"),
        (500, "tool_choice: unexpected value", "tool_choice"),
        (400, "registry/library/phi does not support tools", "tools"),
        (404, "No endpoints found that support tool use.", "tools"),
        (500, "tools param requires --jinja flag", "tools"),
        (400, "Use 'max_completion_tokens' instead of max_tokens", "limit_field"),
        (400, "'temperature' does not support 0.0 with this model", "temperature"),
    ],
)
def test_what_endpoints_say_when_they_refuse(status: int, said: str, feature: str) -> None:
    lowering = lowered(NATIVE, status, said)
    assert lowering is not None
    assert (lowering.feature, lowering.is_guess) == (feature, False)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "maximum context length is 4096 tokens, of them 900 in the functions"),
        (400, "Invalid schema for function 'show': 'parts' is not of type 'array'"),
        (400, "upstream stream failed"),
        (404, "The model `m` does not exist"),
        (401, "tools are not supported for this key"),
        (429, "stream limit: not allowed"),
        (503, "tool_choice service is unsupported at this time"),
    ],
)
def test_what_is_no_refusal(status: int, said: str) -> None:
    assert lowered(NATIVE, status, said) is None


def test_a_reply_that_the_server_cannot_read_back_is_no_refusal() -> None:
    said = "The model produced output that does not match the expected peg-native format"
    assert lowered(JSON, 500, said) is None


@pytest.mark.parametrize("status", [500, 501])
def test_a_breakdown_on_required_is_a_guess(status: int) -> None:
    assert lowered(NATIVE, status, "Internal error") == Lowering("tool_choice", to="auto", is_guess=True)
    assert lowered(NATIVE | {"tool_choice": "auto"}, status, "Internal error") is None


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
def test_any_refusal_lowers_the_form(status: int) -> None:
    crashed = status in (500, 501)
    assert lowered(JSON, status, "") == Lowering("response_format", to="json_object", is_guess=crashed)
    below = refused(
        JSON,
        Failure("status", "", status=status),
        ABLE.lowered(Lowering("response_format", to="json_object")),
    )
    assert below == Lowering("response_format", to="none", is_guess=crashed)


def test_a_replayed_call_may_be_refused() -> None:
    body = NATIVE | {"messages": [{"role": "assistant"}, {"role": "tool"}]}
    assert lowered(body, 400, "") == Lowering("replayed_calls", to=False)
    assert lowered(body, 500, "") == Lowering("replayed_calls", to=False, is_guess=True)


def test_a_form_of_stream_that_cannot_be_read_ends_streaming() -> None:
    assert refused(NATIVE, Failure("unstreamable", "no id"), ABLE) == Lowering("stream", to=False)
    assert refused(NATIVE, Failure("timeout", ""), ABLE) is None


def test_only_what_was_sent_can_be_refused() -> None:
    plain = {"messages": NATIVE["messages"]}
    for said in (
        "stream_options",
        "stream not supported",
        "parallel_tool_calls",
        "tool_choice",
        "tools unsupported",
    ):
        assert lowered(plain, 400, said) is None


def test_lowerings_add_up() -> None:
    able = ABLE.lowered(Lowering("stream", to=False), Lowering("tool_choice", to="auto"))
    assert (able.stream, able.tool_choice, able.tools) == (False, "auto", True)
    assert ABLE.stream
