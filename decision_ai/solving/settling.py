"""One solve inside one time budget: settles what HiGHS leaves open and tells it in our words.

Knows no solver library: what HiGHS claimed comes as an `Ending`. "Infeasible" is confirmed with presolve off,
"unbounded or infeasible" is decided by a solve without objective, and no objective is told without a plan.
"""

import math
import threading
import time
from dataclasses import dataclass, replace

import numpy as np

from decision_ai.solving.highs import Ending, Engine, OnProgress, Run
from decision_ai.solving.linear import Floats, LinearModel, relative_gap
from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai.solving.parameters import SolveParameters

_DEFAULTS = SolveParameters()
_LIMITS = {Ending.TIME: "the time limit was reached", Ending.MEMORY: "the memory limit was reached"}


@dataclass(frozen=True, kw_only=True)
class Solved:
    """How a solve ended, and the values of the columns if it left a plan."""

    outcome: Outcome
    values: Floats | None = None


def solve(
    model: LinearModel,
    parameters: SolveParameters,
    *,
    start: Floats | None = None,
    on_progress: OnProgress | None = None,
    stop: threading.Event | None = None,
) -> Solved:
    """Solve a linear model.

    Args:
        model: finite coefficients and uncrossed bounds; HiGHS itself would not notice.
        parameters: `threads` must be the same for all solves of a process.
        start: column values to start from, NaN = unknown.
        on_progress: called from another thread, at most five times a second.
        stop: when set, the solve ends at once with the best plan so far.
    """
    return _Solve(model, parameters, on_progress, stop or threading.Event()).result(start)


