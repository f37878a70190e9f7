"""Priorities are exact: no amount of C is traded for any A."""

import itertools
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from models import hard_knapsack, model

from decision_ai.client.schemas.components import Priority
from decision_ai.solving import settling
from decision_ai.solving.linear import LinearModel
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.settling import Solved
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


def test_a_stage_without_a_plan_keeps_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """An LP that is ended has no plan of its own, but the stage before it had one."""
    whole = settling.solve
    clash = model("minimize", [1], [({0: 1}, 8, None), ({0: 1}, None, 3)], upper=[20])

    def ended_at(stage: int) -> Solved:
        count = itertools.count()

        def solve_or_end(linear: LinearModel, parameters: SolveParameters, **given: Any) -> Solved:
            if next(count) == stage:
                return Solved(outcome=Outcome(kind=OutcomeKind.LIMIT_WITHOUT_PLAN, message="the time limit"))
            return whole(linear, parameters, **given)

        monkeypatch.setattr(settling, "solve", solve_or_end)
        return solve(clash, ["A", "B"], PLAIN)

    assert ended_at(0).outcome.kind is OutcomeKind.LIMIT_WITHOUT_PLAN
    for stage, told in ((1, "of priority B"), (2, "the objective")):
        solved = ended_at(stage)
        assert solved.outcome.kind is OutcomeKind.LIMIT_WITH_PLAN
        assert told in (solved.outcome.message or "")
        assert solved.values is not None
        assert missed(clash, solved.values)[0] == 0
        assert (solved.outcome.objective, solved.outcome.bound) == (pytest.approx(solved.values[0]), None)


ROWS = st.lists(
    st.tuples(
        st.lists(st.integers(-3, 3), min_size=2, max_size=2),
        st.integers(-4, 8),
        st.sampled_from(["<=", ">=", "==", "range"]),
        st.sampled_from(["hard", "A", "B", "C"]),
    ),
    min_size=1,
    max_size=5,
)


def _bounds(side: int, sign: str) -> tuple[float | None, float | None]:
    return {"<=": (None, side), ">=": (side, None), "==": (side, side), "range": (side, side + 2)}[sign]


@settings(max_examples=60)
@given(ROWS, st.lists(st.integers(-5, 5), min_size=2, max_size=2), st.booleans())
def test_agrees_with_enumeration(
    rows: list[tuple[list[int], int, str, Priority]], cost: list[int], maximize: bool
) -> None:
    """Rows of every kind and priority over a small grid of whole numbers."""
    grid = model(
        "maximize" if maximize else "minimize",
        cost,
        [
            ({j: float(a) for j, a in enumerate(terms) if a}, *_bounds(side, sign))
            for terms, side, sign, _ in rows
        ],
        upper=[3] * 2,
        integral=[True] * 2,
    )
    priorities = [priority for *_, priority in rows]
    worst = -1 if maximize else 1

    def rank(point: np.ndarray) -> tuple[float, ...]:
        violations = grid.violations(grid.activities(point))
        sums = [
            sum(v for v, p in zip(violations, priorities, strict=True) if p == level)
            for level in ("hard", "A", "B", "C")
        ]
        return (*sums, worst * grid.objective(point))

    best = min(rank(np.array([float(i), float(j)])) for i in range(4) for j in range(4))
    solved = solve(grid, priorities, PLAIN)

    if best[0] > 0:
        assert solved.outcome.kind is OutcomeKind.INFEASIBLE
        return
    assert solved.outcome.kind is OutcomeKind.OPTIMAL
    assert solved.values is not None
    assert rank(solved.values) == pytest.approx(best)
    assert solved.outcome.objective == pytest.approx(grid.objective(solved.values))


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.sampled_from(["<=", ">=", "=="]), st.sampled_from("ABC")),
        min_size=1,
        max_size=5,
    )
)
def test_one_number_between_soft_limits(rows: list[tuple[int, str, Priority]]) -> None:
    """A continuous x between 0 and 60: the best is at one of the limits, so trying them all decides."""
    line = model("minimize", [1], [({0: 1.0}, *_bounds(side, sign)) for side, sign, _ in rows], upper=[60])
    priorities = [priority for *_, priority in rows]

    def rank(x: float) -> tuple[float, ...]:
        violations = line.violations(line.activities(np.array([x])))
        return (
            *(sum(v for v, p in zip(violations, priorities, strict=True) if p == level) for level in "ABC"),
            x,
        )

    best = min(rank(float(x)) for x in {0, 60, *(min(max(side, 0), 60) for side, *_ in rows)})
    solved = solve(line, priorities, PLAIN)
    assert solved.values is not None
    assert rank(float(solved.values[0])) == pytest.approx(best, abs=2e-4)
