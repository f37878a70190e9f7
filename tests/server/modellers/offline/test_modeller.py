"""The turn as the loop plays it: what is decided after each outcome of a call."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ModelChanges
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.protocol import AskForValidation
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.solving.executors.base import Job, JobResult, ModelDescription
from decision_ai_server.agent.edits import to_changes
from decision_ai_server.agent.ports import CallRecord, ModelVersion, TurnContext, VersionTree
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline import OfflineModeller
from decision_ai_server.modellers.offline.understanding import Subject, understand

Grow = Callable[[Subject, Iterable[ModelChanges]], Subject]


def context(subject: Subject, sentence: str, *calls: CallRecord, before: str | None = None) -> TurnContext:
    async def describe() -> ModelDescription | None:
        return subject.description

    async def run(job: Job) -> JobResult:
        raise AssertionError(job)

    version = ModelVersion(
        id="v1", parent=None, program=subject.program, json_data=subject.json_data, data_id="data-0",
        sentence="", summary="",
    )  # fmt: skip
    tree = subject.tree or VersionTree(versions=(version,), branches={"main": "v1"}, branch="main", head="v1")
    said = [before, sentence] if before is not None else [sentence]
    return TurnContext(
        sentence=sentence,
        question="Which?" if before is not None else None,
        history=tuple(Prompt(prompt=text) for text in said),
        calls=calls,
        base=subject.base,
        versions=tree.line(),
        last_solution=None,
        solution_is_current=False,
        tools=(),
        describe=describe,
        tree=tree,
        run=run,
        checks=subject.checks,
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
        ("what versions are there", ToolCall(name="show_history", input={})),
        ("list branches", ToolCall(name="show_history", input={})),
        ("which checks are there", ToolCall(name="show_checks", input={})),
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


def ended(decision: ModelDecision, state: Any, output: str = "", rejection: str | None = None) -> CallRecord:
    assert isinstance(decision.action, ToolCall)
    return record(decision.action, state, output, rejection)


async def test_a_move_comes_before_the_change_of_the_same_sentence(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["later"], "try this on a branch: at most 3 items, then solve"
    calls: list[CallRecord] = []
    for name, state in (("branch", "done"), ("propose_changes", "approved"), ("solve", "solved")):
        calls.append(ended(await decide(subject, sentence, *calls), state, "optimal"))
        assert calls[-1].call.name == name
    assert calls[0].call.args == {"name": "branch 4"}
    # The answer says what the branch's call said, and then the plan.
    assert (await decide(subject, sentence, *calls)).action == FinalAnswer(answer="optimal.\noptimal")


async def test_what_was_undone_first_is_said_with_what_came_of_it(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["later"], "undo that and solve"
    undone = ended(await decide(subject, sentence), "done", "Undone: added constraint no_camera.")
    solved = ended(await decide(subject, sentence, undone), "solved", "optimal: objective 3")
    answer = (await decide(subject, sentence, undone, solved)).action
    assert answer == FinalAnswer(answer="Undone: added constraint no_camera.\noptimal: objective 3")


async def test_the_reading_of_a_change_on_a_branch_is_of_the_change(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["knapsack"], "on a new branch called lean: the ladder has to come along"
    said = "This is now the branch 'lean'; nothing else was changed."
    branch = ended(await decide(subject, sentence), "done", said)
    change = ended(await decide(subject, sentence, branch), "approved")
    assert change.call.args["reading"] == "Ladder has to be chosen."
    answer = (await decide(subject, sentence, branch, change)).action
    assert isinstance(answer, FinalAnswer)
    assert answer.answer.startswith("This is now the branch 'lean'.\nDone. Ladder has to be chosen.")


@pytest.mark.parametrize("text", ["never mind", "Forget it.", "thanks"])
async def test_nothing_to_do_is_said(subjects: dict[str, Subject], text: str) -> None:
    answer = (await decide(subjects["knapsack"], text)).action
    assert isinstance(answer, FinalAnswer)
    assert answer.answer.startswith("Nothing is waiting")


async def test_a_reset_is_approved_and_then_solved_if_asked(subjects: dict[str, Subject], grow: Grow) -> None:
    subject, sentence = subjects["later"], "reset max_items and the camera rule and solve"
    assert subject.tree is not None
    first = subject.tree.versions[0]
    calls: list[CallRecord] = []
    for id in ("max_items", "no_camera"):
        calls.append(ended(await decide(subject, sentence, *calls), "approved"))
        assert calls[-1].call.args == {"id": id}
        subject = grow(subject, subject.program.reset(id, first.program))
    calls.append(ended(await decide(subject, sentence, *calls), "solved", "optimal"))
    assert calls[-1].call.name == "solve"
    assert (await decide(subject, sentence, *calls)).action == FinalAnswer(answer="optimal")


async def test_a_reset_says_that_it_is_done(subjects: dict[str, Subject]) -> None:
    subject = subjects["later"]
    only = ended(await decide(subject, "reset max_items"), "approved")
    action = (await decide(subject, "reset max_items", only)).action
    assert isinstance(action, FinalAnswer)
    assert action.answer.startswith("Done. max_items is again as it was when the model was opened.")


async def test_what_was_reset_in_the_data_is_not_reset_again(
    subjects: dict[str, Subject], grow: Grow
) -> None:
    subject, sentence = subjects["later"], "reset the capacity and solve"
    proposed_data = ended(await decide(subject, sentence), "approved")
    assert proposed_data.call.name == "propose_changes"
    edits = list(understand(sentence, subject).proposals[0].edits)
    after = grow(subject, to_changes(edits, subject.program, subject.json_data))
    solved = ended(await decide(after, sentence, proposed_data), "solved", "optimal")
    assert solved.call.name == "solve"
    action = (await decide(after, sentence, proposed_data, solved)).action
    assert action == FinalAnswer(answer="optimal")


async def test_a_sentence_typed_over_a_reset_is_the_next_one(subjects: dict[str, Subject]) -> None:
    subject = subjects["later"]
    over = ended(await decide(subject, "reset max_items"), "rejected", rejection="undo")
    assert (await decide(subject, "undo", over)).action == ToolCall(name="undo", input={"steps": 1})
    refused = ended(await decide(subject, "reset max_items"), "rejected", rejection="I like it")
    action = (await decide(subject, "reset max_items", refused)).action
    assert action == FinalAnswer(answer="Nothing was changed. You said: I like it")


async def test_a_check_carries_its_code_and_is_kept_once(subjects: dict[str, Subject]) -> None:
    subject, sentence = subjects["later"], "always check that at most 3 outdoor items are packed"
    kept = ended(await decide(subject, sentence), "done", "Kept.")
    assert kept.call.name == "keep_check"
    assert kept.call.args["name"] == "max_chosen_items_outdoor"
    assert kept.call.args["sentence"] == "At most 3 items with category outdoor are chosen."
    assert kept.call.args["code"].startswith("def max_chosen_items_outdoor(self, data, v):\n")
    assert (await decide(subject, sentence, kept)).action == FinalAnswer(answer="Kept.")


async def test_what_a_tool_says_is_told_as_it_is(subjects: dict[str, Subject]) -> None:
    subject = subjects["undone"]
    moved = ended(await decide(subject, "undo"), "done", "Undone: added constraint x.")
    action = (await decide(subject, "undo", moved)).action
    assert action == FinalAnswer(answer="Undone: added constraint x. Say 'redo' to have it back.")
    failed = ended(await decide(subject, "go to branch foo"), "failed", "Not done: there is no version 'foo'")
    action = (await decide(subject, "go to branch foo", failed)).action
    text = "That does not work, so nothing was changed: there is no version 'foo'"
    assert action == FinalAnswer(answer=text)
    sentence = "start a branch called new and go to branch foo"
    made = ended(await decide(subject, sentence), "done", "Made.")
    action = (await decide(subject, sentence, made, failed)).action
    assert action == FinalAnswer(answer="That does not work: there is no version 'foo'")
