from typing import Any

import pytest

from decision_ai.tabular.parameters import parameter_cells
from decision_ai.tabular.problems import Problems
from decision_ai.tabular.shapes import Field, Record, Scalar
from decision_ai.tabular.tables import make_table

RECORD = Record("Data", (Field("capacity", Scalar("number"), True), Field("count", Scalar("whole"), True)))


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        (["capacity", "count"], [[30, 4]], [("capacity", 30), ("count", 4)]),
        (["name", "value"], [["capacity", 30], ["count", 4]], [("capacity", 30), ("count", 4)]),
        (["capacity", 30], [["count", 4]], [("capacity", 30), ("count", 4)]),
        (["name", "value", "unit", "note"], [["capacity", 30, "kg", "x"]], [("capacity [kg]", 30)]),
        (["name", "value"], [["capacity", None]], [("capacity", None)]),
        (["name", "value", "other"], [["capacity", 30, 1]], []),
        (["a", "b"], [["c", 1]], []),
        (["capacity"], [[1], [2]], []),
    ],
)
def test_single_values_stand_in_a_row_or_a_list(
    header: list[Any], rows: list[list[Any]], expected: list[tuple[str, Any]]
) -> None:
    table = make_table("t", ("1", header), [(str(n), row) for n, row in enumerate(rows, 2)], Problems())
    cells = parameter_cells(table, RECORD)
    assert [(cell.heading, cell.values[0]) for cell in cells] == expected


def test_a_table_called_parameters_holds_them_whatever_is_wrong_with_it() -> None:
    table = make_table("Parameters", ("1", ["name", "value"]), [("2", ["capazity", 30])], Problems())
    assert [cell.heading for cell in parameter_cells(table, RECORD)] == ["capazity"]


def test_a_value_is_placed_where_it_stands() -> None:
    table = make_table("t", ("1", ["name", "value"]), [("row 2", ["capacity", 30])], Problems())
    (cell,) = parameter_cells(table, RECORD)
    assert (str(cell.place(0)), str(cell.place(-1))) == (
        "t, row 2, column 'value'",
        "t, row 2, column 'name'",
    )
