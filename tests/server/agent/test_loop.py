"""The agent goes from step to step by the history alone."""

from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage
from decision_ai.client.schemas.chat_messages.protocol import AskForSolve, SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.wire.conversation import Conversation
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.loop import cancel_turn, fail_turn
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision

AT_MOST = '''@constraint(r"\\sum_i take_i \\le {n}")
def at_most_{n}(self, data, v):
    """At most {n} items."""
    return pulp.lpSum(v.take.values()) <= {n}
'''
BROKEN = FormulationValidationFailed(
    error=FormulationErrorReport(
        component="constraint", component_id="at_most_4", error_type="unknown_name", message="no such name"
    )
)


def at_most(n: int) -> dict[str, Any]:
    return {"op": "set_constraint", "code": AT_MOST.format(n=n)}


def kinds(messages: list[Any]) -> list[str]:
    return [message.kind for message in messages]


async def test_a_session_opens_with_the_system_prompt_once(simulate):
    session = simulate({})

    assert kinds(await session.run()) == ["system_prompt", "ask_for_prompt"]
    assert kinds(await session.run()) == []


async def test_an_answer_ends_the_turn(simulate):
    session = simulate({"hi": [ModelDecision(action=FinalAnswer(answer="hello"))]})
    await session.run()

    assert kinds(await session.prompt("hi")) == ["prompt", "chat_response", "ask_for_prompt"][1:]
    assert session.last_response == "hello"


async def test_thoughts_are_said_only_where_the_session_asks_for_them(simulate):
    thinking = ModelDecision(thought_summary="a greeting", action=FinalAnswer(answer="hello"))
    session = simulate({"hi": [thinking]})
    await session.run()
    session.reasoning = True

    said = await session.prompt("hi")

    assert kinds(said) == ["reasoning", "chat_response", "ask_for_prompt"]
    assert said[0].content == "a greeting"


async def test_a_clarifying_question_waits_for_feedback_and_the_modeller_learns_of_it(simulate):
    session = simulate({"limit it": [ModelDecision(action=AskUser(question="To how many?"))]})
    await session.run()

    assert kinds(await session.prompt("limit it")) == ["chat_response", "ask_for_feedback"]
    assert session.conversation.phase is Phase.AWAITING_FEEDBACK


async def test_an_approved_change_becomes_a_version_with_everything_the_ask_named(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)], sentence="four", reading="r")]})
    await session.run()

    assert kinds(await session.prompt("four")) == ["tool_call", "ask_for_validation"]
    origin = session.open_ask.tool_origin
    assert origin.args["part"] == {"set": "call-1", "i": 1, "n": 1}
    assert origin.args["card"]["sentence"] == "four"
    assert "at_most_4" in session.open_ask.code
    assert kinds(await session.answer()) == ["tool_output", "chat_response", "ask_for_prompt"]
    assert "at_most_4" in session.line[0].program.constraints
    assert session.line[0].sentence == "four"
    assert session.last_output == "Approved and applied: added constraint at_most_4."


async def test_a_failed_check_goes_back_to_the_modeller_and_is_repaired(simulate, call):
    first = call("propose_changes", edits=[at_most(4)])
    session = simulate({"four": [first, first]})
    await session.run()
    await session.prompt("four")

    assert kinds(await session.answer(validation=BROKEN)) == [
        "tool_output",
        "tool_call",
        "ask_for_validation",
    ]
    assert session.last_output == "Not done: the check failed; constraint at_most_4: no such name"
    await session.answer()
    assert len(session.line) == 2


async def test_repairs_are_bounded(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])] * 9})
    await session.run()
    await session.prompt("four")
    for _ in range(4):
        await session.answer(validation=BROKEN)

    assert session.conversation.phase is Phase.AWAITING_PROMPT
    assert session.last_response.startswith("I tried 4 times and could not make this work.")
    assert len(session.line) == 1


async def test_rejected_proposals_are_bounded(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])] * 9})
    await session.run()
    await session.prompt("four")
    for _ in range(3):
        await session.answer(rejected=True, rejection_message="no")

    assert session.conversation.phase is Phase.AWAITING_PROMPT
    assert session.last_response.startswith("You rejected 3 proposals")


