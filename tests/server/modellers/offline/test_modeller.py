"""The turn as the loop plays it: what is decided after each outcome of a call."""

from dataclasses import replace
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.protocol import AskForValidation
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.solving.executors.base import ModelDescription
from decision_ai_server.agent.ports import CallRecord, ModelVersion, TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline import OfflineModeller
from decision_ai_server.modellers.offline.understanding import Subject


def context(subject: Subject, sentence: str, *calls: CallRecord, before: str | None = None) -> TurnContext:
    async def describe() -> ModelDescription | None:
        return subject.description

    version = ModelVersion(
        id="v1", parent=None, program=subject.program, json_data=subject.json_data, data_id="data-0",
        sentence="", summary="",
    )  # fmt: skip
    said = [before, sentence] if before is not None else [sentence]
    return TurnContext(
        sentence=sentence,
        question="Which?" if before is not None else None,
        history=tuple(Prompt(prompt=text) for text in said),
        calls=calls,
        base=subject.base,
        versions=(version,),
        last_solution=None,
        solution_is_current=False,
        tools=(),
        describe=describe,
    )


def record(action: ToolCall, state: Any, output: str = "", rejection: str | None = None) -> CallRecord:
    call = ToolData(name=action.name, args=action.input, id="call-1")
    return CallRecord(call=call, state=state, output=output, rejection=rejection)


async def decide(
    subject: Subject, sentence: str, *calls: CallRecord, before: str | None = None
) -> ModelDecision:
    return await OfflineModeller().decide(context(subject, sentence, *calls, before=before))


async def proposed(subject: Subject, sentence: str) -> ToolCall:
    action = (await decide(subject, sentence)).action
    assert isinstance(action, ToolCall)
    return action


async def test_a_proposal_carries_its_reading(subjects: dict[str, Subject]) -> None:
    sentence = "From each categroy two items at most"
    decision = await decide(subjects["knapsack"], sentence)
    assert isinstance(decision.action, ToolCall)
    assert decision.action.name == "propose_changes"
    assert decision.action.input["sentence"] == sentence
    assert decision.action.input["warnings"] == ["I read 'categroy' as 'category'."]
    assert decision.thought_summary == f"I read this as: {decision.action.input['reading']}"


