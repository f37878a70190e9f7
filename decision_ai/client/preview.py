"""What a change does to the plan, found by solving the model before and after within five seconds."""

import asyncio
import time
from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict

from decision_ai.client.approval import Preview, RowName
from decision_ai.client.model_warnings import Runnable
from decision_ai.solving.executors.base import Executor, Job, JobResult
from decision_ai.solving.findings import CheckResult, PlanCheck
from decision_ai.solving.outcome import Plan, RowState
from decision_ai.solving.parameters import SolveParameters

PREVIEW_SECONDS = 5.0
_STOP_SECONDS = 1.0
"""A stopped job may take this long to end; it is inside the five seconds."""
_BEFORE_SECONDS = 1.5
_KEPT_RESULTS = 8


class HeadProgram(BaseModel):
    """The present version of a session's model, as `GET …/program` gives it."""

    model_config = ConfigDict(frozen=True)

    code: str
    opt_input_data_id: str
    version_id: str
    hash: str


class Previewer:
    """Makes previews and remembers the newest results, so that the present model is solved once."""

    def __init__(
        self, executor: Executor, parameters: SolveParameters, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._executor = executor
        self._parameters = parameters
        self._clock = clock
        self._results: dict[Runnable, JobResult] = {}

    def remember(self, runnable: Runnable, result: JobResult) -> None:
        """Keep a result as the present plan of a program."""
        self._results.pop(runnable, None)
        self._results[runnable] = result
        while len(self._results) > _KEPT_RESULTS:
            del self._results[next(iter(self._results))]

    def plan(self, runnable: Runnable) -> Plan | None:
        """The plan known for a program, else the newest plan of any, to start a solve from."""
        known = self._results.get(runnable)
        plans = [known, *reversed(self._results.values())] if known else [*reversed(self._results.values())]
        return next((result.plan for result in plans if result.plan is not None), None)

    async def preview(
        self, before: Runnable, after: Runnable, checks: Sequence[PlanCheck] = ()
    ) -> Preview | None:
        """Solve both within five seconds; None if neither says anything in that time.

        Args:
            before: the present model.
            after: the model with the change.
            checks: what to check about the plan of the changed model.
        """
        end = self._clock() + PREVIEW_SECONDS - _STOP_SECONDS
        old = await self._solve(before, _BEFORE_SECONDS, None, ())
        new = await self._solve(after, max(end - self._clock(), 0.1), old.plan, checks)
        if old.outcome is None and new.outcome is None:
            return None
        described = new.description or old.description
        newly_binding, newly_idle = _binding_changes(old, new)
        return Preview(
            before=old.outcome,
            after=new.outcome,
            sense=described.sense if described else "minimize",
            newly_binding=newly_binding,
            newly_idle=newly_idle,
            rows_added=_added(old, new, "rows"),
            columns_added=_added(old, new, "columns"),
            checks=_told(checks, new),
        )

    async def _solve(
        self, runnable: Runnable, seconds: float, start: Plan | None, checks: Sequence[PlanCheck]
    ) -> JobResult:
        known = self._results.get(runnable)
        if known is not None and {check.name for check in checks} <= {
            found.name for found in known.findings.checks
        }:
            return known
        job = Job(
            task="solve",
            source=runnable.code,
            json_data=runnable.json_data,
            # A little less than the box, so that the solver ends by itself with its plan.
            parameters=self._parameters.model_copy(update={"time_limit": self._limit(0.8 * seconds)}),
            start=start,
            checks=list(checks),
            build_seconds=seconds,
        )
        stop = asyncio.Event()
        alarm = asyncio.get_running_loop().call_later(seconds, stop.set)
        try:
            result = await self._executor.run(job, stop=stop)
        finally:
            alarm.cancel()
        if result.outcome is not None:
            self.remember(runnable, result)
        return result

    def _limit(self, seconds: float) -> float:
        own = self._parameters.time_limit
        return seconds if own is None else min(own, seconds)


def _told(checks: Sequence[PlanCheck], result: JobResult) -> tuple[CheckResult, ...]:
    """Every check with what is known about it."""
    found = {check.name: check for check in result.findings.checks}
    return tuple(
        found.get(check.name)
        or CheckResult(name=check.name, sentence=check.sentence, holds=None, message="no plan in time")
        for check in checks
    )


def _added(old: JobResult, new: JobResult, what: str) -> int:
    if old.description is None or new.description is None:
        return 0
    return int(getattr(new.description, what) - getattr(old.description, what))


def _binding_changes(old: JobResult, new: JobResult) -> tuple[tuple[RowName, ...], tuple[RowName, ...]]:
    """Rows that are used up only after, and only before; known only where both have a plan."""
    if old.plan is None or new.plan is None:
        return (), ()
    before, after = _binding(old.rows), _binding(new.rows)
    present = {_name(row) for row in new.rows}
    return (
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name in present and name not in after),
    )


def _binding(rows: list[RowState]) -> dict[RowName, None]:
    # An equation is always used up and tells nothing.
    return {_name(row): None for row in rows if row.binding and row.lower != row.upper}


def _name(row: RowState) -> RowName:
    return row.constraint_id, row.index
