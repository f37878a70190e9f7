"""Decisions have exactly the fields of the model-client contract."""

import pytest
from pydantic import ValidationError

from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionRetryNote,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)

FIELDS = {
    ToolCall: {"type", "name", "input"},
    FinalAnswer: {"type", "answer"},
    AskUser: {"type", "question"},
    DecisionUsage: {"prompt_tokens", "completion_tokens"},
    DecisionRetryNote: {"error", "raw"},
    ModelDecision: {
        "thought_summary",
        "action",
        "retry_trace",
        "transport_trace",
        "streaming_fallback",
        "usage",
        "transport",
    },
}


@pytest.mark.parametrize("kind", FIELDS)
def test_the_fields_of_the_contract(kind):
    assert set(kind.model_fields) == FIELDS[kind]


@pytest.mark.parametrize(
    "action", [ToolCall(name="solve"), FinalAnswer(answer="42"), AskUser(question="How many?")]
)
def test_a_decision_has_exactly_one_action_known_by_its_type(action):
    decision = ModelDecision(action=action)

    assert ModelDecision.model_validate_json(decision.model_dump_json()) == decision


def test_an_unknown_action_is_refused():
    with pytest.raises(ValidationError, match="launch"):
        ModelDecision.model_validate({"action": {"type": "launch"}})
