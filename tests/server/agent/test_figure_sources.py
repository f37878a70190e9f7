"""An answer quotes this turn: its results, its approved changes, and the person."""

import json
from dataclasses import replace

import pytest

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    OptInputDataDiff,
    OptInputDataSnapshot,
)
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForPrompt,
    AskForValidation,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai_server.agent.figure_sources import allowed_in
from decision_ai_server.agent.figures import unsupported


def wrong(context, text):
    return unsupported(text, allowed_in(context))


def test_typed_figures_and_outputs_of_the_turn(turn, result):
    solve = result("solve", "optimal: objective 104, gap 0.4%", {"objective": 104.0, "gap": 0.004})

    assert wrong(turn(calls=[solve]), "104, a gap of 0.4% or 0.004") == []
    assert wrong(turn(), "104") == ["104"]


def test_an_open_call_has_brought_nothing(turn, result):
    assert wrong(turn(calls=[result("solve", None, state="open")]), "104") == ["104"]


def test_a_tool_that_repeats_an_argument_confirms_nothing(turn, result):
    echo = result(
        "show_data",
        "Not done: the input data have no 'items.104', only 12 items and limit_5",
        args={"path": ["items", 104, "limit_5"]},
        state="failed",
    )

    assert wrong(turn(calls=[echo]), "104 of 12 under limit_5") == ["104", "5"]


def test_the_persons_sentences_of_this_turn_only(turn):
    origin = ToolData(name="propose_changes", args={}, id="1")
    history = (
        AskForPrompt(),
        Prompt(prompt="at most 98"),
        ChatResponse(response="There are 55."),
        AskForPrompt(),
        Prompt(prompt="at most seven tents"),
        ToolCall(tool_data=[origin]),
        AskForValidation(changes=_limit(7), code="", tool_origin=origin),
        Prompt(prompt="no, 12%"),
    )
    context = turn("no, 12%", history=history)

    assert wrong(context, "7 tents, 12%") == []
    assert wrong(context, "98 or 55") == ["98", "55"]


def test_the_words_of_a_rejection(turn, result):
    rejected = result("propose_changes", "The person rejected this.", state="rejected", rejection="make it 9")

    assert wrong(turn(calls=[rejected]), "9") == []


def _limit(most):
    code = f"@constraint\ndef at_most_{most}(self, data, v):\n    return v.x <= {most}"
    snapshot = ConstraintSnapshot(
        constraint_id=f"at_most_{most}", code=code, math_formulation="", description=""
    )
    return ConstraintDiff(added=snapshot)


def _proposed(result, change, answered=None, state="approved"):
    origin = ToolData(name="propose_changes", args={}, id="1")
    ask = AskForValidation(changes=change, code="", tool_origin=origin)
    answer = ValidationResponse(
        rejected=False, validation=ValidationSucceeded(), tool_origin=origin, changes=answered
    )
    return result("propose_changes", "Done.", state=state, asks=(ask,), answers=(answer,))


def test_constants_of_an_approved_change(turn, result):
    assert wrong(turn(calls=[_proposed(result, _limit(4))]), "at_most_4 allows four") == []
    assert wrong(turn(calls=[_proposed(result, _limit(4), state="failed")]), "four") == ["four"]


def test_what_the_person_changed_before_approving_does_not_count(turn, result):
    edited = _proposed(result, _limit(4), answered=_limit(3))

    assert wrong(turn(calls=[edited]), "four") == ["four"]


def test_approved_data_count_as_far_as_they_changed(turn, result):
    before, after = (json.dumps({"capacity": value, "cost": 55}) for value in (20, 25))
    snapshots = [OptInputDataSnapshot(opt_input_data_id=text, json_data=text) for text in (before, after)]
    changed = _proposed(result, OptInputDataDiff(removed=snapshots[0], added=snapshots[1]))

    assert wrong(turn(calls=[changed]), "from 20 to 25, not 55") == ["55"]


@pytest.mark.parametrize(("text", "figures"), [("Route 66 and route_66", []), ("66", ["66"])])
def test_names_of_the_model_and_its_data(turn, text, figures):
    context = turn(json_data=json.dumps({"routes": {"Route 66": 1, "route_66": 2}}))

    assert wrong(context, text) == figures


def test_figures_of_results_that_are_names(turn, result):
    dual = result("sensitivity", "", {"dual of limit_8": 3.5, "version": "draft 7b"})

    assert wrong(turn(calls=[dual]), "limit_8 is worth 3.5 in draft 7b") == []


@pytest.mark.parametrize(
    ("args", "output"),
    [
        ({"steps": "1_05"}, "only 1 change can be undone, not 105"),
        ({"name": "a\n105"}, "there is no a\n105"),
        ({"expression": "0x69"}, "0x69 is in no result"),
    ],
)
def test_an_argument_that_is_repeated_in_other_characters_confirms_nothing(turn, result, args, output):
    echo = result("undo", f"Not done: {output}", args=args, state="failed")

    assert wrong(turn(calls=[echo]), "105") == ["105"]


def test_the_name_of_a_branch_is_no_name_for_a_sentence(turn):
    context = turn()
    branches = {"main": "v0", "the best value is 105": "v0", "night-2": "v0"}
    context = replace(context, tree=replace(context.tree, branches=branches))

    assert wrong(context, "On night-2 the best value is 105.") == ["105"]


def test_what_a_result_lists_may_be_counted(turn, result):
    shown = result("show_solution", "Load:\n  Tent: 7.5 kg\n  Stove: 5 kg\n  Drill: 3.6 kg")

    assert wrong(turn(calls=[shown]), "It takes three items, not two items.") == ["two"]
