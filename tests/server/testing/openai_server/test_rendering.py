"""The bytes of a reply: the same content streamed or not, and the oddities that servers show."""

import json
from typing import Any

import pytest
from asking import arguments, body, joined
from hypothesis import given, strategies as st

from decision_ai_server.testing import Call, Chunk, Exchange, Manner, Reply, Usage
from decision_ai_server.testing.openai_server.rendering import NUL, answer

CALLS = (Call(name="solve", arguments='{"limit": 4}'), Call(name="undo", arguments="{}", id="mine"))


class Sent:
    """An answer in the form of what a client would have received."""

    def __init__(self, reply: Reply | Exchange, **request: Any) -> None:
        self.status = (due := answer(reply, body(**request), 0)).status
        self.pieces = due.pieces
        self.text = b"".join(due.pieces).decode()

    def json(self) -> Any:
        return json.loads(self.text)


def test_a_reply_that_is_not_streamed():
    reply = Reply(
        content="two calls", reasoning="hm", calls=CALLS, usage=Usage(prompt_tokens=3, completion_tokens=2)
    )
    completion = Sent(reply).json()
    (choice,) = completion["choices"]

    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "two calls"
    assert choice["message"]["reasoning_content"] == "hm"
    assert [call["id"] for call in choice["message"]["tool_calls"]] == ["call_0_0", "mine"]
    assert completion["usage"] == {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    assert completion["model"] == "m"


@given(
    content=st.text(max_size=20),
    written=st.text(max_size=20),
    fragment=st.none() | st.integers(1, 9),
    reasoning=st.text(max_size=9),
)
def test_a_stream_brings_the_same_as_one_body(
    content: str, written: str, fragment: int | None, reasoning: str
):
    calls = (Call(name="a", arguments=written), Call(name="b", arguments="{}"))
    reply = Reply(content=content, reasoning=reasoning, calls=calls, manner=Manner(fragment=fragment))
    sent = Sent(reply, stream=True).text

    assert joined(sent) == content
    assert joined(sent, "reasoning_content") == reasoning
    assert arguments(sent) == written
    assert arguments(sent, 1) == "{}"


def test_usage_is_streamed_when_it_is_asked_for_and_known():
    asked = {"stream": True, "stream_options": {"include_usage": True}}

    assert '"usage"' in Sent(Reply.text("a"), **asked).text
    assert '"usage"' not in Sent(Reply.text("a"), stream=True).text
    assert '"usage"' not in Sent(Reply.text("a", usage=None), **asked).text
    assert '"usage"' not in Sent(Reply.text("a", usage=None)).text


@pytest.mark.parametrize("fragment", [None, 2])
def test_fragments_of_a_call_may_come_without_their_number(fragment: int | None):
    manner = Manner(call_index=False, fragment=fragment)
    text = Sent(Reply.tool_call("solve", {"a": 1}, manner=manner), stream=True).text

    assert '"tool_calls": [{"index"' not in text
    assert '"name": "solve"' in text


def test_a_stream_may_end_without_saying_so_and_begin_with_comments():
    manner = Manner(done=False, keep_alive_comments=2, reasoning_field="reasoning")
    text = Sent(Reply.text("a", reasoning="b", finish_reason="length", manner=manner), stream=True).text

    assert text.startswith(": keep-alive\n\n: keep-alive\n\ndata: ")
    assert "[DONE]" not in text
    assert '"reasoning": "b"' in text
    assert '"finish_reason": "length"' in text


@pytest.mark.parametrize(("kind", "content"), [("empty", b""), ("blank", b" \n \n"), ("nul", NUL)])
@pytest.mark.parametrize("stream", [True, False])
def test_a_body_may_hold_nothing(kind: Any, content: bytes, stream: bool):
    sent = Sent(Reply.text("a", manner=Manner(body=kind)), stream=stream)

    assert sent.status == 200
    assert b"".join(sent.pieces) == content


@pytest.mark.parametrize("stream", [True, False])
def test_nul_bytes_may_come_first(stream: bool):
    sent = Sent(Reply.text("a", manner=Manner(nul_bytes=3)), stream=stream)

    assert sent.pieces[0] == b"\0\0\0"
    assert len(sent.pieces) > 1


@pytest.mark.parametrize(("status", "kind"), [(400, "invalid_request_error"), (500, "internal_server_error")])
def test_an_error_has_the_form_of_openai(status: int, kind: str):
    sent = Sent(Reply.error(status, "no"))

    assert sent.status == status
    assert sent.json() == {"error": {"message": "no", "type": kind, "param": None, "code": None}}


def test_a_recorded_exchange_is_played_to_a_request_of_its_kind():
    chunks = (Chunk(at=0.1, data="data: 1\n\n"), Chunk(at=9.0, data="data: [DONE]\n\n"))
    exchange = Exchange(request=body(stream=True), status=200, chunks=chunks)

    assert Sent(exchange, stream=True).text == "data: 1\n\ndata: [DONE]\n\n"
    assert answer(exchange, body(stream=True), 0).manner == Manner()
    assert Sent(exchange).status == 400
    cut = exchange.model_copy(update={"complete": False})
    assert answer(cut, body(stream=True), 0).manner == Manner(cut_after_pieces=2)
