"""Asks are functions of the present version and the open call."""

from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.modeling.data import program_hash
from decision_ai.solving.parameters import SolveParameters
from decision_ai_server.agent.asking import belongs_to, compose, solve_ask
from decision_ai_server.agent.edits import ChangeData, DataChange, Switch, to_changes
from decision_ai_server.agent.ports import RequestSolve

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
