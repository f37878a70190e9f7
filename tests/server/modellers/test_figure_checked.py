"""A language model chooses words; the figures in them are those of tools and of the person."""
# Characters that look alike are what is tested.
# ruff: noqa: RUF001

from dataclasses import replace

import pytest

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai_server.agent.facts import LEFT_OUT
from decision_ai_server.agent.ports import ToolSpec
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.modellers.figure_checked import FigureChecked
from decision_ai_server.modellers.llm import LlmModeller, LlmOptions
from decision_ai_server.testing import ScriptedModelClient


class Writer:
    """Decides one after another what it is given, telling it word by word; remembers why it was asked."""

    def __init__(self, *actions):
        self.decisions = [
            one if isinstance(one, ModelDecision) else ModelDecision(action=one) for one in actions
        ]
        self.errors = []

    async def decide(self, context):
        decision = self.decisions[len(self.errors)]
        self.errors.append(context.latest_error)
        if isinstance(decision.action, FinalAnswer):
            for word in decision.action.answer.split(" "):
                context.tell(ChatResponseDelta(delta=f"{word} "))
        return decision


def answer(text, **more):
    return ModelDecision(action=FinalAnswer(answer=text), **more)


@pytest.fixture
def solved(turn, result):
    solve = result("solve", "optimal: objective 104, bound 104, gap 0%", {"objective": 104.0, "gap": 0.0})
    return turn("How good is it?", [solve])


async def test_placeholders_are_filled(solved):
    writer = Writer(answer("It is worth {solve.objective:1}, at most 104."))

    decision = await FigureChecked(writer).decide(solved)

    assert decision.action.answer == "It is worth 104.0, at most 104."
    assert writer.errors == [None]


async def test_an_answer_with_a_wrong_figure_is_decided_once_more(solved):
    usage = DecisionUsage(prompt_tokens=10, completion_tokens=1)
    writer = Writer(
        answer("It is worth 105.", usage=usage), answer("It is worth {solve.objective}.", usage=usage)
    )

    decision = await FigureChecked(writer).decide(solved)

    assert decision.action.answer == "It is worth 104."
    assert writer.errors[1] == (
        "the answer states figures that no result of this turn has and the person did not say: 105. "
        "Leave them out, or quote results by their names, such as {solve.objective}, {solve.gap}."
    )
    assert decision.usage == DecisionUsage(prompt_tokens=20, completion_tokens=2)
    assert "105" in decision.retry_trace[0].raw


async def test_where_there_are_no_results_tools_are_named(turn):
    writer = Writer(answer("It is 105."), answer("No."))
    calculate = ToolSpec(name="calculate", description="", input_schema={})

    await FigureChecked(writer).decide(turn(tools=(calculate,)))

    assert writer.errors[1].endswith(
        "Leave them out, or call a tool that brings them; call calculate for a difference, a share or a "
        "percentage."
    )


async def test_the_second_decision_may_be_a_call(solved):
    call = ToolCall(name="calculate", input={"expression": "solve.objective"})

    decision = await FigureChecked(Writer(answer("105"), call)).decide(solved)

    assert decision.action == call
    assert decision.usage is None


@pytest.mark.parametrize("action", [FinalAnswer(answer="It is 106."), AskUser(question="106 or 107?")])
async def test_if_it_stays_wrong_the_results_speak(solved, action):
    decision = await FigureChecked(Writer(answer("It is 105."), action)).decide(solved)

    assert decision.action == FinalAnswer(
        answer=f"{LEFT_OUT} These are the results:\n\nsolve: optimal: objective 104, bound 104, gap 0%"
    )


async def test_without_results_it_says_that_there_is_no_figure(turn):
    decision = await FigureChecked(Writer(answer("It is 105."), answer("Then 104."))).decide(turn())

    assert decision.action.answer.startswith(f"{LEFT_OUT} No figure can be given without a result")


async def test_an_unknown_placeholder_is_told_with_those_there_are(solved):
    writer = Writer(answer("{solve.objectve}"), answer("Fine."))

    await FigureChecked(writer).decide(solved)

    assert writer.errors[1] == (
        "there is no figure {solve.objectve}; there are {solve.objective}, {solve.gap}"
    )


async def test_what_was_wrong_before_is_not_forgotten(solved):
    writer = Writer(answer("105"), answer("Fine."))

    await FigureChecked(writer).decide(replace(solved, latest_error="You may not undo."))

    assert writer.errors[0] == "You may not undo."
    assert writer.errors[1].startswith("You may not undo.\nthe answer states figures")


async def test_a_preface_with_a_wrong_figure_is_left_out_and_the_call_is_made(solved):
    call = ToolCall(name="show_model")
    wrong, right = (
        ModelDecision(thought_summary=f"Better than {value}.", action=call) for value in (105, 104)
    )

    assert (await FigureChecked(Writer(wrong)).decide(solved)).thought_summary == ""
    assert (await FigureChecked(Writer(right)).decide(solved)).thought_summary == "Better than 104."


