"""Asks are functions of the present version and the open call."""

import json
from dataclasses import replace

import pytest

from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import ProgramError
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai.solving.parameters import SolveParameters
from decision_ai_server.agent.asking import (
    belongs_to,
    compose,
    edited_changes,
    running,
    solve_ask,
    validation_ask,
)
from decision_ai_server.agent.edits import (
    ChangeData,
    DataChange,
    SetDataClasses,
    SetObjective,
    Switch,
    to_changes,
)
from decision_ai_server.agent.ports import CallRecord, Propose, RequestSolve

CALL = ToolData(name="solve", args={"time_limit": 5}, id="c1")


def test_a_solve_names_what_will_run(simulate):
    head = simulate({}).line[0]

    ask = solve_ask(head, CALL, RequestSolve(parameters={"time_limit": 5}))

    parameters = SolveParameters(time_limit=5)
    assert ask.code == head.program.composed()
    assert ask.tool_origin.args["input_data_id"] == head.data_id
    assert ask.tool_origin.args["hash"] == program_hash(ask.code, head.data_id, parameters)
    assert SolveParameters.model_validate(ask.tool_origin.args["parameters"]) == parameters


def test_a_plan_belongs_to_the_version_it_was_solved_on(simulate):
    session = simulate({})
    head = session.line[0]
    origin = solve_ask(head, CALL, RequestSolve()).tool_origin

    assert belongs_to(head, origin)
    changed = simulate({}, "diet").line[0]
    assert not belongs_to(changed, origin)


def test_parts_compose_on_each_other(simulate):
    head = simulate({}).line[0]
    edits = [
        ChangeData(changes=[DataChange(path=["capacity"], value=20)]),
        Switch(id="max_items", enabled=False),
    ]
    changes = tuple(to_changes(edits, head.program, head.json_data))

    composed = compose(head, changes[:1])
    assert '"capacity":20' in composed.json_data
    assert composed.program.source == head.program.source
    assert not compose(head, changes).program.constraints["max_items"].enabled


MARKS = (
    IncompatiblePart(kind="constraint", id="max_items", reason="?"),
    IncompatiblePart(kind="constraint", id="capacity", reason="?"),
    IncompatiblePart(kind="objective", id="total_value", reason="?"),
)


def marked(simulate):
    return replace(simulate({}).line[0], incompatible=MARKS)


def asked(head, *edits, checks=()):
    changes = tuple(to_changes(list(edits), head.program, head.json_data))
    return [
        validation_ask(head, CALL, Propose(changes=changes), changes, part, checks=checks)[0]
        for part in range(1, len(changes) + 1)
    ]


def test_what_does_not_build_on_the_data_is_left_out_of_what_runs(simulate):
    head = marked(simulate)

    ask = solve_ask(head, CALL, RequestSolve())

    assert ask.code == running(head) == head.program.without(MARKS).composed()
    assert "def max_items" not in ask.code
    assert ask.tool_origin.args["hash"] == program_hash(ask.code, head.data_id, SolveParameters())
    assert belongs_to(head, ask.tool_origin)
    assert not belongs_to(replace(head, incompatible=()), ask.tool_origin)


def test_a_part_that_a_change_set_repairs_must_build(simulate):
    head = marked(simulate)
    goal = '@objective("minimize")\ndef least(self, data, v):\n    return pulp.lpSum(v.take.values())'

    first, last = asked(head, Switch(id="max_items", enabled=False), SetObjective(code=goal))

    assert "def max_items" in first.code
    assert "def total_value" not in first.code
    assert "def least" in last.code
    assert "def capacity" not in last.code


def test_new_data_leave_the_marks_of_other_parts(simulate):
    (ask,) = asked(marked(simulate), ChangeData(changes=[DataChange(path=["capacity"], value=20)]))

    assert "def max_items" not in ask.code


def test_the_last_part_carries_the_named_checks(simulate):
    check = PlanCheck(name="light", sentence="Stay light.", code="def light(self, data, v):\n    return True")
    edits = Switch(id="max_items", enabled=False), Switch(id="capacity", enabled=False)
    head = simulate({}).line[0]

    first, last = asked(head, *edits, checks=(check,))

    assert "checks" not in first.tool_origin.args
    assert [PlanCheck.model_validate(said) for said in last.tool_origin.args["checks"]] == [check]
    assert all("checks" not in ask.tool_origin.args for ask in asked(head, *edits))


def schema_edit(program, field):
    codes = {name: part.code for name, part in program.data_classes.items()}
    return SetDataClasses(classes=list((codes | {"Item": f"{codes['Item']}\n    {field}"}).values()))


def test_the_data_follow_when_a_person_edits_the_new_classes(simulate):
    head = simulate({}).line[0]
    changes = tuple(to_changes([schema_edit(head.program, "size: float = 0")], head.program, head.json_data))
    (edited, _) = to_changes([schema_edit(head.program, "size: float = 2.5")], head.program, head.json_data)
    ask, _ = validation_ask(head, CALL, Propose(changes=changes), changes, 1)
    answer = ValidationResponse(
        rejected=False, validation=ValidationSucceeded(), tool_origin=ask.tool_origin, changes=edited
    )
    record = CallRecord(call=CALL, state="open", output=None, asks=(ask,), answers=(answer,))

    schema, data = edited_changes(head, Propose(changes=changes), record)

    assert schema == edited
    assert {item["size"] for item in json.loads(data.added.json_data)["items"].values()} == {2.5}
    assert data.added.opt_input_data_id == data_id(data.added.json_data)
    assert data.removed == changes[1].removed


def test_a_set_is_applied_whole_or_not_at_all(simulate):
    head = simulate({}).line[0]
    edits = [
        Switch(id="max_items", enabled=False),
        ChangeData(changes=[DataChange(path=["capacity"], value=1)]),
    ]
    good = tuple(to_changes(edits, head.program, head.json_data))
    moved = replace(head, json_data=compose(head, good).json_data, program=compose(head, good).program)

    for n, change in enumerate(good):
        with pytest.raises(ProgramError, match="start again from the present one"):
            compose(moved, (*good[n + 1 :], change))
    assert compose(head, good) == compose(head, good)
    assert moved.program.source == compose(head, good).program.source


def test_data_are_compared_by_content_not_by_layout(simulate):
    head = simulate({}).line[0]
    (change,) = to_changes(
        [ChangeData(changes=[DataChange(path=["capacity"], value=1)])], head.program, head.json_data
    )

    laid_out = replace(head, json_data=json.dumps(json.loads(head.json_data), indent=3))

    assert '"capacity":1' in compose(laid_out, (change,)).json_data
