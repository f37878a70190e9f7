from datetime import date, time
from typing import Any

import pytest

from decision_ai.tabular.problems import Problems
from decision_ai.tabular.tables import Source, is_blank, make_table, split_header, text_of
from tests.tabular.models import moment


def test_blank_rows_and_columns_and_those_left_out_are_not_there() -> None:
    problems = Problems()
    rows: list[tuple[str, list[Any]]] = [
        ("2", ["a", None, 1, "x"]),
        ("3", [" ", "", None, None]),
        ("4", ["b"]),
    ]
    table = make_table("t", ("1", [" name ", None, "n", "#note"]), rows, problems)
    assert [column.name for column in table.columns] == ["name", "n"]
    assert [(row.name, row.cells) for row in table.rows] == [("2", ("a", 1)), ("4", ("b", None))]
    assert problems.found == []
    assert problems.notes == ["t, column '#note': left out, because its name begins with #"]


def test_a_column_without_a_name_is_kept_if_it_is_filled() -> None:
    table = make_table("t", ("1", ["", "n"]), [("2", ["a", 1])], Problems())
    assert [column.name for column in table.columns] == ["", "n"]


def test_a_header_that_occurs_twice_and_cells_without_one_are_problems() -> None:
    problems = Problems()
    make_table("t", ("1", ["n", "n"]), [("line 2", [1, 2, 3])], problems, Source("t.csv", True))
    texts = [str(problem) for problem in problems.found]
    assert texts[0] == "t.csv, line 2: there are 3 cells, but the header names 2 columns"
    assert "occurs twice" in texts[1]


def test_places_name_the_cell_in_a_sheet_and_the_line_elsewhere() -> None:
    sheet = make_table("s", ("1", ["n"]), [("2", [1])], Problems(), Source("a.xlsx"), ["C"])
    assert str(sheet.place(0, sheet.rows[0])) == "a.xlsx, s!C2, column 'n'"
    assert str(sheet.place(0)) == "a.xlsx, s!C:C, column 'n'"
    lines = make_table("s", ("line 1", ["", "n"]), [("line 2", [1, 2])], Problems(), Source("a.csv", True))
    assert str(lines.place(0, lines.rows[0])) == "a.csv, line 2, column 'number 1'"


@pytest.mark.parametrize("value", [None, "", " \t", "\u00a0", float("nan")])
def test_what_says_nothing_is_blank(value: object) -> None:
    assert is_blank(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a b ", "a b"),
        (3.0, "3"),
        (2.5, "2.5"),
        (True, "TRUE"),
        (moment(2026, 1, 2), "2026-01-02"),
        (moment(2026, 1, 2, 3), "2026-01-02T03:00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (time(8, 30), "08:30:00"),
        (12, "12"),
    ],
)
def test_a_cell_as_text(value: object, text: str) -> None:
    assert text_of(value) == text


TITLE, NAMES, FIRST = ("1", ["Plant", None, "2026"]), ("2", ["item", "kg", "n"]), ("3", ["Tent", "7,5", 1])


def test_the_header_is_the_first_row_of_several_cells() -> None:
    assert split_header([("1", ["Plant data"]), NAMES, FIRST]) == ([("1", ["Plant data"])], 1)
    assert split_header([("1", ["month"]), ("2", ["Jan"])]) == ([], 0)


def test_a_title_in_several_cells_is_not_the_header() -> None:
    assert split_header([TITLE, NAMES, FIRST]) == ([TITLE], 1)
    pivot = [("1", ["Sum", "Columns"]), ("2", ["Rows", "x", "y"]), ("3", ["a", 1, 2])]
    assert split_header(pivot) == (pivot[:1], 1)


@pytest.mark.parametrize(
    "rows",
    [
        [("1", [None, "x", "y"]), ("2", ["a", "n/a", "n/a"]), ("3", ["b", 5, 6])],  # the corner is blank
        [("1", ["item", None, "n"]), ("2", ["a", 5, "b"]), ("3", ["b", 6, "c"])],  # not all are texts
        [("1", ["item", None, "n"]), ("2", ["a", "b", "c"]), ("3", ["b", "c", "d"])],  # no number follows
    ],
)
def test_a_row_of_data_is_never_taken_for_the_header(rows: list[tuple[str, list[Any]]]) -> None:
    assert split_header(rows)[1] == 0


def test_several_columns_without_a_name_are_told_once() -> None:
    problems = Problems()
    table = make_table("t", ("1", ["", None, "n", ""]), [("2", ["a", 1, 2, 3])], problems, letters="ABCD")
    assert [str(problem) for problem in problems.found] == [
        "t: 3 columns have no name (A, B, D); name or delete them"
    ]
    assert [column.letter for column in table.columns] == ["A", "C"]


def test_a_row_with_nothing_but_a_remark_beside_the_table_is_none() -> None:
    problems = Problems()
    table = make_table("t", ("1", ["n"]), [("2", [1]), ("9", [None, None, "?"])], problems, letters="ABC")
    assert [row.name for row in table.rows] == ["2"]
    assert str(problems.found[0]) == "t!C9: there are 3 cells, but the header names 1 columns"
