"""Priorities are exact: no amount of C is traded for any A."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from models import hard_knapsack, model

from decision_ai.client.schemas.components import Priority
from decision_ai.solving.linear import LinearModel
from decision_ai.solving.outcome import OutcomeKind, SolveProgress
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.staged import solve

pytestmark = pytest.mark.core

PLAIN = SolveParameters()


def missed(linear: LinearModel, values: np.ndarray) -> list[float]:
    return [round(v, 4) for v in linear.violations(linear.activities(values)).tolist()]


def test_levels_before_the_objective() -> None:
    """x >= 8 (A), x <= 3 (B), x == 5 (C): A wins whole, B gives way, C gets nothing."""
    clash = model("minimize", [1], [({0: 1}, 8, None), ({0: 1}, None, 3), ({0: 1}, 5, 5)], upper=[20])
    for priorities, x in (("ABC", 8), ("BAC", 3), ("CBA", 5), ("AAA", 5), ("BBA", 5)):
        solved = solve(clash, list(priorities), PLAIN)  # type: ignore[arg-type]
        assert solved.outcome.kind is OutcomeKind.OPTIMAL
        assert solved.outcome.objective == pytest.approx(x, abs=1e-4)


def test_violation_is_reported_and_the_objective_is_the_users() -> None:
    tight = model("maximize", [3, 1], [({0: 1, 1: 1}, 10, 10), ({0: 1}, None, 4)], upper=[6, 2], offset=100)
    solved = solve(tight, ["A", "hard"], PLAIN)

    assert solved.values is not None
    assert solved.values.tolist() == pytest.approx([4, 2], abs=1e-4)
    assert solved.outcome.objective == pytest.approx(114, abs=1e-3)
    assert missed(tight, solved.values) == [4, 0]


def test_hard_rows_stay_hard() -> None:
    impossible = model("minimize", [1], [({0: 1}, 3, None), ({0: 1}, None, 2)])
    assert solve(impossible, ["hard", "hard"], PLAIN).outcome.kind is OutcomeKind.INFEASIBLE
    soft = model("minimize", [1], [({0: 1}, 3, None), ({0: 1}, None, 2), ({0: 1}, 9, None)])
    assert solve(soft, ["hard", "hard", "A"], PLAIN).outcome.kind is OutcomeKind.INFEASIBLE


def test_unbounded_objective_behind_a_soft_row() -> None:
    open_end = model("maximize", [1, 0], [({1: 1}, 5, None)], upper=[np.inf, 2])
    assert solve(open_end, ["A"], PLAIN).outcome.kind is OutcomeKind.UNBOUNDED


def test_stages_share_the_time() -> None:
    hard = hard_knapsack(items=90, rows=25)
    wish = model("maximize", [1], [])  # only for its type
    assert wish.rows == 0
    priorities: list[Priority] = ["C", *["hard"] * 24]  # type: ignore[list-item]
    solved = solve(hard, priorities, SolveParameters(time_limit=0.7))

    assert solved.outcome.kind is OutcomeKind.LIMIT_WITH_PLAN
    assert solved.outcome.seconds < 5
    assert solved.values is not None
    assert missed(hard, solved.values)[0] == 0


def test_stop_in_the_last_stage_keeps_the_plan_of_the_first() -> None:
    hard = hard_knapsack(items=90, rows=25)
    stop = threading.Event()

    def on_progress(progress: SolveProgress) -> None:
        if progress.bound is not None:
            stop.set()

    priorities: list[Priority] = ["A", *["hard"] * 24]  # type: ignore[list-item]
    solved = solve(hard, priorities, PLAIN, on_progress=on_progress, stop=stop)

    assert solved.outcome.kind is OutcomeKind.INTERRUPTED_WITH_PLAN
    assert solved.values is not None


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(-4, 8), st.sampled_from("ABC")
        ),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.integers(-5, 5), min_size=3, max_size=3),
)
def test_agrees_with_enumeration(rows: list[tuple[list[int], int, Priority]], cost: list[int]) -> None:
    binary = model(
        "maximize",
        cost,
        [({j: float(a) for j, a in enumerate(terms) if a}, None, float(limit)) for terms, limit, _ in rows],
        upper=[1] * 3,
        integral=[True] * 3,
    )
    priorities = [priority for _, _, priority in rows]

    def rank(point: np.ndarray) -> tuple[float, ...]:
        violations = binary.violations(binary.activities(point))
        sums = [sum(v for v, p in zip(violations, priorities, strict=True) if p == level) for level in "ABC"]
        return (*sums, -binary.objective(point))

    best = min(rank(np.array([float(k >> j & 1) for j in range(3)])) for k in range(8))
    solved = solve(binary, priorities, PLAIN)

    assert solved.outcome.kind is OutcomeKind.OPTIMAL
    assert solved.values is not None
    assert rank(solved.values) == pytest.approx(best)
