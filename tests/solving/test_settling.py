"""Every ending of HiGHS in our words, and no plan that our own arithmetic does not confirm."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from models import hard_knapsack, model

from decision_ai.solving.linear import relative_gap
from decision_ai.solving.outcome import OutcomeKind, SolveProgress
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.settling import solve

pytestmark = pytest.mark.core

PLAIN = SolveParameters()


def test_lp_optimum_with_offset() -> None:
    solved = solve(model("maximize", [2, 3], [({0: 1, 1: 1}, None, 4)], upper=[9, 3], offset=100), PLAIN)

    assert solved.outcome.kind is OutcomeKind.OPTIMAL
    assert solved.outcome.objective == pytest.approx(111)
    assert solved.outcome.bound == pytest.approx(111)
    assert solved.outcome.gap == 0
    assert solved.outcome.nodes is None
    assert solved.values is not None
    assert solved.values.tolist() == pytest.approx([1, 3])


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_mip_optimum_in_both_senses(sense: str) -> None:
    sign = 1 if sense == "maximize" else -1
    knapsack = model(
        sense,  # type: ignore[arg-type]
        [sign * cost for cost in (3, 4, 4, 10, 4)],
        [({0: 3, 1: 4, 2: 5, 3: 9, 4: 4}, None, 11)],
        upper=[1] * 5,
        integral=[True] * 5,
        offset=sign * 5,
    )
    solved = solve(knapsack, PLAIN)

    assert solved.outcome.kind is OutcomeKind.OPTIMAL
    assert solved.outcome.objective == sign * 16
    assert solved.outcome.bound == sign * 16
    assert solved.outcome.nodes is not None
    assert solved.values is not None
    assert solved.values.tolist() == [1, 1, 0, 0, 1]


@pytest.mark.parametrize(
    "infeasible",
    [
        model("minimize", [1], [({0: 1}, 3, None), ({0: 1}, None, 2)]),
        model("minimize", [1], [({0: 2}, 3, 3)], integral=[True]),
        model("minimize", [0], [({}, 1, None)]),
    ],
)
@pytest.mark.parametrize("presolve", [True, False])
def test_infeasible_is_confirmed(infeasible: object, presolve: bool) -> None:
    solved = solve(infeasible, SolveParameters(presolve=presolve))  # type: ignore[arg-type]

    assert solved.outcome.kind is OutcomeKind.INFEASIBLE
    assert solved.outcome.confirmed
    assert solved.outcome.objective is None
    assert solved.values is None


@pytest.mark.parametrize("integral", [[False, False], [True, True]])
def test_unbounded(integral: list[bool]) -> None:
    solved = solve(model("maximize", [1, 1], [({0: 1, 1: -1}, None, 3)], integral=integral), PLAIN)

    assert solved.outcome.kind is OutcomeKind.UNBOUNDED
    assert solved.values is None


def test_infeasible_with_an_unbounded_direction_is_not_called_unbounded() -> None:
    """2x - 2y = 3 has no whole solution, and HiGHS alone says "unbounded or infeasible"."""
    odd = model("maximize", [1, 1], [({0: 2, 1: -2}, 3, 3)], integral=[True, True])
    solved = solve(odd, SolveParameters(time_limit=0.5))

    assert solved.outcome.kind in (OutcomeKind.INFEASIBLE, OutcomeKind.INFEASIBLE_OR_UNBOUNDED)
    assert solved.values is None


def test_no_columns() -> None:
    assert solve(model("minimize", [], [], offset=3), PLAIN).outcome.objective == 3
    assert solve(model("minimize", [], [({}, 1, None)]), PLAIN).outcome.kind is OutcomeKind.INFEASIBLE


def test_gap_reached_only_beyond_the_default() -> None:
    wide = solve(hard_knapsack(), SolveParameters(relative_gap=0.05))
    easy = solve(model("maximize", [1], [], upper=[2.5], integral=[True]), SolveParameters(relative_gap=0.5))

    assert wide.outcome.kind is OutcomeKind.GAP_REACHED
    assert wide.outcome.gap is not None
    assert 1e-4 < wide.outcome.gap <= 0.05
    assert easy.outcome.kind is OutcomeKind.OPTIMAL


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_objective_limit(sense: str) -> None:
    hard = hard_knapsack()
    limit = 1100.0
    if sense == "minimize":
        hard = replace(hard, sense="minimize", cost=-hard.cost, offset=-hard.offset)
        limit = -limit
    solved = solve(hard, SolveParameters(objective_limit=limit))

    assert solved.outcome.kind is OutcomeKind.GAP_REACHED
    assert solved.outcome.objective is not None
    assert abs(solved.outcome.objective) >= 1100
    assert "objective limit" in (solved.outcome.message or "")


def test_time_limit_with_and_without_a_plan() -> None:
    hard = hard_knapsack(items=90, rows=25)
    with_plan = solve(hard, SolveParameters(time_limit=0.5))
    without = solve(hard, SolveParameters(time_limit=0))

    assert with_plan.outcome.kind is OutcomeKind.LIMIT_WITH_PLAN
    assert with_plan.outcome.objective is not None
    assert with_plan.outcome.bound is not None
    assert with_plan.outcome.bound >= with_plan.outcome.objective
    assert without.outcome.kind is OutcomeKind.LIMIT_WITHOUT_PLAN
    assert without.outcome.objective is None
    assert without.values is None


def test_lp_stopped_by_its_time_has_no_plan() -> None:
    """HiGHS hands out its infeasible point here."""
    size = 250
    terms = [(i * size + j) for i in range(size) for j in range(size)]
    rows = [({i * size + j: 1.0 for j in range(size)}, 1.0, 1.0) for i in range(size)]
    rows += [({i * size + j: 1.0 for i in range(size)}, 1.0, 1.0) for j in range(size)]
    cost = [float((k * 7919) % 1009) for k in terms]
    solved = solve(model("minimize", cost, rows), SolveParameters(time_limit=0.05))  # type: ignore[arg-type]

    assert solved.outcome.kind is OutcomeKind.LIMIT_WITHOUT_PLAN
    assert solved.values is None


def test_start_plan_survives_an_immediate_end() -> None:
    hard = hard_knapsack()
    start = np.zeros(60)
    start[:5] = 1
    solved = solve(hard, SolveParameters(time_limit=0), start=start)

    assert solved.outcome.kind is OutcomeKind.LIMIT_WITH_PLAN
    assert solved.outcome.objective == hard.objective(start)


def test_start_plan_that_is_none_is_ignored() -> None:
    knapsack = model("maximize", [3, 4], [({0: 2, 1: 5}, None, 5)], upper=[1, 1], integral=[True, True])

    assert solve(knapsack, PLAIN, start=np.array([1.0, 1.0])).outcome.objective == 4
    assert solve(knapsack, PLAIN, start=np.array([1.0, np.nan])).outcome.objective == 4


def test_stop_leaves_the_best_plan() -> None:
    hard = hard_knapsack(items=90, rows=25)
    stop, told = threading.Event(), []

    def on_progress(progress: SolveProgress) -> None:
        told.append(progress)
        if progress.objective is not None:
            stop.set()

    begin = time.monotonic()
    solved = solve(hard, PLAIN, on_progress=on_progress, stop=stop)

    assert time.monotonic() - begin < 10
    assert solved.outcome.kind is OutcomeKind.INTERRUPTED_WITH_PLAN
    assert solved.values is not None
    assert hard.accepted(solved.values) is not None
    assert solve(hard, PLAIN, stop=stop).outcome.kind in (
        OutcomeKind.INTERRUPTED_WITHOUT_PLAN,
        OutcomeKind.INTERRUPTED_WITH_PLAN,
    )


def test_progress_is_calm_and_gets_better() -> None:
    told: list[SolveProgress] = []
    begin = time.monotonic()
    solve(hard_knapsack(items=90, rows=25), SolveParameters(time_limit=1.5), on_progress=told.append)

    assert 1 <= len(told) <= 5 * (time.monotonic() - begin) + 1
    objectives = [progress.objective for progress in told if progress.objective is not None]
    assert objectives == sorted(objectives)
    bounds = [progress.bound for progress in told if progress.bound is not None]
    assert bounds == sorted(bounds, reverse=True)


def test_big_m_cheats_are_not_plans() -> None:
    """With M = 1e9 a binary of 1e-7 already opens the door; the plan must hold with whole numbers."""
    cheat = model(
        "minimize",
        [0, 1000],
        [({0: 1}, 50, None), ({0: 1, 1: -1e9}, None, 0)],
        upper=[100, 1],
        integral=[False, True],
    )
    solved = solve(cheat, PLAIN)

    assert solved.outcome.objective is None or solved.outcome.objective == 1000
    assert solved.outcome.kind.has_plan or solved.outcome.kind is OutcomeKind.ERROR


@pytest.mark.parametrize(
    ("objective", "bound", "gap"),
    [(10, 9, 0.1), (-10, -11, 0.1), (0, 1, None), (None, 1, None), (1, None, None)],
)
def test_relative_gap(objective: float | None, bound: float | None, gap: float | None) -> None:
    assert relative_gap(objective, bound) == (None if gap is None else pytest.approx(gap))


@settings(max_examples=25)
@given(
    st.lists(st.integers(-9, 9), min_size=4, max_size=4),
    st.lists(
        st.tuples(st.lists(st.integers(-5, 5), min_size=4, max_size=4), st.integers(-6, 12)), max_size=3
    ),
)
def test_agrees_with_enumeration(cost: list[int], rows: list[tuple[list[int], int]]) -> None:
    binary = model(
        "maximize",
        cost,
        [({j: float(a) for j, a in enumerate(terms) if a}, None, float(limit)) for terms, limit in rows],
        upper=[1] * 4,
        integral=[True] * 4,
    )
    points = [np.array([float(k >> j & 1) for j in range(4)]) for k in range(16)]
    best = max((binary.objective(point) for point in points if binary.feasible(point)), default=None)
    solved = solve(binary, PLAIN)

    assert solved.outcome.objective == best
    assert solved.outcome.kind is (OutcomeKind.INFEASIBLE if best is None else OutcomeKind.OPTIMAL)
