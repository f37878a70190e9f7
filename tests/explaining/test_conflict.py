"""The constraints that are named leave no plan, and each of them is needed for that."""

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.explaining.conflict import find_conflict
from decision_ai.explaining.solves import Model, is_feasible, solved
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.findings import PartName
from decision_ai.solving.outcome import Outcome, OutcomeKind

pytestmark = pytest.mark.core


async def test_three_constraints_that_need_each_other(box, run):
    found = await find_conflict(box(5), run, 20)

    assert (found.status, found.constraints) == ("conflict", ("low_x", "low_y", "together"))
    assert found.irreducible
    assert found.solves == 4


async def test_one_that_contradicts_the_bounds_is_named_alone(box, run):
    found = await find_conflict(box(-1), run, 20)

    assert (found.constraints, found.irreducible) == (("together",), True)


async def test_a_model_with_a_plan_has_no_conflict(box, run):
    found = await find_conflict(box(8), run, 20)

    assert (found.status, found.constraints, found.solves) == ("feasible", (), 1)


async def test_no_time_decides_nothing(box, run):
    assert (await find_conflict(box(5), run, 0)).status == "undecided"


async def test_what_could_not_be_tried_in_time_is_kept_and_said(box):
    kinds = iter([OutcomeKind.INFEASIBLE, OutcomeKind.INFEASIBLE, *[OutcomeKind.LIMIT_WITHOUT_PLAN] * 2])

    async def run(job):
        return JobResult(validation=ValidationSucceeded(), outcome=Outcome(kind=next(kinds)))

    found = await find_conflict(box(5), run, 20)

    assert (found.constraints, found.irreducible) == (("low_y", "together"), False)


async def test_a_roster_that_nobody_can_staff(model, run):
    roster = model("staff_scheduling")
    source = roster.program.source.replace(
        "pulp.lpSum(v.work[e, s] for s in data.shifts) <= employee.max_shifts",
        "pulp.lpSum(v.work[e, s] for s in data.shifts) <= 1",
    )
    tight = Model(Program.parse(source), roster.json_data)
    found = await find_conflict(tight, run, 20)

    assert (found.constraints, found.irreducible) == (("max_shifts", "senior_daily"), True)
    others = [id for id in tight.program.constraints if id not in found.constraints]
    alone = tight.program.without([PartName(kind="constraint", id=id) for id in others])
    result = await solved(Model(alone, tight.json_data), run, 10)
    assert is_feasible(result.outcome) is False
