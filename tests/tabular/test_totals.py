from typing import Any

import pytest

from decision_ai.tabular.cells import table_cells
from decision_ai.tabular.problems import Problems
from decision_ai.tabular.tables import Table, make_table
from decision_ai.tabular.totals import check_total_columns, check_total_rows


def made(header: list[Any], *rows: list[Any]) -> Table:
    named = [(f"row {n}", row) for n, row in enumerate(rows, start=2)]
    return make_table("items", ("row 1", header), named, Problems())


@pytest.mark.parametrize("name", ["Total", "GRAND TOTAL", "Summe:", "Gesamtergebnis"])
@pytest.mark.parametrize("amounts", [(1.5, 2, 3.5), ("1,5", "2", "3,5")])
def test_a_row_that_adds_up_the_others_is_a_problem(name: str, amounts: tuple[Any, ...]) -> None:
    one, other, total = amounts
    problems = Problems()
    check_total_rows(made(["item", "kg"], ["a", one], ["b", other], [name, total]), problems)
    assert [str(problem) for problem in problems.found] == [
        "items, row 4, column 'item': the row adds up the others; delete it"
    ]


def test_a_label_that_only_is_called_so_is_read_and_told() -> None:
    problems = Problems()
    check_total_rows(made(["station", "litres"], ["Shell", 5], ["Total", 7]), problems)
    assert problems.found == []
    assert problems.notes == ["items, row 3, column 'station': read as a label, not as a total"]


def test_a_column_that_adds_up_the_others_is_a_problem() -> None:
    problems = Problems()
    table = made(["", "x", "y", "Total"], ["a", 1, 2, 3], ["b", 4, 5, 9])
    check_total_columns(table_cells(table)[1:], problems)
    assert [str(problem) for problem in problems.found] == [
        "items, column 'Total': the column adds up the others; delete it, or begin its name with #"
    ]


@pytest.mark.parametrize("last", [4, None, "x"])
def test_a_column_that_does_not_add_up_is_a_label(last: Any) -> None:
    problems = Problems()
    check_total_columns(table_cells(made(["", "x", "y", "Total"], ["a", 1, 2, last]))[1:], problems)
    assert problems.found == []
