"""Secrets do not survive: as they are, as JSON writes them, or spread over the events of a stream."""

import json
from typing import Any

import pytest
from asking import arguments, joined
from hypothesis import given, strategies as st

from decision_ai_server.testing import Call, Manner, Reply
from decision_ai_server.testing.openai_server.rendering import answer
from decision_ai_server.testing.scrubbing import REMOVED, Scrubber

SECRET = 'sk-très-"secret"\\1'
SCRUBBER = Scrubber(frozenset({SECRET, "sk-t"}))


def test_values_lose_secrets_wherever_they_stand():
    value = {
        "messages": [{"content": f"my key is {SECRET}!"}],
        SECRET: 1,
        "n": None,
        "text": json.dumps(SECRET),
    }

    assert SCRUBBER.value(value) == {
        "messages": [{"content": f"my key is {REMOVED}!"}],
        REMOVED: 1,
        "n": None,
        "text": f'"{REMOVED}"',
    }


def test_fields_named_like_a_secret_lose_their_text_only():
    value = {"api_key": "k", "Authorization": "Bearer k", "max_tokens": 5, "password": {"type": "string"}}

    assert Scrubber(frozenset()).value(value) == value | {"api_key": REMOVED, "Authorization": REMOVED}


def test_a_short_word_is_not_learnt_as_a_secret():
    assert Scrubber(frozenset()).knowing(["k", "long enough"]).secrets == {"long enough"}


@given(before=st.text("abc", max_size=12), fragment=st.none() | st.integers(1, 12))
@pytest.mark.parametrize("field", ["content", "reasoning", "arguments"])
def test_a_secret_spread_over_a_stream_is_removed(field: str, before: str, fragment: int | None):
    text = f"{before}{SECRET}-{SECRET}."
    written: Any = {"content": text}
    if field == "reasoning":
        written = {"reasoning": text}
    if field == "arguments":
        written = {
            "calls": (Call(name="a", arguments="{}"), Call(name="a", arguments=json.dumps({"x": text})))
        }
    reply = Reply(**written, manner=Manner(fragment=fragment))
    events = [piece.decode() for piece in answer(reply, {"stream": True}, 0).pieces]

    cleaned = SCRUBBER.stream(events)

    stream = "".join(cleaned)
    found = {
        "content": lambda: joined(stream),
        "reasoning": lambda: joined(stream, "reasoning_content"),
        "arguments": lambda: json.loads(arguments(stream, 1))["x"],
    }
    assert found[field]() == f"{before}{REMOVED}-{REMOVED}."
    assert len(cleaned) == len(events)


def test_what_is_no_completion_passes_unharmed():
    events = [
        ": comment\n\n",
        "data: [DONE]\n\n",
        "data: 1\n\n",
        'data: {"choices": [{"delta": null}, 7]}\n\n',
        "\0",
    ]

    assert SCRUBBER.stream(events) == events