async def test_the_persons_words_go_back_to_the_modeller(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    await session.run()
    await session.prompt("four")

    await session.answer(rejected=True, rejection_message="five is enough")

    assert session.last_output == "The person rejected this: five is enough. Nothing was changed."
    assert len(session.line) == 1


async def test_a_prompt_over_an_open_ask_rejects_it_and_is_the_next_sentence(simulate, call):
    session = simulate(
        {
            "four": [call("propose_changes", edits=[at_most(4)])],
            "no, five": [call("show_history"), call("propose_changes", edits=[at_most(5)])],
        }
    )
    await session.run()
    await session.prompt("four")

    said = await session.prompt("no, five")

    assert kinds(said) == ["tool_output", "tool_call", "ask_for_validation"]
    assert said[0].tool_output == "The person rejected this: no, five. Nothing was changed."
    await session.answer()
    assert [id for id in session.line[0].program.constraints if id.startswith("at_most")] == ["at_most_5"]


async def test_a_set_is_asked_part_by_part_and_becomes_one_version(simulate, call):
    data = {"op": "change_data", "changes": [{"path": ["capacity"], "value": 25}]}
    session = simulate({"both": [call("propose_changes", edits=[at_most(4), data])]})
    await session.run()
    await session.prompt("both")

    assert session.open_ask.changes.kind == "input_data_diff"
    assert session.open_ask.tool_origin.args["part"] == {"set": "call-1", "i": 1, "n": 2}
    assert kinds(await session.answer()) == ["ask_for_validation"]
    assert session.open_ask.tool_origin.args["part"] == {"set": "call-1", "i": 2, "n": 2}
    assert len(session.line) == 1
    await session.answer()
    assert len(session.line) == 2
    assert '"capacity":25' in session.line[0].json_data
    assert "at_most_4" in session.line[0].program.constraints


async def test_rejecting_any_part_drops_the_whole_set(simulate, call):
    session = simulate({"both": [call("propose_changes", edits=[at_most(4), at_most(5)])]})
    await session.run()
    await session.prompt("both")
    await session.answer()

    await session.answer(rejected=True, rejection_message="not both")

    assert len(session.line) == 1


async def test_an_edited_change_is_composed_and_asked_again_before_it_counts(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    await session.run()
    await session.prompt("four")
    asked = session.open_ask.changes
    edited = ConstraintDiff(
        added=asked.added.model_copy(update={"code": asked.added.code.replace("<= 4", "<= 3")})
    )

    assert kinds(await session.answer(changes=edited)) == ["ask_for_validation"]
    assert session.open_ask.tool_origin.args["edited"] is True
    assert session.open_ask.changes == edited
    await session.answer()
    assert "<= 3" in session.line[0].program.constraints["at_most_4"].code


async def test_a_change_of_the_head_asks_again_with_another_hash(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    await session.run()
    await session.prompt("four")
    before = session.open_ask.tool_origin.args["hash"]
    other = simulate({"x": [call("propose_changes", edits=[at_most(9)])]})
    await other.run()
    await other.prompt("x")
    await other.answer()
    session.tree = other.tree

    assert kinds(await session.run()) == ["ask_for_validation"]

    assert session.open_ask.tool_origin.args["hash"] != before
    assert "at_most_9" in session.open_ask.code
    await session.answer()
    assert {"at_most_4", "at_most_9"} <= set(session.line[0].program.constraints)


async def test_what_was_approved_is_what_is_applied_even_if_the_head_moves_in_between(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    other = simulate({"x": [call("propose_changes", edits=[at_most(9)])]})
    for each, text in ((session, "four"), (other, "x")):
        await each.run()
        await each.prompt(text)
    await other.answer()
    answered = session.open_ask.tool_origin
    session.tree = other.tree

    said = await session.answer(tool_origin=answered)

    assert kinds(said) == ["ask_for_validation"]
    assert len(session.line) == 2


async def test_a_change_that_no_longer_applies_is_withdrawn(simulate, call):
    remove = call("propose_changes", edits=[{"op": "remove_constraint", "id": "max_items"}])
    session = simulate({"no cap": [remove]})
    other = simulate({"no cap": [remove]})
    for each in (session, other):
        await each.run()
        await each.prompt("no cap")
    await other.answer()
    session.tree = other.tree

    assert kinds(await session.run()) == ["tool_output", "chat_response", "ask_for_prompt"]
    assert session.last_output.startswith("Not done: ")


async def test_edits_that_do_not_fit_go_back_to_the_modeller(simulate, call):
    session = simulate({"x": [call("propose_changes", edits=[{"op": "remove_constraint", "id": "nothing"}])]})
    await session.run()

    await session.prompt("x")

    assert session.last_output.startswith("Not done: ")
    assert "nothing" in session.last_output


async def test_an_unknown_tool_is_an_answer_not_a_crash(simulate, call):
    session = simulate({"x": [call("launch")]})
    await session.run()

    await session.prompt("x")

    assert session.last_output.startswith("Not done: there is no tool 'launch'")


@pytest.mark.parametrize(
    ("solving", "output"),
    [
        (
            SolveSucceeded(solution_str="optimal, objective 7", solution_status="optimal"),
            "optimal, objective 7",
        ),
        (SolveFailed(status="infeasible"), "infeasible: no plan satisfies all constraints at once."),
        (SolveFailed(status="error", error="unbounded: no limit"), "No plan. unbounded: no limit"),
    ],
)
async def test_a_solve_is_asked_for_and_its_result_goes_on(simulate, call, solving, output):
    session = simulate({"solve": [call("solve", time_limit=5)]})
    await session.run()

    assert kinds(await session.prompt("solve")) == ["tool_call", "ask_for_solve"]
    ask = session.conversation.open_ask.message
    assert isinstance(ask, AskForSolve)
    assert ask.tool_origin.args["parameters"]["time_limit"] == 5
    session.say(
        SolveResponse(
            rejected=False, validation=ValidationSucceeded(), tool_origin=ask.tool_origin, solving=solving
        )
    )
    assert kinds(await session.run()) == ["tool_output", "chat_response", "ask_for_prompt"]
    assert session.last_output == output


async def test_a_refused_solve_carries_the_words(simulate, call):
    session = simulate({"solve": [call("solve")]})
    await session.run()
    await session.prompt("solve")
    ask = session.conversation.open_ask.message
    session.say(
        SolveResponse(
            rejected=True,
            validation=ValidationSucceeded(),
            tool_origin=ask.tool_origin,
            rejection_message="too slow now",
        )
    )

    await session.run()

    assert session.last_output == "The person refused the solve: too slow now"


async def test_undo_takes_back_versions(simulate, call):
    session = simulate(
        {"four": [call("propose_changes", edits=[at_most(4)])], "undo": [call("undo", steps=1)]}
    )
    await session.run()
    await session.prompt("four")
    await session.answer()

    await session.prompt("undo")

    assert len(session.line) == 1
    assert session.last_output == "Undone: added constraint at_most_4."
    await session.prompt("undo")
    assert session.last_output.startswith("Not done: there is no approved change to undo: this is the model")


async def test_killed_after_any_message_the_agent_goes_on_from_the_history(simulate, call):
    """Replaying every prefix of a conversation leads to the same next message."""
    script = {"four": [call("propose_changes", edits=[at_most(4)])]}
    session = simulate(script)
    await session.run()
    await session.prompt("four")
    await session.answer()
    history = list(session.conversation)
    for cut in range(len(history)):
        fresh = simulate(script)
        fresh.conversation = Conversation("s", history[:cut])
        # The version is written in one transaction with the output that follows it.
        if "tool_output" in kinds(fresh.conversation.messages):
            fresh.tree = session.tree
        fresh.agent = fresh.agent.__class__(**{**vars(fresh.agent), "new_id": lambda: "call-1"})
        said = await fresh.run()
        expected = history[cut].message.kind
        assert (kinds(said)[:1] or [expected])[0] == expected
        if not said:
            assert history[cut].message.origin == "user"


async def test_cancel_settles_the_open_call(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    await session.run()
    await session.prompt("four")

    session.commit(cancel_turn(session.view()))

    assert session.conversation.phase is Phase.AWAITING_PROMPT
    assert session.last_output == "Cancelled by the person; nothing was changed."
    assert session.conversation.open_calls == {}


async def test_a_failure_leaves_a_session_that_answers(simulate, call):
    session = simulate({"four": [call("propose_changes", edits=[at_most(4)])]})
    await session.run()
    session.say(Prompt(prompt="four"))

    session.commit(fail_turn(session.view(), "the store is full"))

    assert kinds(session.conversation.messages[-2:]) == ["error", "ask_for_prompt"]
    assert kinds(await session.prompt("four"))[-1] == "ask_for_validation"


async def test_a_session_that_broke_off_is_resumed(simulate):
    session = simulate({})
    await session.run()
    session.conversation.record(
        MessageContainer(chat_session_id="s", message=CriticalErrorMessage(error="the disk is full"))
    )

    assert kinds(await session.run()) == ["error", "ask_for_prompt"]


async def test_calls_are_bounded(simulate, call):
    session = simulate({"x": [call("show_history")] * 50})
    await session.run()

    await session.prompt("x")

    assert session.last_response.startswith("I stopped after 12 steps")
