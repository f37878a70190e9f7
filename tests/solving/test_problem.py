"""What PuLP's two generations do not agree on, or let through."""

import numpy as np
import pulp
import pytest

from decision_ai.solving.problem import NotLinear, Problem, Row, at_plan

pytestmark = pytest.mark.core


def problem() -> tuple[Problem, list[object]]:
    made = Problem("minimize")
    return made, [made.add_variable("integer", 0, 9) for _ in range(3)]


def test_two_variables_can_be_equal() -> None:
    made, (x, y, _) = problem()
    row = made.row(x == y)

    assert isinstance(row, Row)
    assert (row.lower, row.upper) == (0, 0)
    assert sorted(zip(row.terms.columns, row.terms.coefficients, strict=True)) == [(0, 1), (1, -1)]


def test_variables_are_keys() -> None:
    _, (x, y, _) = problem()
    assert {x: 1, y: 2}[y] == 2  # type: ignore[comparison-overlap]


def test_zero_terms_are_dropped_and_like_terms_added() -> None:
    made, (x, y, z) = problem()
    row = made.row(x + x + 0 * y + z - z >= 3)  # type: ignore[operator]

    assert isinstance(row, Row)
    assert (row.terms.columns, row.terms.coefficients) == ([0], [2])
    assert row.constant is None


def test_rows_without_variables() -> None:
    made, (x, *_) = problem()
    always, never = made.row(pulp.lpSum([]) <= 3), made.row(x - x >= 1)  # type: ignore[operator]

    assert isinstance(always, Row)
    assert isinstance(never, Row)
    assert (always.constant, never.constant) == (True, False)
    assert made.row(True) is True


@pytest.mark.parametrize("returned", [None, 3, "x", [1], object()])
def test_what_is_no_row(returned: object) -> None:
    made, _ = problem()
    with pytest.raises(NotLinear):
        made.row(returned)


def test_arrays_of_nothing() -> None:
    linear = Problem("maximize").linear_model()

    assert (linear.columns, linear.rows) == (0, 0)
    assert linear.start.tolist() == [0]


def test_rows_are_true_or_false_at_a_plan() -> None:
    made, (x, y, _) = problem()
    values = np.array([2.0, 3.0, 0.0])
    with at_plan(made, values):
        assert 1 <= x + 0 <= 2  # type: ignore[operator]
        assert not x + y <= 4  # type: ignore[operator]
        assert x + y == 5  # type: ignore[operator]
        assert x + y <= 5 - 1e-7  # type: ignore[operator]
        with pytest.raises(TypeError, match="value"):
            assert x
    row = made.row(x + y <= 4)  # type: ignore[operator]
    assert isinstance(row, Row)
    assert (row.activity(values), row.missed(values)) == (5, 1)


def test_rows_can_be_forgotten() -> None:
    made, (x, *_) = problem()
    row = made.row(x <= 4)  # type: ignore[operator]
    assert isinstance(row, Row)
    made.add_row(row)
    made.clear_rows()
    assert made.rows == 0
