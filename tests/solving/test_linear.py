"""Our own arithmetic over plans."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from models import model

from decision_ai.solving.linear import missed, relative_gap

pytestmark = pytest.mark.core


def test_activities_and_objective() -> None:
    knapsack = model("maximize", [3, 4], [({0: 2, 1: 5}, None, 7), ({}, 0, 1), ({1: -1}, -1, -1)], offset=10)
    values = np.array([1.0, 1.0])

    assert knapsack.objective(values) == 17
    assert knapsack.activities(values).tolist() == [7, 0, -1]


@pytest.mark.parametrize(
    ("values", "accepted"),
    [
        ([1, 1], [1, 1]),
        ([1 - 1e-7, 1], [1, 1]),
        ([0.5, 1], None),
        ([2, 0], None),
        ([1, 1.2], None),
        ([float("nan"), 1], None),
        ([1], None),
    ],
)
def test_accepted(values: list[float], accepted: list[float] | None) -> None:
    mixed = model("maximize", [1, 1], [({0: 1, 1: 1}, None, 2)], upper=[1, 5], integral=[True, False])
    plan = mixed.accepted(np.array(values, dtype=float))

    assert (None if plan is None else plan.tolist()) == accepted


def test_a_plan_that_only_rounding_spoils_is_not_accepted() -> None:
    """x <= 1e6 y with y = 1e-6: feasible for a solver, and a cheat."""
    linked = model("maximize", [1, 0], [({0: 1, 1: -1e6}, None, 0)], upper=[9, 1], integral=[False, True])
    point = np.array([1.0, 1e-6])

    assert linked.feasible(point)
    assert linked.accepted(point) is None


def test_violations_forgive_what_the_tolerance_forgives() -> None:
    rows = model("minimize", [1], [({0: 1}, 3, None), ({0: 1}, None, 1), ({0: 1}, 2, 2)])
    assert rows.violations(np.array([2.0, 2.0, 2.0])).tolist() == [1, 1, 0]
    assert rows.violations(np.array([3.0, 1 + 1e-7, 2 - 1e-7])).tolist() == [0, 0, 0]


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), st.floats(-1e6, 1e6))
def test_a_point_keeps_the_rows_made_from_it(values: list[float], slack: float) -> None:
    point = np.array(values)
    sums = [point[0] + 2 * point[1], point[2] - point[0]]
    rows = [({0: 1, 1: 2}, sums[0], sums[0] + abs(slack)), ({2: 1, 0: -1}, sums[1] - abs(slack), sums[1])]
    free = model("minimize", [0, 0, 0], rows, lower=[-1e7] * 3)

    assert free.feasible(point)
    assert not free.violations(free.activities(point)).any()


def test_missed_counts_nothing_within_the_tolerance_and_the_noise() -> None:
    lower, upper = np.array([-np.inf, 0.0, 1e6, 2.0]), np.array([4.0, np.inf, np.inf, 2.0])
    values = np.array([7.0, -1e-7, 1e6 - 0.5, 1.5])

    assert missed(values, lower, upper).tolist() == [3, 0, 0, 0.5]
    assert missed(values, lower, upper, np.array([0, 0, 0, 1.0])).tolist() == [3, 0, 0, 0]


def test_noise_grows_with_the_terms() -> None:
    large = model("maximize", [0, 0], [({0: 1e9, 1: -1e9}, None, 0), ({1: 1}, None, 1)])
    assert large.noise(np.array([1.0, 1.0])).tolist() == pytest.approx([0.02, 1e-11])


def test_a_gap_of_noise_is_none() -> None:
    assert relative_gap(0.3, 0.1 + 0.2) == 0.0
    assert relative_gap(100.0, 99.0) == 0.01
