"""The scripted model client plays decisions, raises errors and tells answers in pieces."""

import pytest

from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.model_client.events import AnswerDelta, ClientEvent, RequestSent
from decision_ai_server.testing import ScriptedModelClient

SOLVE = ModelDecision(action=ToolCall(name="solve"))


def packet(goal: str) -> ContextPacket:
    return ContextPacket(goal=goal)


async def test_decisions_and_errors_come_in_order_and_the_packets_are_kept():
    client = ScriptedModelClient([SOLVE, TransportError("lost")])

    assert await client.adecide(packet("a")) == SOLVE
    with pytest.raises(TransportError, match="lost"):
        client.decide(packet("b"))
    assert [asked.goal for asked in client.packets] == ["a", "b"]


def test_a_used_up_script_says_so():
    with pytest.raises(AssertionError, match="the script of 0 decisions is used up"):
        ScriptedModelClient([]).decide(packet("a"))


@pytest.mark.parametrize(
    "action", [FinalAnswer(answer="Four items are taken."), AskUser(question="Which of the items?")]
)
async def test_what_the_person_will_read_is_told_in_pieces(action: FinalAnswer | AskUser):
    events: list[ClientEvent] = []
    decision = ModelDecision(action=action)

    assert await ScriptedModelClient([decision]).adecide_watched(packet("a"), events.append) == decision
    request, *pieces = events
    assert request == RequestSent(packet("a").model_dump(mode="json"))
    text = action.answer if isinstance(action, FinalAnswer) else action.question
    assert len(pieces) > 1
    assert "".join(piece.text for piece in pieces if isinstance(piece, AnswerDelta)) == text


async def test_a_tool_call_is_told_to_nobody():
    events: list[ClientEvent] = []

    await ScriptedModelClient([SOLVE]).adecide_watched(packet("a"), events.append)

    assert [type(event) for event in events] == [RequestSent]
