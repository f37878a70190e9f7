import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.errors import StreamingUnsupportedError
from decision_ai_server.model_client.events import AnswerDelta, ReasoningDelta
from decision_ai_server.model_client.replies import Failure, RawCall, RawReply
from decision_ai_server.model_client.streaming import Assembly

END: dict[str, Any] = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"delta": delta}]}


def fragment(arguments: Any, index: int | None = 0, key: str = "", name: str = "") -> dict[str, Any]:
    given = {"index": index, "id": key or None, "function": {"name": name or None, "arguments": arguments}}
    return chunk(tool_calls=[given])


def played(*chunks: Any, native: bool = True) -> tuple[RawReply | Failure, list[Any]]:
    assembly = Assembly(native=native)
    events = [event for each in chunks for event in assembly.feed(each)]
    return assembly.reply(), events


def cut(text: str, places: list[int]) -> list[str]:
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


@given(answer=TEXT, places=st.lists(st.integers(min_value=0), max_size=6), indexed=st.booleans())
def test_however_a_call_is_cut_it_comes_together(answer: str, places: list[int], indexed: bool) -> None:
    arguments = json.dumps({"answer": answer})
    index = 0 if indexed else None
    pieces = [fragment(piece, index) for piece in cut(arguments, places)]
    reply, events = played(fragment("", index, "t", "final_answer"), *pieces, END)
    assert reply == RawReply("", (RawCall("t", "final_answer", arguments),), "tool_calls")
    assert "".join(event.text for event in events) == answer


@given(answer=TEXT, places=st.lists(st.integers(min_value=0), max_size=6))
def test_however_a_json_decision_is_cut_it_comes_together(answer: str, places: list[int]) -> None:
    content = json.dumps({"thought_summary": "t", "action": {"type": "final_answer", "answer": answer}})
    reply, events = played(*[chunk(content=piece) for piece in cut(content, places)], END, native=False)
    assert isinstance(reply, RawReply)
    assert reply.content == content
    assert all(isinstance(event, AnswerDelta) for event in events)
    assert "".join(event.text for event in events) == answer


def test_interleaved_calls_are_kept_apart_by_their_index() -> None:
    reply, _ = played(
        fragment("{", 0, "a", "show"), fragment("[", 1, "b", "edit"), fragment("}", 0), fragment("]", 1), END
    )
    assert reply == RawReply("", (RawCall("a", "show", "{}"), RawCall("b", "edit", "[]")), "tool_calls")


def test_calls_without_index_are_kept_apart_by_their_id() -> None:
    reply, _ = played(
        fragment("{", None, "a", "show"), fragment("}", None, "a"), fragment("{}", None, "b", "edit"), END
    )
    assert reply == RawReply("", (RawCall("a", "show", "{}"), RawCall("b", "edit", "{}")), "tool_calls")


def test_arguments_may_be_an_object() -> None:
    reply, _ = played(fragment({"part": "x"}, 0, "a", "show"), END)
    assert isinstance(reply, RawReply)
    assert reply.calls[0].arguments == '{"part": "x"}'


def test_only_the_first_call_is_told() -> None:
    _, events = played(
        fragment('{"answer": "yes"}', 0, "a", "final_answer"),
        fragment('{"answer": "no"}', 1, "b", "final_answer"),
        END,
    )
    assert events == [AnswerDelta("yes")]


def test_an_argument_of_a_tool_is_no_answer() -> None:
    assert played(fragment('{"answer": "yes"}', 0, "a", "show"), END)[1] == []


def test_content_is_a_thought_once_a_call_stands_beside_it() -> None:
    assert played(chunk(content="I "), chunk(content="look."), END)[1] == []
    _, events = played(chunk(content="I "), fragment("{}", 0, "a", "show"), chunk(content="look."), END)
    assert events == [ReasoningDelta("I "), ReasoningDelta("look.")]


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_reasoning_has_two_names(name: str) -> None:
    assert played(chunk(**{name: "hm"}), END)[1] == [ReasoningDelta("hm")]


def test_usage_comes_last() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
    reply, _ = played(chunk(content="x"), END, usage)
    assert isinstance(reply, RawReply)
    assert reply.usage == DecisionUsage(prompt_tokens=3, completion_tokens=1)


def test_streams_that_bring_no_reply() -> None:
    assert played()[0] == Failure("empty", "")
    assert played(chunk(content="x"))[0] == Failure("cut", "")
    assert played(END)[0] == Failure("empty", "")
    assert played({"error": {"code": 503, "message": "gone"}}, END)[0] == Failure(
        "status", "gone", status=503
    )


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (fragment("{}", 0, "", "show"), "no id"),
        (fragment("{}", 0, "a", ""), "no name"),
        (fragment("{}", None, "", ""), "no name"),
        (fragment("{}", 2, "a", "show"), "index 2"),
    ],
)
def test_calls_without_a_beginning_cannot_be_streamed(first: Any, reason: str) -> None:
    with pytest.raises(StreamingUnsupportedError, match=reason):
        played(first)


@given(
    st.lists(
        st.recursive(
            st.none() | st.integers() | st.text(max_size=3),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(
                    st.sampled_from(
                        ["choices", "delta", "content", "tool_calls", "function", "index", "id", "name"]
                    ),
                    inner,
                    max_size=4,
                )
            ),
        ),
        max_size=4,
    )
)
def test_any_chunks_are_a_reply_or_a_failure(chunks: list[Any]) -> None:
    try:
        reply, _ = played(*chunks)
    except StreamingUnsupportedError:
        return
    assert isinstance(reply, RawReply | Failure)