async def test_approved_then_solved_if_asked(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items and solve"
    approved = record(await proposed(subject, sentence), "approved")
    solve = (await decide(subject, sentence, approved)).action
    assert solve == ToolCall(name="solve", input={})
    solved = record(solve, "solved", "optimal, objective 126")
    assert (await decide(subject, sentence, approved, solved)).action == FinalAnswer(
        answer="optimal, objective 126"
    )


async def test_approved_says_what_holds(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items"
    action = (await decide(subject, sentence, record(await proposed(subject, sentence), "approved"))).action
    assert isinstance(action, FinalAnswer)
    assert "At most 4 items are chosen." in action.answer
    assert "solve" in action.answer


async def test_what_the_person_edited_is_not_told_as_it_was_proposed(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items"
    approved = record(await proposed(subject, sentence), "approved")
    origin = approved.call.model_copy(update={"args": approved.call.args | {"edited": True}})
    ask = AskForValidation(code="", changes=ConstraintDiff(), tool_origin=origin)
    action = (await decide(subject, sentence, replace(approved, asks=(ask,)))).action
    assert isinstance(action, FinalAnswer)
    assert action.answer.startswith("Done. Your edit holds.")


async def test_rejected_with_words(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items"
    rejected = record(await proposed(subject, sentence), "rejected", rejection="not now")
    action = (await decide(subject, sentence, rejected)).action
    assert action == FinalAnswer(answer="Nothing was changed. You said: not now")


async def test_a_sentence_typed_over_a_proposal_is_the_next_one(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    first = record(
        await proposed(subject, "pick at most 4 items"), "rejected", rejection="pick at most 5 items"
    )
    action = (await decide(subject, "pick at most 5 items", first)).action
    assert isinstance(action, ToolCall)
    assert "<= 5" in action.input["edits"][0]["code"]
    second = record(action, "approved")
    assert isinstance((await decide(subject, "pick at most 5 items", first, second)).action, FinalAnswer)


async def test_a_correction_over_a_proposal_replaces_its_value(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    first = record(await proposed(subject, "pick at most 4 items"), "rejected", rejection="no, five")
    action = (await decide(subject, "no, five", first)).action
    assert isinstance(action, ToolCall)
    assert "<= 5" in action.input["edits"][0]["code"]
    second = record(action, "approved")
    done = (await decide(subject, "no, five", first, second)).action
    assert isinstance(done, FinalAnswer)
    assert done.answer.startswith("Done. At most 5 items")


async def test_the_words_of_a_rejection_correct_it_once(subjects: dict[str, Subject]) -> None:
    subject, sentence, words = (
        subjects["knapsack"],
        "the ladder must come along",
        "No, the drill, not the ladder",
    )
    first = record(await proposed(subject, sentence), "rejected", rejection=words)
    action = (await decide(subject, sentence, first)).action
    assert isinstance(action, ToolCall)
    assert action.input["reading"] == "Drill has to be chosen."
    second = record(action, "rejected", rejection=words)
    assert isinstance((await decide(subject, sentence, first, second)).action, FinalAnswer)


async def test_a_sentence_after_a_question_stands_on_its_own(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    question = (await decide(subject, "frobnicate the tent")).action
    assert isinstance(question, AskUser)
    assert "'frobnicate'" in question.question
    action = (await decide(subject, "maximise weight instead", before="frobnicate the tent")).action
    assert isinstance(action, ToolCall)
    assert action.input["reading"] == "The objective is now to maximize the total weight of the chosen items."


async def test_an_open_limit_is_asked_for(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    question = (await decide(subject, "limit the kitchen things")).action
    assert isinstance(question, AskUser)
    for answer in ("at most 2", "to 2", "2"):
        action = (await decide(subject, answer, before="limit the kitchen things")).action
        assert isinstance(action, ToolCall), answer
        assert action.input["reading"] == "At most 2 items with category kitchen are chosen."


async def test_constraints_are_shown_with_formula_and_state(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "show the constraints"
    done = record(await proposed(subject, sentence), "done", "Constraints")
    action = (await decide(subject, sentence, done)).action
    assert isinstance(action, FinalAnswer)
    assert "- max_items: At most seven items are loaded.\n    " in action.answer


async def test_failed_without_another_reading_says_why(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items"
    failed = record(await proposed(subject, sentence), "failed", "line 3: no such name")
    action = (await decide(subject, sentence, *[failed] * 3)).action
    assert action == FinalAnswer(answer="That does not work, so nothing was changed: line 3: no such name")


async def test_an_answer_completes_the_question_before(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    question = (await decide(subject, "set the weight to 5")).action
    assert isinstance(question, AskUser)
    action = (await decide(subject, "the Tent", before="set the weight to 5")).action
    assert isinstance(action, ToolCall)
    assert action.input["edits"][0]["changes"][0]["path"] == ["items", "Tent", "weight"]


@pytest.mark.parametrize(
    ("sentence", "call"),
    [
        ("solve for at most 30 seconds", ToolCall(name="solve", input={"time_limit": 30.0})),
        ("undo the last two", ToolCall(name="undo", input={"steps": 2})),
        ("show the model", ToolCall(name="show_model", input={"part": "all"})),
        (
            "show me the capacity rule",
            ToolCall(name="show_model", input={"part": "constraints", "id": "capacity"}),
        ),
        ("show the last solution", ToolCall(name="show_solution", input={})),
        ("show the history", ToolCall(name="show_history", input={})),
        (
            "how much does the tent weigh?",
            ToolCall(name="show_data", input={"path": ["items", "Tent", "weight"]}),
        ),
    ],
)
async def test_commands(subjects: dict[str, Subject], sentence: str, call: ToolCall) -> None:
    assert (await decide(subjects["knapsack"], sentence)).action == call


async def test_a_looked_up_value_is_the_answer(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "how much does the tent weigh?"
    done = record(await proposed(subject, sentence), "done", "7.5")
    action = (await decide(subject, sentence, done)).action
    assert isinstance(action, FinalAnswer)
    assert action.answer.startswith("The weight of Tent is 7.5 kilograms.")


async def test_help_and_what_is_out_of_scope(subjects: dict[str, Subject]) -> None:
    help_text = (await decide(subjects["knapsack"], "help")).action
    assert isinstance(help_text, FinalAnswer)
    assert "at most 3 items" in help_text.answer
    poem = (await decide(subjects["knapsack"], "write a poem")).action
    assert isinstance(poem, FinalAnswer | AskUser)
    text = poem.answer if isinstance(poem, FinalAnswer) else poem.question
    assert text.startswith("I did not understand")


@pytest.mark.parametrize("state", ["cancelled", "open"])
async def test_other_ends_change_nothing(subjects: dict[str, Subject], state: str) -> None:
    subject, sentence = subjects["knapsack"], "pick at most 4 items"
    ended = record(await proposed(subject, sentence), state)
    assert isinstance((await decide(subject, sentence, ended)).action, FinalAnswer)
