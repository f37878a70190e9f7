import pytest

from decision_ai_server.model_client.decisions import FinalAnswer, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.reading import read_decision, written
from decision_ai_server.model_client.replies import RawCall, RawReply
from tests.server.model_client.endpoints import PACKET

CALL = RawCall("t", "show", '{"part": "x"}')
ANSWER = '{"thought_summary": "t", "action": {"type": "final_answer", "answer": "a"}}'


@pytest.mark.parametrize(
    ("reply", "native", "streamed", "transport"),
    [
        (RawReply(calls=(CALL,)), True, False, "native"),
        (RawReply(calls=(CALL,)), True, True, "native_stream"),
        (RawReply(ANSWER), True, True, "json_fallback"),
        (RawReply(ANSWER), False, False, "json"),
        (RawReply(ANSWER), False, True, "json"),
    ],
)
def test_how_a_decision_came(reply: RawReply, native: bool, streamed: bool, transport: str) -> None:
    decision = read_decision(reply, PACKET, native=native, streamed=streamed)
    assert decision.transport == transport
    assert decision.action in (ToolCall(name="show", input={"part": "x"}), FinalAnswer(answer="a"))


@pytest.mark.parametrize(
    ("reply", "native", "error"),
    [
        (RawReply("Hello."), True, "calls no tool and holds no decision"),
        (RawReply("Hello."), False, "not valid JSON"),
        (RawReply('{"action": {"type": "final_answer"}}'), False, "invalid decision"),
        (
            RawReply(calls=(RawCall("t", "", "{}"),)),
            True,
            "no tool ''; the tools are ask_user, edit, final_answer, show",
        ),
        (RawReply(calls=(RawCall("t", "shwo", "{}"),)), True, "no tool 'shwo'"),
        (RawReply(calls=(RawCall("t", "show", "{"),)), True, "not valid JSON"),
        (
            RawReply('{"thought_summary": "", "action": {"type": "tool_call", "name": "shwo", "input": {}}}'),
            False,
            "no tool 'shwo'",
        ),
    ],
)
def test_what_is_wrong_with_a_reply(reply: RawReply, native: bool, error: str) -> None:
    with pytest.raises(DecisionParseError, match=error):
        read_decision(reply, PACKET, native=native, streamed=False)


def test_calls_are_written_as_a_person_writes_them() -> None:
    assert written([CALL, RawCall("", "edit", "{}")]) == 'show({"part": "x"}); edit({})'
