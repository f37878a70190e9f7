"""The journal adds up what decisions cost and knows the figures of results."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.journal import (
    Entry,
    Note,
    checked,
    decision_note,
    figures_of,
    loss_note,
    result_note,
    spent,
)
from decision_ai_server.model_client.decisions import (
    DecisionRetryNote,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.model_client.errors import DecisionParseError

COSTLY = {
    "usage": {"prompt_tokens": 10, "completion_tokens": 2},
    "seconds": 1.5,
    "cost": 0.25,
    "currency": "EUR",
}
JOURNAL = [
    Entry(1, Note("request", {"body": {}, "seconds": 99.0})),
    Entry(1, Note("decision", COSTLY)),
    Entry(3, Note("loss", {"error": "lost", "usage": None, "seconds": 1.0, "cost": None})),
    Entry(3, result_note("c1", {"objective": 7.0, "outcome": "optimal"}, seconds=0.5)),
    Entry(5, Note("decision", COSTLY)),
]


def test_decisions_losses_and_the_time_of_tools_are_added_up() -> None:
    total = spent(JOURNAL)
    assert (total.tokens, total.seconds, total.cost, total.currency) == (24, 4.5, 0.5, "EUR")
    assert total.decisions == 3


def test_what_was_spent_since_a_message() -> None:
    total = spent(JOURNAL, since=2)
    assert (total.tokens, total.seconds, total.cost, total.decisions) == (12, 3.0, 0.25, 2)
    assert spent([]).cost is None


def test_figures_belong_to_their_call() -> None:
    assert figures_of(JOURNAL) == {"c1": {"objective": 7.0, "outcome": "optimal"}}


def test_a_decision_is_noted_with_its_evidence_and_without_its_words() -> None:
    decision = ModelDecision(
        thought_summary="secret thoughts",
        action=ToolCall(name="solve", input={"time_limit": 3}),
        retry_trace=[DecisionRetryNote(error="no JSON", raw="{")],
        transport_trace=["429"],
        usage=DecisionUsage(prompt_tokens=3, completion_tokens=1),
    )
    assert decision_note(decision, seconds=2.0).payload == {
        "action": {"type": "tool_call", "name": "solve"},
        "seconds": 2.0,
        "retry_trace": [{"error": "no JSON", "raw": "{"}],
        "transport_trace": ["429"],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    }
    plain = ModelDecision(action=FinalAnswer(answer="hello"))
    assert decision_note(plain, seconds=0.0).payload == {"action": {"type": "final_answer"}, "seconds": 0.0}


def test_a_loss_costs_what_its_error_knows() -> None:
    error = DecisionParseError("no JSON", usage=DecisionUsage(prompt_tokens=5))
    note = loss_note(error, seconds=1.0)
    assert note.payload["error"] == "DecisionParseError: no JSON"
    assert spent([Entry(0, note)]).prompt_tokens == 5
    assert "usage" not in loss_note(KeyError("x"), seconds=1.0).payload


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("request", {"body": object()}),
        ("decision", {"usage": "many"}),
        ("decision", {"usage": {"prompt_tokens": "x"}}),
        ("loss", {"seconds": "long"}),
        ("loss", {"cost": []}),
        ("result", {"figures": {}}),
        ("result", {"tool_id": "c1", "figures": 7}),
    ],
)
def test_a_note_that_could_not_be_read_later_is_refused_at_once(kind: Any, payload: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, AttributeError)):
        checked(Note(kind, payload))


def test_a_checked_note_does_not_change_any_more_and_nothing_costs_less_than_nothing() -> None:
    payload: dict[str, Any] = {"usage": {"prompt_tokens": -5}, "seconds": -1.0, "cost": -2.0}
    note = checked(Note("loss", payload))
    payload["usage"]["prompt_tokens"] = 9
    total = spent([Entry(0, note)])
    assert (total.tokens, total.seconds, total.cost) == (0, 0.0, 0.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99), st.integers(0, 99))), st.integers(0, 9))
def test_what_was_spent_before_and_since_is_the_whole(
    entries: list[tuple[int, int, int]], since: int
) -> None:
    journal = [
        Entry(at, Note("decision", {"usage": {"prompt_tokens": read, "completion_tokens": written}}))
        for at, read, written in entries
    ]
    before = [entry for entry in journal if entry.at < since]
    assert spent(journal).tokens == spent(before).tokens + spent(journal, since).tokens
