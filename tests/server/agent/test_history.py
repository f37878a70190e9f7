"""Turns are read from the history."""

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    SolveResponse,
)
from decision_ai.client.schemas.chat_messages.solving import SolveSucceeded
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai_server.agent.history import CANCELLED, FAILED, last_solve, read_turn
from decision_ai_server.agent.journal import Entry, result_note

CALL = ToolData(name="solve", args={}, id="c1")
ASKED = [AskForPrompt(), Prompt(prompt="go"), ToolCall(tool_data=[CALL])]
SOLVED = [
    AskForSolve(code="", tool_origin=CALL),
    SolveResponse(
        rejected=False,
        validation=ValidationSucceeded(),
        tool_origin=CALL,
        solving=SolveSucceeded(solution_str="the plan", solution_status="optimal"),
    ),
]


def state(*more):
    return read_turn([*ASKED, *more]).calls[0].state


def test_nothing_was_said_yet():
    turn = read_turn([])

    assert (turn.sentence, turn.question, turn.calls) == ("", None, ())


def test_a_turn_starts_at_the_prompt_that_answers_an_ask():
    turn = read_turn([*ASKED, ToolOutput(tool_id="c1", tool_output="x"), *ASKED[:2]])

    assert turn.calls == ()


def test_the_question_that_a_prompt_answers_is_known():
    turn = read_turn([ChatResponse(response="How many?"), AskForFeedback(), Prompt(prompt="four")])

    assert turn.question == "How many?"
    assert turn.sentence == "four"


def test_how_a_call_ended():
    assert state() == "open"
    assert state(ToolOutput(tool_id="c1", tool_output="x")) == "done"
    assert state(ToolOutput(tool_id="c1", tool_output=f"{FAILED}x")) == "failed"
    assert state(ToolOutput(tool_id="c1", tool_output=f"{CANCELLED} x")) == "cancelled"
    assert state(*SOLVED, ToolOutput(tool_id="c1", tool_output="the plan")) == "solved"
    assert state(SOLVED[0], Prompt(prompt="no"), ToolOutput(tool_id="c1", tool_output="x")) == "rejected"


def test_what_is_asked_again_on_a_changed_model_is_known():
    other = AskForSolve(code="x = 1", tool_origin=CALL)

    assert not read_turn([*ASKED, SOLVED[0]]).calls[0].asked_anew
    assert read_turn([*ASKED, SOLVED[0], other]).calls[0].asked_anew
    assert read_turn([*ASKED, SOLVED[0], other]).calls[0].asks == (other,)


def test_calls_after_the_newest_prompt_are_counted_apart():
    turn = read_turn([*ASKED, SOLVED[0], Prompt(prompt="no"), ToolOutput(tool_id="c1", tool_output="x")])

    assert turn.sentence == "no"
    assert len(turn.calls) == 1
    assert turn.calls_since_prompt == ()


def test_the_newest_plan_is_found_with_its_ask():
    assert last_solve(ASKED) is None
    assert last_solve([*ASKED, *SOLVED, *ASKED]) == ("the plan", CALL)


def test_figures_of_results_belong_to_their_calls() -> None:
    journal = [Entry(3, result_note("c1", {"objective": 7.0})), Entry(3, result_note("other", {"gap": 0.1}))]
    turn = read_turn([*ASKED, ToolOutput(tool_id="c1", tool_output="x")], journal)
    assert [record.figures for record in turn.calls] == [{"objective": 7.0}]


def test_a_turn_knows_where_it_and_its_newest_prompt_began() -> None:
    turn = read_turn([ChatResponse(response="How many?"), AskForFeedback(), Prompt(prompt="four")])
    assert (turn.start, turn.prompted) == (2, 2)
    begun = read_turn([*ASKED, SOLVED[0], Prompt(prompt="no")])
    assert begun.prompted == len(ASKED) + 1
    assert begun.start < begun.prompted
