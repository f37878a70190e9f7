"""What is wrong with a request is said; what an endpoint does not support is refused."""

from typing import Any

import pytest
from asking import TOOLS, body

from decision_ai_server.testing import Feature, Peer
from decision_ai_server.testing.openai_server.requests import fault, refusal

USER = {"role": "user", "content": "hello"}
CALLING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "solve", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "done"}


@pytest.mark.parametrize(
    "request_body",
    [
        body(),
        body(stream=True, stream_options={"include_usage": True}),
        body(tools=TOOLS, tool_choice="required", parallel_tool_calls=False),
        body(messages=[USER, CALLING, RESULT, USER]),
        body(messages=[{"role": "system", "content": "be brief"}, USER]),
    ],
)
def test_a_proper_request_has_no_fault(request_body: dict[str, Any]):
    assert fault(request_body) is None
    assert refusal(request_body, Peer()) is None


@pytest.mark.parametrize(
    ("request_body", "words"),
    [
        ([], "not a JSON object"),
        ({"messages": [USER]}, "must provide a model"),
        (body(stream_options={}), "only allowed when 'stream'"),
        (body(messages=[]), "at least one message"),
        (body(messages=["hello"]), "'messages[0]': invalid role None"),
        (body(messages=[{"role": "person", "content": "a"}]), "'messages[0]': invalid role 'person'"),
        (body(messages=[{"role": "user", "content": None}]), "expected a string, got null"),
        (body(messages=[USER, RESULT]), "'messages[1]': a message with role 'tool' must answer"),
        (
            body(messages=[USER, CALLING, USER]),
            "'messages[2]': these tool calls did not have response messages: c1",
        ),
        (body(messages=[USER, CALLING]), "did not have response messages: c1"),
        (body(messages=[USER, CALLING, RESULT, RESULT]), "'messages[3]': a message with role 'tool'"),
        (body(tool_choice="auto"), "'tool_choice' is only allowed when 'tools'"),
        (body(parallel_tool_calls=False), "'parallel_tool_calls' is only allowed when 'tools'"),
        (body(tools=[]), "at least one tool"),
        (body(tools=[{"type": "function"}]), "'tools[0]': expected a function"),
        (body(tools=[{"type": "function", "function": {"name": "a b"}}]), "function.name': 'a b'"),
    ],
)
def test_a_fault_is_told(request_body: Any, words: str):
    assert words in str(fault(request_body))


@pytest.mark.parametrize(
    ("feature", "asked", "words"),
    [
        ("stream", {"stream": True}, "Streaming is not supported"),
        ("stream_options", {"stream": True, "stream_options": {}}, "stream_options"),
        ("tools", {"tools": TOOLS}, "does not support tools"),
        ("tool_choice", {"tools": TOOLS, "tool_choice": "required"}, "tool_choice"),
        ("tool_choice", {"tools": TOOLS, "tool_choice": {"type": "function"}}, "tool_choice"),
        ("json_schema", {"response_format": {"type": "json_schema"}}, "json_schema"),
        ("parallel_tool_calls", {"tools": TOOLS, "parallel_tool_calls": False}, "parallel_tool_calls"),
    ],
)
def test_what_is_refused_is_refused_only_when_it_is_asked_for(
    feature: Feature, asked: dict[str, Any], words: str
):
    peer = Peer(refuses=frozenset({feature}))

    assert words in str(refusal(body(**asked), peer))
    assert refusal(body(response_format={"type": "json_object"}), peer) is None
    assert refusal(body(**asked), Peer()) is None
