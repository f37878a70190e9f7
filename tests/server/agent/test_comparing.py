"""Comparing two versions; the words and the values have their own tests."""

import json

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai_server.agent.comparing import Budget, compare, comparison_figures
from decision_ai_server.agent.steps import NewVersion


def grown(session, **fields):
    head = session.line[0]
    plain = {"program": head.program, "json_data": head.json_data, "changes": (), "sentence": ""}
    session.grow(NewVersion(**plain | fields))


async def test_what_does_not_fit_the_data_is_left_out_of_the_solve(simulate):
    session, jobs = simulate({}), []
    grown(session, incompatible=(IncompatiblePart(kind="constraint", id="max_items", reason="no"),))

    async def run(job):
        jobs.append(job)
        return JobResult(validation=ValidationSucceeded(), outcome=Outcome(kind=OutcomeKind.INFEASIBLE))

    found = await compare(session.tree, ("0", None), Budget(solve=True, seconds=3), run)

    assert ["def max_items" in job.source for job in jobs] == [True, False]
    assert {job.parameters.time_limit for job in jobs} == {3}
    assert [part.id for part in found.b.incompatible] == ["max_items"]
    assert (found.a.outcome.kind, found.plan_count) == (OutcomeKind.INFEASIBLE, 0)


async def test_a_version_that_does_not_build_is_said(simulate):
    session = simulate({})
    grown(session)

    async def run(job):
        return JobResult(validation=FormulationValidationFailed(error="no such name"))

    found = await compare(session.tree, ("main", "0"), Budget(solve=True), run)

    assert (found.a.number, found.b.number) == (1, 0)
    assert (found.a.problem, found.b.problem) == ("no such name", "no such name")


async def test_without_solving_nothing_runs_and_changed_data_are_counted(simulate):
    session = simulate({})
    data = json.loads(session.line[0].json_data)
    grown(session, json_data=json.dumps(data | {"capacity": data["capacity"] + 1}))

    async def run(job):
        raise AssertionError(job)

    found = await compare(session.tree, ("0", None), Budget(solve=False), run)

    assert found.a.outcome is found.b.outcome is None
    assert [item.path for item in found.data] == ["capacity"]
    assert found.data_count == 1
    assert comparison_figures(found) == {
        "versions": 2,
        "differing_parts": 0,
        "differing_values": 1,
        "version_a": 0,
        "version_b": 1,
    }


async def test_the_figures_of_both_sides_go_by_their_letters(simulate):
    session = simulate({})
    grown(session)
    outcomes = iter(
        [Outcome(kind=OutcomeKind.OPTIMAL, objective=104, gap=0.01), Outcome(kind=OutcomeKind.INFEASIBLE)]
    )

    async def run(job):
        return JobResult(validation=ValidationSucceeded(), outcome=next(outcomes))

    told = comparison_figures(await compare(session.tree, ("0", "1"), Budget(solve=True), run))

    assert "differing_members" not in told
    assert {name: told[name] for name in told if name.endswith(("_a", "_b"))} == {
        "version_a": 0,
        "outcome_a": "optimal",
        "objective_a": 104.0,
        "gap_a": 0.01,
        "gap_percent_a": 1.0,
        "version_b": 1,
        "outcome_b": "infeasible",
    }


async def test_members_are_counted_where_both_sides_have_a_plan(simulate):
    session = simulate({})
    grown(session)

    async def run(job):
        plan = Plan(values={"take": [(("Tent",), 1.0)]})
        outcome = Outcome(kind=OutcomeKind.OPTIMAL, objective=104)
        return JobResult(validation=ValidationSucceeded(), outcome=outcome, plan=plan)

    told = comparison_figures(await compare(session.tree, ("0", "1"), Budget(solve=True), run))

    assert told["differing_members"] == 0
