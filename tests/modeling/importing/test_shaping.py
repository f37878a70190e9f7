"""Rows get one sense, families one domain, and what says nothing is left out with a note."""

import math

import pytest

from decision_ai.errors import DataError
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.shapes import Shaped
from decision_ai.modeling.importing.shaping import shaped

pytestmark = pytest.mark.core
INFINITY = math.inf


def shape(*rows: ForeignRow, columns: tuple[ForeignColumn, ...] = (ForeignColumn(name="x"),)) -> Shaped:
    return shaped(ForeignModel(name="m", sense="minimize", columns=columns, rows=rows))


def row(name: str, lower: float, upper: float, *, empty: bool = False) -> ForeignRow:
    return ForeignRow(name=name, lower=lower, upper=upper, terms=() if empty else ((0, 1.0),))


def test_a_range_becomes_two_constraints() -> None:
    found = shape(row("r[1]", 1, 2), row("r[2]", 1, INFINITY))

    assert [(rows.name, rows.sense, len(rows.rows)) for rows in found.rows] == [
        ("r", ">=", 2),
        ("r_max", "<=", 1),
    ]
    assert found.notes == ("1 row with two bounds became two constraints each.",)


def test_a_family_of_rows_may_mix_senses() -> None:
    found = shape(row("r[1]", 1, INFINITY), row("r[2]", 3, 3), row("r[3]", -INFINITY, 2))

    assert [(rows.sense, rows.rhs) for rows in found.rows] == [(None, None)]


def test_rows_that_say_nothing_are_left_out() -> None:
    found = shape(row("free", -INFINITY, INFINITY), row("empty", -1, 1, empty=True))

    assert found.rows == ()
    assert found.notes == ("2 rows without a bound or without variables left out: 'free', 'empty'.",)


def test_a_row_without_variables_that_cannot_hold_is_refused() -> None:
    with pytest.raises(DataError, match="row 'r' has no variables and asks for 1 <= 0"):
        shape(row("r", 1, INFINITY, empty=True))


def test_domains() -> None:
    columns = (
        ForeignColumn(name="b", upper=1, integral=True),
        ForeignColumn(name="i", upper=2, integral=True),
        ForeignColumn(name="c", upper=1),
    )

    assert [family.domain for family in shape(columns=columns).columns] == ["binary", "integer", "continuous"]


def test_names_of_columns_rows_and_objective_do_not_collide() -> None:
    columns = (ForeignColumn(name="x"), ForeignColumn(name="x "))

    found = shape(row("x", 0, INFINITY), columns=columns)

    assert [family.name for family in found.columns] == ["x", "x_2"]
    assert [rows.name for rows in found.rows] == ["x_row"]
