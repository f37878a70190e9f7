"""What holds for every frame and every message, whoever made it."""

import json
import types
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.live import LiveContainer, LiveMessage
from decision_ai.errors import LimitExceeded, ProtocolError
from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai.wire.codec import Envelope, decode, encode

pytestmark = pytest.mark.core

GOLDEN = [
    path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parents[1].glob("golden/[cs]*/*.json"))
]
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOAT | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(),
    float: FLOAT,
    bool: st.booleans(),
    type(None): st.none(),
    dict[str, Any]: st.dictionaries(TEXT, JSON, max_size=3),
    Prompt: st.builds(Prompt, prompt=TEXT.filter(str.strip)),
    Outcome: st.sampled_from(OutcomeKind).flatmap(
        lambda kind: st.builds(
            Outcome,
            kind=st.just(kind),
            objective=FLOAT if kind.has_plan else st.none(),
            bound=st.none() | FLOAT,
            message=st.none() | TEXT,
        )
    ),
}


@cache
def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Any value of an annotation of the schemas."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is Annotated:
        return values_of(arguments[0])
    if origin in {Union, types.UnionType}:
        return st.one_of(*map(values_of, arguments))
    if origin is list:
        return st.lists(values_of(arguments[0]), max_size=3)
    assert issubclass(annotation, BaseModel), annotation
    fields = {name: values_of(info.annotation) for name, info in annotation.model_fields.items()}
    return st.builds(annotation, **fields)


ENVELOPES: st.SearchStrategy[Envelope] = st.builds(
    MessageContainer,
    chat_session_id=TEXT,
    message=values_of(ChatMessage),
    timestamp=st.none() | st.integers(),
    message_id=TEXT,
) | st.builds(LiveContainer, chat_session_id=TEXT, message=values_of(LiveMessage), message_id=TEXT)


@given(ENVELOPES)
def test_whatever_is_written_is_read_back_equal(sent: Envelope) -> None:
    received = decode(encode(sent), live=True)
    assert type(received.message) is type(sent.message)
    assert received == sent


def refuses_or_reads(text: str) -> None:
    for live in (False, True):
        try:
            read = decode(text, live=live)
        except (ProtocolError, LimitExceeded):
            continue
        assert decode(encode(read), live=live) == read


@given(st.text(alphabet=st.characters()) | JSON.map(json.dumps) | st.text('{}[]",:0e-9. \\u'))
def test_any_text_is_read_or_refused(text: str) -> None:
    refuses_or_reads(text)


@given(st.sampled_from(GOLDEN), st.data())
def test_a_frame_with_damaged_text_is_read_or_refused(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    patch = data.draw(st.text(st.characters() | st.sampled_from('{}[]",:\\u0'), max_size=4))
    refuses_or_reads(text[:start] + patch + text[end:])


def replaced(value: Any, data: st.DataObject) -> Any:
    """The same value with one part of it, at a place drawn, replaced by any JSON value."""
    if value and isinstance(value, dict | list) and data.draw(st.integers(0, 3)):
        copy: Any = value.copy()
        place = data.draw(st.sampled_from(list(copy) if isinstance(copy, dict) else range(len(copy))))
        copy[place] = replaced(copy[place], data)
        return copy
    return data.draw(JSON | st.text(st.characters(), max_size=5))


@given(st.sampled_from(GOLDEN), st.data())
def test_a_frame_with_a_wrong_value_is_read_or_refused(text: str, data: st.DataObject) -> None:
    refuses_or_reads(json.dumps(replaced(json.loads(text), data)))
