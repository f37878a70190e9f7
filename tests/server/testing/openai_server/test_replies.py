"""Replies are values: short to write, and the same from a file."""

import json

import pytest
from pydantic import ValidationError

from decision_ai_server.testing import Call, Manner, Peer, Reply, Script, call


def test_arguments_are_written_as_json_unless_they_are_text_already():
    assert Reply.tool_call("solve", {"limit": 4}).calls == (Call(name="solve", arguments='{"limit": 4}'),)
    assert Reply.tool_call("solve", '{"limit": ').calls[0].arguments == '{"limit": '
    assert len(Reply.tool_calls(call("a", {}), call("b", {})).calls) == 2


@pytest.mark.parametrize(
    ("dress", "content"),
    [
        ("plain", '{"name": "solve", "arguments": {"a": 1}}'),
        ("fenced", '```json\n{"name": "solve", "arguments": {"a": 1}}\n```'),
        ("tagged", '<tool_call>\n{"name": "solve", "arguments": {"a": 1}}\n</tool_call>'),
        ("doubled", '{{"name": "solve", "arguments": {{"a": 1}}}}'),
    ],
)
def test_a_call_may_be_written_into_the_text(dress: str, content: str):
    reply = Reply.written_call("solve", {"a": 1}, dress)  # type: ignore[arg-type]

    assert (reply.content, reply.calls) == (content, ())


def test_a_script_survives_its_file():
    script = Script(
        replies=(Reply.error(429, headers={"Retry-After": "1"}), Reply.text("a", manner=Manner(body="nul"))),
        peer=Peer(refuses=frozenset({"stream", "json_schema"}), repeat_last=True),
    )

    assert Script.model_validate_json(script.model_dump_json()) == script


def test_a_script_with_a_word_that_does_not_exist_is_refused():
    with pytest.raises(ValidationError, match="Extra inputs"):
        Script.model_validate_json(json.dumps({"replies": [{"contents": "a"}]}))
