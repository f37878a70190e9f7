"""What is handed to the store of a step."""

from itertools import count

from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.examples import example
from decision_ai.modeling.data import data_id
from decision_ai.modeling.program import Program
from decision_ai_server.agent.journal import Entry, result_note
from decision_ai_server.agent.ports import Move
from decision_ai_server.agent.steps import Emit, NewVersion
from decision_ai_server.sessions.appends import Appends


def appends() -> Appends:
    ids = count(1)
    return Appends("s", lambda: 1000, lambda: f"id-{next(ids)}")


def test_a_step_with_messages_data_and_notes() -> None:
    note = result_note("c1", {"objective": 7.0})
    step = Emit(messages=(ChatResponse(response="x"), AskForPrompt()), data=("{}",), notes=(note,))
    append = appends().step(step, head="v0", approver="ann", at=5)
    assert [(one.message_id, one.timestamp) for one in append.messages] == [("id-1", 1000), ("id-2", 1000)]
    assert [record.id for record in append.data] == [data_id("{}")]
    assert append.journal == (Entry(5, note),)
    assert (append.head, append.versions) == (None, ())


def test_a_step_that_moves() -> None:
    append = appends().step(Emit(messages=(), move=Move("v1", "try")), head="v0", approver="ann", at=0)
    assert (append.head, append.branch) == ("v1", "try")


def test_a_version_becomes_the_head_and_names_its_approver() -> None:
    source, json_data = example("knapsack")
    version = NewVersion(program=Program.parse(source), json_data=json_data, changes=(), sentence="four")
    append = appends().step(Emit(messages=(), version=version), head="v0", approver="ann", at=0)
    (row,) = append.versions
    assert (row.id, row.parent, row.author, row.approver) == (append.head, "v0", "assistant", "ann")
    assert append.data[0].json_data == json_data
