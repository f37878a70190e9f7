"""Both sides are solved, and their difference is told only where they measure the same."""

import pytest

from decision_ai.explaining.solves import Model
from decision_ai.explaining.what_if import what_if
from decision_ai.solving.outcome import OutcomeKind

pytestmark = pytest.mark.core


async def test_more_room_is_worth_what_the_solver_says(box, run):
    found = await what_if(box(12), box(14), run, 10)

    assert (found.before.objective, found.after.objective) == (pytest.approx(21), pytest.approx(24))
    assert found.difference == pytest.approx(3)
    assert found.proven
    assert {member.variable_id for member in found.members} == {"x", "y"}


async def test_no_plan_has_no_difference(box, run):
    found = await what_if(box(12), box(5), run, 10)

    assert found.after.kind is OutcomeKind.INFEASIBLE
    assert (found.difference, found.members, found.proven) == (None, (), False)


async def test_another_objective_is_not_compared(box, run):
    present = box(12)
    other = type(present.program).parse(present.program.source.replace("2 * v.x", "3 * v.x"))
    found = await what_if(present, Model(other, present.json_data), run, 10)

    assert found.after.objective != found.before.objective
    assert found.difference is None


async def test_what_soft_constraints_are_missed_by_is_told(box, run):
    found = await what_if(box(10), box(12), run, 10)

    (missed,) = found.missed
    assert (missed.constraint_id, missed.before) == ("soft", pytest.approx(2))
    assert missed.after == pytest.approx(0, abs=1e-5)
    assert (await what_if(box(12), box(5), run, 10)).missed == ()
    assert (await what_if(box(12), box(14), run, 10)).missed == ()
