"""Soft constraints by exact priorities: violations of A are minimised before B before C before the objective.

Each stage is a solve of its own over the same rows with columns for the violations; what a stage reached
is a row of the next. Nothing is weighed against anything, so no penalty can be too small.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from decision_ai.client.schemas.components import Priority
from decision_ai.solving import settling
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.settling import Solved

LEVELS: tuple[Priority, ...] = ("A", "B", "C")
"""Priorities of soft constraints, the most important first."""
REACHED = 1e-6
"""How much more than the reached violation a later stage may leave, relative to 1 + its size."""

_STOPPED = "stopped"
_WITH_PLAN = {
    OutcomeKind.LIMIT_WITHOUT_PLAN: OutcomeKind.LIMIT_WITH_PLAN,
    OutcomeKind.INTERRUPTED_WITHOUT_PLAN: OutcomeKind.INTERRUPTED_WITH_PLAN,
}


def solve(
    model: LinearModel,
    priorities: Sequence[Priority],
    parameters: SolveParameters,
    *,
    start: Floats | None = None,
    on_progress: Callable[[SolveProgress], None] | None = None,
    stop: threading.Event | None = None,
) -> Solved:
    """Solve a model whose rows have priorities; without soft rows this is one plain solve.

    `time_limit` covers all stages; the gaps and the objective limit are those of the last one.
    """
    levels = [level for level in LEVELS if level in priorities]
    if not levels:
        return settling.solve(model, parameters, start=start, on_progress=on_progress, stop=stop)
    begin = time.monotonic()
    elastic, owners = elastic_model(model, priorities)
    point = None if start is None else np.concatenate([start, np.full(len(owners), np.nan)])
    nodes, best = 0, None
    for level in levels:
        cost = np.concatenate([np.zeros(model.columns), [float(owner == level) for owner in owners]])
        stage = replace(elastic, sense="minimize", offset=0.0, cost=cost)
        exact = parameters.model_copy(
            update={
                "relative_gap": 0.0,
                "absolute_gap": 1e-6,
                "objective_limit": None,
                **_rest(parameters, begin),
            }
        )
        solved = settling.solve(
            stage, exact, start=point, on_progress=_without_figures(on_progress), stop=stop
        )
        nodes += solved.outcome.nodes or 0
        solved = _or_plan(solved, best)
        if solved.values is None:
            return _told(solved, model, begin, nodes, None)
        if solved.outcome.kind is not OutcomeKind.OPTIMAL:
            return _told(
                solved, model, begin, nodes, f"{_STOPPED} while minimising the violations of priority {level}"
            )
        point = best = solved.values
        reached = stage.objective(point)
        elastic = with_row(elastic, cost, reached + REACHED * (1 + abs(reached)))
    final = parameters.model_copy(update=_rest(parameters, begin))
    solved = settling.solve(elastic, final, start=point, on_progress=on_progress, stop=stop)
    nodes += solved.outcome.nodes or 0
    if solved.values is None and (kept := _or_plan(solved, best)).values is not None:
        return _told(kept, model, begin, nodes, f"{_STOPPED} while optimising the objective")
    return _told(solved, model, begin, nodes, solved.outcome.message)


def _or_plan(solved: Solved, before: Floats | None) -> Solved:
    """A stage that was ended before it had a plan, with the plan of the stage before."""
    kind = _WITH_PLAN.get(solved.outcome.kind)
    if before is None or kind is None or solved.values is not None:
        return solved
    return Solved(outcome=solved.outcome.model_copy(update={"kind": kind}), values=before)


def _rest(parameters: SolveParameters, begin: float) -> dict[str, float | None]:
    if parameters.time_limit is None:
        return {}
    return {"time_limit": max(0.0, parameters.time_limit - (time.monotonic() - begin))}


def elastic_model(model: LinearModel, priorities: Sequence[Priority]) -> tuple[LinearModel, list[Priority]]:
    """The model with a violation column per bound of a soft row, and the priority of each such column."""
    owners: list[Priority] = []
    insert_at: list[int] = []
    values: list[float] = []
    for row, priority in enumerate(priorities):
        if priority == "hard":
            continue
        for bound, sign in ((model.row_lower[row], 1.0), (model.row_upper[row], -1.0)):
            if np.isfinite(bound):
                owners.append(priority)
                insert_at.append(row)
                values.append(sign)
    added = len(owners)
    grown = np.bincount(insert_at, minlength=model.rows)
    ends = model.start[np.array(insert_at, dtype=np.int64) + 1]
    columns = np.arange(model.columns, model.columns + added, dtype=np.int32)
    elastic = replace(
        model,
        cost=np.concatenate([model.cost, np.zeros(added)]),
        lower=np.concatenate([model.lower, np.zeros(added)]),
        upper=np.concatenate([model.upper, np.full(added, np.inf)]),
        integral=np.concatenate([model.integral, np.zeros(added, dtype=np.bool_)]),
        start=(model.start + np.concatenate([[0], np.cumsum(grown)])).astype(np.int32),
        index=np.insert(model.index, ends, columns),
        value=np.insert(model.value, ends, values),
    )
    return elastic, owners


def with_row(model: LinearModel, coefficients: Floats, upper: float) -> LinearModel:
    """The model with one more row: coefficients times columns <= upper."""
    columns = np.flatnonzero(coefficients).astype(np.int32)
    return replace(
        model,
        row_lower=np.append(model.row_lower, -np.inf),
        row_upper=np.append(model.row_upper, upper),
        start=np.append(model.start, np.int32(model.start[-1] + len(columns))),
        index=np.concatenate([model.index, columns]),
        value=np.concatenate([model.value, coefficients[columns]]),
    )


def _told(solved: Solved, model: LinearModel, begin: float, nodes: int, message: str | None) -> Solved:
    """The outcome in the user's terms: his objective at the plan, without the violation columns.

    After a stage that did not end (a message says which) the bound is one on violations, so none is told.
    """
    values = None if solved.values is None else solved.values[: model.columns]
    outcome = solved.outcome
    if values is not None and message and message.startswith(_STOPPED):
        kind = OutcomeKind.LIMIT_WITH_PLAN
        if outcome.kind is OutcomeKind.INTERRUPTED_WITH_PLAN:
            kind = outcome.kind
        outcome = Outcome(kind=kind, objective=model.objective(values), message=message)
    elif values is None:
        outcome = outcome.model_copy(update={"bound": None})
    update = {
        "seconds": time.monotonic() - begin,
        "nodes": nodes if model.is_integer else None,
        "message": message or outcome.message,
    }
    return Solved(outcome=outcome.model_copy(update=update), values=values)


def _without_figures(
    on_progress: Callable[[SolveProgress], None] | None,
) -> Callable[[SolveProgress], None] | None:
    """Progress of a violation stage: its figures are not the user's objective."""
    if on_progress is None:
        return None
    return lambda progress: on_progress(SolveProgress(seconds=progress.seconds, nodes=progress.nodes))
