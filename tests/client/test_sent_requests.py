from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.protocol import AskForFeedback, AskForPrompt, AskForSolve
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.sent_requests import JournalEntry, SentRequest, money, sent_requests, turn_starts

CALL = ToolData(name="solve", id="c", args={})
MESSAGES = [
    SystemPrompt(content="be helpful"),
    AskForPrompt(),
    Prompt(prompt="solve"),
    ToolCall(tool_data=[CALL]),
    AskForSolve(code="", tool_origin=CALL),
    Prompt(prompt="no, wait"),  # over an open ask: the same turn
    ToolOutput(tool_id="c", tool_output="refused"),
    ChatResponse(response="which one?"),
    AskForFeedback(),
    Prompt(prompt="the tent"),
]
BODY = {
    "model": "qwen",
    "temperature": 0.0,
    "messages": [
        {"role": "system", "content": "be helpful"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        {"role": "user", "content": [{"type": "text", "text": "tänt"}]},
    ],
    "tools": [{"type": "function", "function": {"name": "solve"}}, {"name": "calculate"}],
}


def entry(kind: Any, at: int, **payload: Any) -> JournalEntry:
    return JournalEntry(kind=kind, at=at, payload=payload, created_at=5)


def test_a_turn_begins_with_a_prompt_that_was_asked_for() -> None:
    assert turn_starts(MESSAGES) == [2, 9]
    assert turn_starts([]) == []


def test_a_request_is_of_the_turn_in_which_it_went_out() -> None:
    sent = sent_requests([entry("request", at, body=BODY) for at in (3, 6, 7, 10, 11)], [2, 9])
    assert [request.turn for request in sent] == [0, 0, 0, 1, 1]


def test_what_a_decision_took_stands_beside_its_last_request() -> None:
    first, lost, other, open_one = sent_requests(
        [
            entry("decision", 3, seconds=1.0),  # of a modeller that sends nothing
            entry("request", 3, body=BODY),
            entry("request", 3, body=BODY),
            entry(
                "decision",
                3,
                usage={"prompt_tokens": 1200, "completion_tokens": 34},
                seconds=2.25,
                cost=0.00123,
                currency="EUR",
                retry_trace=[{"error": "not valid JSON", "raw": "{"}],
                transport_trace=["503"],
                streaming_fallback="no streams",
                transport="native",
                action={"type": "final_answer"},
            ),
            entry("request", 4, body=BODY),
            entry("loss", 4, error="TransportError: gone", seconds=9.0),
            entry("request", 4, body=BODY),
        ],
        [2],
    )
    assert (first.prompt_tokens, first.seconds, first.cost, first.traces) == (None, None, None, ())
    assert (lost.prompt_tokens, lost.completion_tokens, lost.seconds, lost.cost) == (1200, 34, 2.25, 0.00123)
    assert lost.traces == ("sent back: not valid JSON", "tried again: 503", "not streamed: no streams")
    assert lost.summary.endswith("1,200 tokens read, 34 written · 2.2 s · 0.00123 EUR")
    assert (other.lost, other.traces) == (True, ("gone",))
    assert other.summary.endswith("9.0 s · no decision came of it")
    assert (open_one.lost, open_one.seconds) == (False, None)


def test_a_request_is_read_part_by_part_and_in_full() -> None:
    request = SentRequest(turn=1, body=BODY, at=3, created_at=5)
    assert [(part.name, part.text) for part in request.parts] == [
        ("system", "be helpful"),
        ("assistant", '[{"id": "c"}]'),
        ("user", '[{"type": "text", "text": "tänt"}]'),
        ("tools", "solve, calculate"),
        ("settings", '{"model": "qwen", "temperature": 0.0}'),
    ]
    text = request.text()
    assert text.startswith("Turn 1 · model qwen · ")
    assert "--- system (10 characters)\nbe helpful\n" in text
    assert repr(request) == f"SentRequest(turn 1 · {request.summary})"


def test_whatever_went_out_can_be_shown() -> None:
    for body in ({}, {"messages": "none"}, {"messages": [{}], "tools": [{"function": 1}]}):
        request = SentRequest(turn=0, body=body, at=1, created_at=5)
        assert request.text()
        assert request.parts[-1].name == "settings"


def test_money_is_shown_with_its_currency() -> None:
    assert (money(0.000123456, "EUR"), money(12.0, None)) == ("0.0001235 EUR", "12 in money")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("CancelledError", "stopped before it was answered"),
        ("TransportError: cannot be reached: refused", "cannot be reached: refused"),
        ("KeyError", "KeyError"),
    ],
)
def test_a_loss_is_told_in_words(error: str, words: str) -> None:
    (sent,) = sent_requests([entry("request", 3, body=BODY), entry("loss", 3, error=error)], [2])
    assert sent.traces == (words,)
