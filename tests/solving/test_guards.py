"""What PuLP would take in silence while a model file runs."""

import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pulp
import pytest

from decision_ai.solving.guards import SilentlyRead, guarded
from decision_ai.solving.problem import Problem, Row

pytestmark = pytest.mark.core


def problem() -> tuple[Problem, list[object]]:
    made = Problem("minimize")
    return made, [made.add_variable("integer", 0, 9) for _ in range(3)]


def test_a_half_of_a_chained_comparison_is_not_lost() -> None:
    _, (x, *_) = problem()
    with guarded(), pytest.raises(TypeError, match="not true or false"):
        assert 0 <= x + 0 <= 3  # type: ignore[operator]
    with guarded(), pytest.raises(TypeError, match="no value"):
        assert x
    assert bool(x + 0 <= 3)  # type: ignore[operator]


def test_nothing_is_read_in_silence_while_a_model_is_built() -> None:
    _, (x, y, _) = problem()
    with guarded():
        for silent in (
            lambda: x <= None,
            lambda: operator.eq(x + y, None),
            lambda: x - None,
            lambda: pulp.lpSum([x, None]),
        ):
            with pytest.raises(SilentlyRead, match="None"):
                silent()
        with pytest.raises(SilentlyRead, match="!="):
            assert x != 1
        assert x != y
    assert x != 1


@pytest.mark.parametrize("wrong", ["b", "4", {"a": 1}, [1, 2], (1,), np.array([1, 2]), object()])
@pytest.mark.parametrize(
    "used",
    [
        operator.le,
        operator.ge,
        operator.eq,
        operator.add,
        operator.sub,
        lambda x, y: y - x,
        lambda x, y: y >= x,
    ],
)
def test_only_numbers_and_expressions_stand_beside_a_variable(used: object, wrong: object) -> None:
    """PuLP 3 adds up a dict or list on the right side and never comes back from a text."""
    _, (x, y, _) = problem()
    with guarded():
        for side in (x, x + y):  # type: ignore[operator]
            if isinstance(wrong, np.ndarray) and used not in (operator.le, operator.ge, operator.eq):
                continue  # numpy asks first, and calculates with every element
            with pytest.raises(SilentlyRead, match="stands where a number"):
                used(side, wrong)  # type: ignore[operator]


@pytest.mark.parametrize("text", [["a"], "a"])
def test_texts_are_not_added_up(text: object) -> None:
    _, (x, *_) = problem()
    with guarded(), pytest.raises(SilentlyRead, match="a str"):
        pulp.lpSum([x, text])


@pytest.mark.parametrize(
    "four", [4, 4.0, np.int64(4), np.int8(4), np.float32(4), np.float64(4), Fraction(4), Decimal(4)]
)
def test_every_kind_of_number(four: float) -> None:
    """PuLP 4 by itself takes no numpy integer."""
    made, (x, y, _) = problem()
    with guarded():
        rows = [
            x <= four,  # type: ignore[operator]
            x + y <= four,  # type: ignore[operator]
            four >= x,  # type: ignore[operator]
            x - four <= 0,  # type: ignore[operator]
            x + y - four <= 0,  # type: ignore[operator]
            x + four <= 8,  # type: ignore[operator]
            pulp.lpSum([x, y, four]) <= 8,
        ]
        equal = [made.row(x == four), made.row(x + y == four)]  # type: ignore[operator]
    for row in map(made.row, rows):
        assert isinstance(row, Row)
        assert row.upper == 4
    assert all(isinstance(row, Row) and row.lower == row.upper == 4 for row in equal)


def test_sums_of_families_and_lists_stay_sums() -> None:
    made, (x, y, z) = problem()
    with guarded():
        row = made.row(pulp.lpSum({"a": x, "b": [y, z]}) <= 4)
    assert isinstance(row, Row)
    assert sorted(row.terms.columns) == [0, 1, 2]


def test_no_factor_is_left_out() -> None:
    made, (x, y, _) = problem()
    with guarded():
        assert len(pulp.lpDot([1, 2], [x, y])) == 2
        with pytest.raises(ValueError, match="argument 2 is shorter"):
            pulp.lpDot([1, 2, 3], [x, y])
    assert (made.columns, len(pulp.lpDot([1, 2, 3], [x, y]))) == (3, 2)


def test_no_value_is_read_while_a_model_is_built() -> None:
    made, (x, y, _) = problem()
    with guarded():
        for read in (x.value, (x + y).value, lambda: pulp.value(x)):  # type: ignore[attr-defined,operator]
            with pytest.raises(SilentlyRead, match="no value"):
                read()
    made.set_values(np.ones(3))
    assert x.value() == 1  # type: ignore[attr-defined]


def test_nothing_is_left_behind() -> None:
    owners = (pulp.LpVariable, pulp.LpAffineExpression, pulp.LpConstraint)
    before = [dict(vars(owner)) for owner in owners]
    with pytest.raises(ZeroDivisionError), guarded():
        1 / 0  # noqa: B018
    assert [dict(vars(owner)) for owner in owners] == before