async def test_texts_of_a_card_state_figures_of_their_own_edits_only(turn):
    edits = [{"op": "set_constraint", "code": "def at_most_4(self, data, v): return v.x <= 4"}]
    call = ToolCall(
        name="propose_changes",
        input={
            "edits": edits,
            "sentence": "no more than five",
            "reading": "at_most_4: four at most",
            "doubt": "This saves 20%.",
            "warnings": ["Costs 300 more.", "It is 4 now.", 7],
            "unused_words": ["please", "12"],
        },
    )

    decision = await FigureChecked(Writer(call)).decide(turn("no more than four, please"))

    assert decision.action.input == {
        "edits": edits,
        "reading": "at_most_4: four at most",
        "warnings": ["It is 4 now.", 7],
        "unused_words": ["please"],
    }


async def test_a_check_is_not_kept_with_a_figure_of_its_own(turn):
    call = ToolCall(name="keep_check", input={"name": "few", "sentence": "It is 105.", "code": "v.x <= 4"})

    decision = await FigureChecked(Writer(call)).decide(turn())

    assert decision.action.input == {"name": "few", "code": "v.x <= 4"}


async def test_texts_of_a_card_are_filled(solved):
    call = ToolCall(name="propose_changes", input={"reading": "More than {solve.objective}."})

    decision = await FigureChecked(Writer(call)).decide(solved)

    assert decision.action.input == {"reading": "More than 104."}


RULE = {"op": "set_rule", "id": "few", "description": "At most 5 of them.", "left": "v.x", "right": "4"}
DOUBT = "The description says 5, but neither the change itself nor you did."


@pytest.mark.parametrize(
    ("tool", "given", "doubt"),
    [
        ("propose_changes", {"edits": [RULE]}, DOUBT),
        ("propose_changes", {"edits": [RULE], "doubt": "All of them?"}, f"All of them? {DOUBT}"),
        ("propose_changes", {"edits": [RULE], "reading": "5 it is.", "doubt": "5?"}, DOUBT),
        ("propose_changes", {"edits": [RULE | {"right": "5"}]}, None),
        ("add_constraint", RULE, DOUBT),
        ("what_if", {"edits": [RULE]}, None),
    ],
)
async def test_a_description_with_another_figure_than_its_edit_is_doubted(turn, tool, given, doubt):
    spec = standard_toolbox()[tool].spec

    decision = await FigureChecked(Writer(ToolCall(name=tool, input=given))).decide(turn(tools=(spec,)))

    assert decision.action.input.get("doubt") == doubt
    assert "reading" not in decision.action.input


async def test_a_description_may_say_what_the_person_said(turn):
    tools = (standard_toolbox()["propose_changes"].spec,)
    call = ToolCall(name="propose_changes", input={"edits": [RULE]})

    decision = await FigureChecked(Writer(call)).decide(turn("at most 5", tools=tools))

    assert "doubt" not in decision.action.input


async def test_a_question_may_repeat_what_the_person_said(turn):
    question = AskUser(question="At most 4 tents, or at most four in all?")

    decision = await FigureChecked(Writer(question)).decide(turn("at most 4"))

    assert decision.action == question


async def test_no_wrong_figure_is_ever_streamed(solved):
    deltas = []
    writer = Writer(
        answer("We found a plan that is worth 105 euros in all and that is proven to be the best one."),
        answer("It is worth 106 euros in all and that is proven to be the best one of them."),
    )

    await FigureChecked(writer).decide(replace(solved, tell=deltas.append))

    told = [delta.delta for delta in deltas]
    assert "".join(told) == "We found a plan that is worthIt is worth"
    assert [place for place, delta in enumerate(deltas) if delta.restart] == [
        told.index(" worth") + 1,
        len(deltas) - 1,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "one hundred and five",
        "１０５",
        "1\u200b05",
        "&#49;05",
        "1**0**5",
        "$\\frac{1}{3}$ of it",
        "| value |\n|---|\n| 105 |",
        "{solve.objective}5",
        "-{solve.objective}",
        "{solve.objective}%",
        "{solve.objective} thousand",
        "\\{solve.objective}9",
        "at_most_105",
        "twice as much",
        "Ⅷ",
        "{1}{0}{5}",
        "1. It is 105",
        "105. That is it",
    ],
)
async def test_figures_cannot_be_smuggled(solved, text):
    decision = await FigureChecked(Writer(answer(text), answer(text))).decide(solved)

    assert decision.action.answer.startswith(LEFT_OUT)


async def test_a_language_model_that_insists_is_not_quoted(solved):
    deltas, notes = [], []
    client = ScriptedModelClient(
        [
            answer("The plan brings in one hundred and five euros, and that is the best there is."),
            answer("The plan brings in 105 euros, and that is the best there is."),
        ]
    )
    modeller = FigureChecked(LlmModeller(client, LlmOptions()))

    decision = await modeller.decide(replace(solved, tell=deltas.append, note=notes.append))

    assert decision.action.answer.startswith(LEFT_OUT)
    assert not any("105" in delta.delta or "hundred" in delta.delta for delta in deltas)
    assert "one hundred and five" in client.packets[1].latest_error
    assert [note.kind for note in notes].count("decision") == 2
