"""Explanations are solves of the model at hand; nothing is kept, and every figure is named."""

import json

import pytest

from decision_ai.examples import example
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.ports import Output
from decision_ai_server.agent.tools.explaining import EXPLAINING_TOOLS

TOOLS = {tool.spec.name: tool for tool in EXPLAINING_TOOLS}
DATA = json.loads(example("knapsack")[1])


@pytest.fixture
async def explain(turn):
    """Calls a tool on the knapsack, on the real executor."""
    async with LocalExecutor() as executor:

        async def run(job):
            return await executor.run(job)

        async def call(name, json_data=None, **args):
            result = await TOOLS[name].run(turn("", run=run, json_data=json_data), args)
            assert isinstance(result, Output)
            assert result.move is None
            return result

        call.run = run
        yield call


async def plan(explain, json_data=None):
    source, data = example("knapsack")
    return await explain.run(Job(task="solve", source=source, json_data=json_data or data))


async def test_what_if_compares_two_solves(explain):
    more = DATA | {"capacity": DATA["capacity"] * 2}
    before, after = await plan(explain), await plan(explain, json.dumps(more))

    edit = {"op": "change_data", "changes": [{"path": ["capacity"], "value": more["capacity"]}]}
    result = await explain("what_if", edits=[edit])

    assert result.figures["objective_before"] == pytest.approx(before.outcome.objective)
    assert result.figures["objective_after"] == pytest.approx(after.outcome.objective)
    gain = after.outcome.objective - before.outcome.objective
    assert result.figures["difference"] == pytest.approx(gain)
    assert f"The objective changes by {gain:+.10g}." in result.text
    assert "Nothing of this is kept" in result.text


async def test_why_not_tells_what_it_costs(explain):
    solved = await plan(explain)
    left_out = next(index[0] for index, value in solved.plan.values["take"] if value < 0.5)

    result = await explain("why_not", left=f"v.take[{left_out!r}]", sense="==", right="1")

    assert result.figures["outcome_after"] in ("optimal", "infeasible")
    assert result.figures.get("difference", -1) <= 0


async def test_why_not_names_what_forbids_it(explain):
    result = await explain("why_not", left="lpSum(take.values())", sense=">=", right="len(items)")

    assert (result.figures["outcome_after"], result.figures["plans"]) == ("infeasible", 1)
    assert not {"difference", "changed_members"} & set(result.figures)
    assert "what was forced" in result.text
    assert "Together these leave no plan: " in result.text


async def test_a_soft_constraint_that_pays_for_it_is_told(explain):
    soft = {"op": "set_priority", "id": "max_items", "priority": "A"}
    more = {"op": "set_rule", "id": "many", "description": "", "left": "lpSum(take.values())", "sense": ">="}

    result = await explain("what_if", edits=[soft, more | {"right": "8"}])

    assert "missed by:\n- max_items: 0 → 1\n" in result.text
    assert result.figures["max_items_missed_before"] == 0
    assert result.figures["max_items_missed_after"] == pytest.approx(1)


async def test_a_conflict_is_found(explain):
    result = await explain("explain_infeasibility", json_data=json.dumps(DATA | {"capacity": -1}))

    assert result.text == "capacity alone leaves no plan."
    assert (result.figures["status"], result.figures["constraints"]) == ("conflict", 1)


async def test_a_model_with_a_plan_has_none(explain):
    result = await explain("explain_infeasibility")

    assert result.text == "The model has a plan; no constraints are in conflict."
    assert result.figures == {"status": "feasible", "solves": 1}


async def test_sensitivity_reads_the_rows_of_the_plan(explain):
    solved = await plan(explain)
    result = await explain("sensitivity")

    (row,) = [row for row in solved.rows if row.constraint_id == "capacity"]
    assert result.figures["capacity_slack"] == pytest.approx(row.upper - row.activity)
    assert (result.figures["capacity_rows"], result.figures["outcome"]) == (1, "optimal")
    assert "capacity: " in result.text


async def test_without_a_plan_there_is_nothing_to_look_at(explain):
    result = await explain("sensitivity", json_data=json.dumps(DATA | {"capacity": -1}))

    assert result.failed
    assert result.text == "there is no plan to look at: the solve ended as infeasible"


@pytest.mark.parametrize(
    ("name", "args", "told"),
    [
        ("what_if", {"edits": []}, "edits: "),
        (
            "what_if",
            {"edits": [{"op": "remove_constraint", "id": "capacty"}]},
            "no constraint 'capacty'",
        ),
        ("why_not", {"left": "v.take['Tent'] >= 1", "sense": "==", "right": "1"}, "left: the comparison"),
        ("why_not", {"left": "v.take['Tent']", "sense": "=", "right": "1"}, "sense: "),
        ("why_not", {"left": "v.take['nowhere']", "sense": "==", "right": "1"}, "the model does not build: "),
        ("explain_infeasibility", {"seconds": 0}, "seconds: "),
    ],
)
async def test_what_cannot_be_tried_is_told(explain, name, args, told):
    result = await explain(name, **args)

    assert result.failed
    assert told in result.text
