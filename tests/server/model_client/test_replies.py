from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.replies import (
    Failure,
    FailureKind,
    RawCall,
    RawReply,
    arguments_text,
    failure_in_body,
    read_reply,
    usage_in,
)

NAMES = ["choices", "message", "content", "tool_calls", "function", "arguments", "error", "code", "usage"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
)


def completion(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


@given(JSON)
def test_any_answer_is_a_reply_or_a_failure(answer: Any) -> None:
    came = read_reply(answer)
    assert isinstance(came, RawReply | Failure)
    usage_in(answer)


@given(JSON.map(lambda value: completion(content=value, tool_calls=value)))
def test_any_message_is_a_reply_or_a_failure(answer: Any) -> None:
    came = read_reply(answer)
    if isinstance(came, RawReply):
        assert all(isinstance(part, str) for part in (came.content, *[call.arguments for call in came.calls]))


def test_objects_and_mappings_read_alike() -> None:
    call = {"id": "t", "function": {"name": "show", "arguments": "{}"}}
    mapping = completion(content="c", tool_calls=[call])
    objects = SimpleNamespace(
        choices=[
            SimpleNamespace(
                finish_reason="stop",
                message=SimpleNamespace(
                    content="c",
                    tool_calls=[
                        SimpleNamespace(id="t", function=SimpleNamespace(name="show", arguments="{}"))
                    ],
                ),
            )
        ]
    )
    assert read_reply(mapping) == read_reply(objects)
    assert read_reply(mapping) == RawReply("c", (RawCall("t", "show", "{}"),), "stop")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "empty"),
        ("\0\0", "empty"),
        ("<html>", "unreadable"),
        (None, "empty"),
        ({"choices": []}, "empty"),
        (completion(content=None), "empty"),
        (completion(content=" \0\n"), "empty"),
        ({"error": "gone"}, "lost"),
    ],
)
def test_answers_without_a_reply(answer: Any, kind: FailureKind) -> None:
    came = read_reply(answer)
    assert isinstance(came, Failure)
    assert came.kind == kind


def test_what_a_model_will_not_do_is_content() -> None:
    came = read_reply(completion(content=None, refusal="I cannot."))
    assert isinstance(came, RawReply)
    assert came.content == "I cannot."


def test_texts_can_be_sent_and_stored() -> None:
    call = {"id": "t", "function": {"name": "show", "arguments": '{"a": "\udc00"}'}}
    came = read_reply(completion(content="a\0b\ud800", tool_calls=[call]))
    assert isinstance(came, RawReply)
    assert came.content == "ab?"
    assert came.calls[0].arguments == '{"a": "?"}'


@pytest.mark.parametrize(
    ("value", "text"), [('{"a": 1}', '{"a": 1}'), ({"a": 1}, '{"a": 1}'), (None, ""), ({}, ""), ([1], "[1]")]
)
def test_arguments_may_be_the_object_itself(value: Any, text: str) -> None:
    assert arguments_text(value) == text


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, None),
        ({}, None),
        ({"prompt_tokens": "7"}, None),
        ({"prompt_tokens": 7}, DecisionUsage(prompt_tokens=7)),
        ({"prompt_tokens": 7, "completion_tokens": 2}, DecisionUsage(prompt_tokens=7, completion_tokens=2)),
    ],
)
def test_usage_is_read_where_it_is_told(usage: Any, read: DecisionUsage | None) -> None:
    assert usage_in({"usage": usage}) == read


@pytest.mark.parametrize(
    ("error", "status", "said", "passing"),
    [
        ({"code": 502, "message": "gone"}, 502, "gone", True),
        ({"code": "429", "message": "slow"}, 429, "slow", True),
        ({"code": 400, "message": "bad"}, 400, "bad", False),
        ({"code": "overloaded", "message": "busy"}, None, "busy", True),
        ({"code": 200}, None, '{"code": 200}', True),
        ("gone", None, "gone", True),
    ],
)
def test_errors_inside_a_success(error: Any, status: int | None, said: str, passing: bool) -> None:
    failure = failure_in_body(error)
    assert (failure.status, failure.text, failure.is_passing) == (status, said, passing)
