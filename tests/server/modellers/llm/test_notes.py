"""What the journal keeps of a decision."""

import asyncio

import pytest

from decision_ai_server.agent.journal import Entry, spent
from decision_ai_server.model_client.decisions import (
    DecisionRetryNote,
    DecisionUsage,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.modellers.llm.notes import decision_note, loss_note, request_note
from decision_ai_server.modellers.llm.options import PriceTable

USAGE = DecisionUsage(prompt_tokens=1000, completion_tokens=10)
PRICES = PriceTable(prompt=1.0, completion=100.0, currency="EUR")
DECISION = ModelDecision(
    action=ToolCall(name="solve"),
    usage=USAGE,
    transport="native",
    retry_trace=[DecisionRetryNote(error="no JSON", raw="{")],
)


def test_a_decision_says_what_it_is_and_what_it_took() -> None:
    note = decision_note(DECISION, model="m", seconds=2.5, prices=PRICES)

    assert note.kind == "decision"
    assert note.payload["action"] == {"type": "tool_call", "name": "solve"} or (
        note.payload["action"],
        note.payload["name"],
    ) == ("tool_call", "solve")
    assert note.payload["model"] == "m"
    assert note.payload["retry_trace"] == [{"error": "no JSON", "raw": "{"}]
    assert note.payload["cost"] == pytest.approx(0.002)
    assert note.payload["currency"] == "EUR"


def test_the_journal_sums_decisions_and_losses() -> None:
    lost = loss_note(TransportError("gone", USAGE), seconds=1.0, prices=PRICES)
    total = spent([Entry(1, decision_note(DECISION, model="m", seconds=2.0, prices=PRICES)), Entry(1, lost)])

    assert (total.tokens, total.seconds, total.decisions) == (2020, 3.0, 2)
    assert total.cost == pytest.approx(0.004)


def test_what_nobody_knows_is_left_out() -> None:
    payload = loss_note(asyncio.CancelledError(), seconds=1.0, prices=PRICES).payload
    assert "cost" not in payload
    assert "CancelledError" in payload["error"]
    assert "cost" not in decision_note(DECISION, model="m", seconds=1.0, prices=None).payload


def test_a_request_is_kept_as_it_is() -> None:
    assert request_note({"model": "m"}).payload == {"body": {"model": "m"}}