class _Solve:
    """One solve inside one time budget, with the extra runs that settle what HiGHS leaves open."""

    def __init__(
        self,
        model: LinearModel,
        parameters: SolveParameters,
        on_progress: OnProgress | None,
        stop: threading.Event,
    ) -> None:
        self._model, self._parameters = model, parameters
        self._on_progress, self._stop = on_progress, stop
        self._begin = time.monotonic()

    def result(self, start: Floats | None) -> Solved:
        if not self._model.columns:
            return self._without_columns()
        run = self._run(self._model, start=start, on_progress=self._on_progress)
        return self._told(run)

    def _told(self, run: Run) -> Solved:
        if run.ending is Ending.INFEASIBLE:
            return self._confirm_infeasible(run, self._model)
        if run.ending is Ending.UNBOUNDED:
            return self._settle_unbounded(run)
        if run.ending is Ending.OPTIMAL:
            return self._optimal(run)
        if run.hit_objective_limit and run.values is not None:
            return self._plan(OutcomeKind.GAP_REACHED, run, "the objective limit was reached")
        if self._stop.is_set():
            return self._ended(
                run, OutcomeKind.INTERRUPTED_WITH_PLAN, OutcomeKind.INTERRUPTED_WITHOUT_PLAN, None
            )
        if run.ending in _LIMITS:
            message = _LIMITS[run.ending]
            return self._ended(run, OutcomeKind.LIMIT_WITH_PLAN, OutcomeKind.LIMIT_WITHOUT_PLAN, message)
        return self._solved(OutcomeKind.ERROR, run, "HiGHS ended without an answer")

    def _optimal(self, run: Run) -> Solved:
        if run.values is None:
            return self._solved(OutcomeKind.ERROR, run, "HiGHS' optimal point misses rows or bounds; no plan")
        objective = self._model.objective(run.values)
        wide = (
            self._parameters.relative_gap > _DEFAULTS.relative_gap
            or self._parameters.absolute_gap > _DEFAULTS.absolute_gap
        )
        away = 0.0 if run.bound is None else abs(run.bound - objective)
        if away <= 1.01 * max(_DEFAULTS.absolute_gap, _DEFAULTS.relative_gap * abs(objective)):
            return self._plan(OutcomeKind.OPTIMAL, run, None)
        if wide:
            return self._plan(OutcomeKind.GAP_REACHED, run, None)
        message = "making the integers whole moved the plan away from the proven bound"
        return self._plan(OutcomeKind.LIMIT_WITH_PLAN, run, message)

    def _ended(
        self, run: Run, with_plan: OutcomeKind, without_plan: OutcomeKind, message: str | None
    ) -> Solved:
        if run.values is not None:
            return self._plan(with_plan, run, message)
        return self._solved(without_plan, run, message, bound=run.bound)

    def _plan(self, kind: OutcomeKind, run: Run, message: str | None) -> Solved:
        assert run.values is not None  # every caller has looked
        objective = self._model.objective(run.values)
        bound = run.bound
        if bound is not None:
            # A bound past the plan is rounding: no plan is better than a bound.
            bound = min(bound, objective) if self._model.sense == "minimize" else max(bound, objective)
        outcome = Outcome(
            kind=kind,
            objective=objective,
            bound=bound,
            gap=relative_gap(objective, bound),
            seconds=self._elapsed(),
            nodes=run.nodes,
            message=message,
        )
        return Solved(outcome=outcome, values=run.values)

    def _solved(
        self,
        kind: OutcomeKind,
        run: Run,
        message: str | None,
        *,
        bound: float | None = None,
        confirmed: bool = True,
    ) -> Solved:
        outcome = Outcome(
            kind=kind,
            bound=bound,
            seconds=self._elapsed(),
            nodes=run.nodes,
            message=message,
            confirmed=confirmed,
        )
        return Solved(outcome=outcome)

    def _confirm_infeasible(self, run: Run, model: LinearModel) -> Solved:
        if not self._parameters.presolve:
            return self._solved(OutcomeKind.INFEASIBLE, run, None)
        budget = max(5.0, 2 * self._elapsed())
        second = self._run(model, presolve=False, budget=budget)
        if second.ending is Ending.INFEASIBLE:
            return self._solved(OutcomeKind.INFEASIBLE, run, None)
        if second.values is not None:  # presolve was wrong; a checked plan beats any claim
            kind = OutcomeKind.UNBOUNDED if model is not self._model else None
            return self._told(second) if kind is None else self._solved(kind, run, None)
        message = "not confirmed: the run with presolve off did not end in time"
        return self._solved(OutcomeKind.INFEASIBLE, run, message, confirmed=False)

    def _settle_unbounded(self, run: Run) -> Solved:
        """Whether there is any plan at all decides between unbounded and infeasible."""
        feasibility = replace(self._model, cost=np.zeros(self._model.columns), offset=0.0)
        second = self._run(feasibility)
        if second.values is not None:
            return self._solved(OutcomeKind.UNBOUNDED, run, None)
        if second.ending is Ending.INFEASIBLE:
            return self._confirm_infeasible(run, feasibility)
        if self._stop.is_set():
            return self._solved(OutcomeKind.INTERRUPTED_WITHOUT_PLAN, run, None)
        message = "the time was over before it was settled which of the two"
        return self._solved(OutcomeKind.INFEASIBLE_OR_UNBOUNDED, run, message)

    def _without_columns(self) -> Solved:
        run = Run(ending=Ending.OPTIMAL, values=np.zeros(0), bound=self._model.offset, nodes=None)
        if self._model.feasible(np.zeros(0)):
            return self._plan(OutcomeKind.OPTIMAL, run, None)
        return self._solved(OutcomeKind.INFEASIBLE, run, None)

    def _elapsed(self) -> float:
        return time.monotonic() - self._begin

    def _remaining(self) -> float:
        limit = self._parameters.time_limit
        return math.inf if limit is None else max(0.0, limit - self._elapsed())

    def _run(
        self,
        model: LinearModel,
        *,
        start: Floats | None = None,
        presolve: bool | None = None,
        budget: float = math.inf,
        on_progress: OnProgress | None = None,
    ) -> Run:
        settled = (
            self._parameters
            if presolve is None
            else self._parameters.model_copy(update={"presolve": presolve})
        )
        engine = Engine(model, settled, min(budget, self._remaining()), on_progress, self._stop)
        return engine.run(start)
