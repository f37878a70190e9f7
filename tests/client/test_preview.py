import asyncio
import time
from collections.abc import Callable
from typing import Any

from decision_ai.client.preview import PREVIEW_SECONDS, Previewer, Runnable
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.solving.executors.base import Job, JobResult, ModelDescription
from decision_ai.solving.findings import CheckResult, Findings, PlanCheck
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, RowState, SolveProgress
from decision_ai.solving.parameters import SolveParameters

BEFORE, AFTER = Runnable("before", "{}"), Runnable("after", "{}")


def solved(objective: float, rows: list[RowState]) -> JobResult:
    return JobResult(
        validation=ValidationSucceeded(),
        description=ModelDescription(
            families={}, constraints={}, sense="minimize", columns=2, rows=len(rows)
        ),
        outcome=Outcome(kind=OutcomeKind.OPTIMAL, objective=objective),
        plan=Plan(values={"x": [((), objective)]}),
        rows=rows,
    )


def row(constraint_id: str, activity: float, lower: float | None = None) -> RowState:
    return RowState(constraint_id=constraint_id, activity=activity, lower=lower, upper=4)


FAILED = JobResult(validation=FormulationValidationFailed(error="no"))


class Executor:
    """Answers by program text; a text without an answer runs until it is stopped."""

    def __init__(self, results: dict[str, JobResult]) -> None:
        self.results, self.jobs = results, list[Job]()

    async def run(
        self,
        job: Job,
        *,
        on_progress: Callable[[SolveProgress], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> JobResult:
        self.jobs.append(job)
        if job.source not in self.results:
            assert stop is not None
            await stop.wait()
            return FAILED
        return self.results[job.source]

    async def aclose(self) -> None:
        pass


async def test_it_tells_what_changes() -> None:
    old = solved(10, [row("a", 4), row("b", 1), row("gone", 4), row("equation", 4, lower=4)])
    new = solved(12, [row("a", 2), row("b", 4), row("equation", 4, lower=4), row("new", 4), row("idle", 0)])
    executor = Executor({"before": old, "after": new})
    preview = await Previewer(executor, SolveParameters(seed=5)).preview(BEFORE, AFTER)
    assert preview is not None
    assert preview.before == old.outcome
    assert preview.after == new.outcome
    assert preview.newly_binding == (("b", ()), ("new", ()))
    assert preview.newly_idle == (("a", ()),)
    assert (preview.rows_added, preview.columns_added, preview.sense) == (1, 0, "minimize")
    first, second = executor.jobs
    assert first.parameters.seed == second.parameters.seed == 5
    assert second.start == old.plan


async def test_the_present_model_is_solved_once() -> None:
    executor = Executor({"before": solved(1, []), "after": solved(2, []), "other": solved(3, [])})
    previewer = Previewer(executor, SolveParameters())
    await previewer.preview(BEFORE, AFTER)
    await previewer.preview(BEFORE, Runnable("other", "{}"))
    await previewer.preview(AFTER, BEFORE)
    assert [job.source for job in executor.jobs] == ["before", "after", "other"]


async def test_a_present_model_that_does_not_build_leaves_its_side_empty() -> None:
    preview = await Previewer(
        Executor({"before": FAILED, "after": solved(2, [])}), SolveParameters()
    ).preview(BEFORE, AFTER)
    assert preview is not None
    assert preview.before is None
    assert preview.after is not None


async def test_no_side_no_preview() -> None:
    previewer = Previewer(Executor({"before": FAILED, "after": FAILED}), SolveParameters())
    assert await previewer.preview(BEFORE, AFTER) is None


async def test_both_solves_end_within_five_seconds() -> None:
    executor = Executor({})
    began = time.monotonic()
    assert await Previewer(executor, SolveParameters(time_limit=900)).preview(BEFORE, AFTER) is None
    assert time.monotonic() - began < PREVIEW_SECONDS
    limits: list[Any] = [job.parameters.time_limit for job in executor.jobs]
    assert sum(limits) < PREVIEW_SECONDS - 1


async def test_a_tighter_limit_of_the_person_is_kept() -> None:
    executor = Executor({"before": solved(1, []), "after": solved(2, [])})
    await Previewer(executor, SolveParameters(time_limit=0.5)).preview(BEFORE, AFTER)
    assert [job.parameters.time_limit for job in executor.jobs] == [0.5, 0.5]


def test_a_solve_starts_from_the_plan_known_for_it_or_the_newest() -> None:
    previewer = Previewer(Executor({}), SolveParameters())
    assert previewer.plan(BEFORE) is None
    previewer.remember(BEFORE, solved(1, []))
    previewer.remember(AFTER, solved(2, []))
    assert previewer.plan(BEFORE) == solved(1, []).plan
    assert previewer.plan(Runnable("new", "{}")) == solved(2, []).plan


CHECKS = [PlanCheck(name=name, sentence=f"the {name} rule", code="...") for name in ("first", "second")]


async def test_checks_are_told_of_the_changed_model_only() -> None:
    held = CheckResult(name="first", sentence="the first rule", holds=False, message="4 > 3")
    after = solved(2, []).model_copy(update={"findings": Findings(checks=[held])})
    executor = Executor({"before": solved(1, []), "after": after})
    preview = await Previewer(executor, SolveParameters()).preview(BEFORE, AFTER, CHECKS)
    assert [len(job.checks) for job in executor.jobs] == [0, 2]
    assert preview is not None
    assert preview.checks[0] == held
    assert (preview.checks[1].holds, preview.checks[1].message) == (None, "no plan in time")


async def test_a_result_without_the_checks_does_not_answer_for_them() -> None:
    executor = Executor({"before": solved(1, []), "after": solved(2, [])})
    previewer = Previewer(executor, SolveParameters())
    previewer.remember(AFTER, solved(2, []))
    await previewer.preview(BEFORE, AFTER, CHECKS)
    assert [job.source for job in executor.jobs] == ["before", "after"]
