from datetime import date, time
from typing import Any

import pytest

from decision_ai.tabular.cells import Cells, convert, fits, key_text, table_cells
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.shapes import Scalar, ScalarKind
from decision_ai.tabular.tables import Percent, Source, make_table
from tests.tabular.models import moment


def read(values: list[Any], scalar: Scalar, decimal: str = "") -> tuple[list[Any], list[str]]:
    problems = Problems()
    cells = Cells("n", values, lambda n: Place(row=f"line {n}"), decimal)
    return convert(cells, scalar, problems), [str(problem) for problem in problems.found]


def one(value: Any, scalar: Scalar) -> Any:
    values, problems = read([value], scalar)
    assert problems == []
    return values[0]


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        ("number", "1,5", 1.5),
        ("number", 3, 3),
        ("number", "25%", 0.25),
        ("number", "12,50 €", 12.5),
        ("number", Percent(0.25), 0.25),
        ("whole", "3", 3),
        ("whole", 3.0, 3),
        ("text", 7.0, "7"),
        ("text", "007", "007"),
        ("truth", "Ja", True),
        ("truth", 0, False),
        ("truth", True, True),
        ("truth", "x", True),
        ("date", moment(2026, 3, 1), "2026-03-01"),
        ("date", date(2026, 3, 1), "2026-03-01"),
        ("date", "1.3.2026", "2026-03-01"),
        ("date", "2026-03-01", "2026-03-01"),
        ("date", "31/12/2026", "2026-12-31"),
        ("date", "12/31/2026", "2026-12-31"),
        ("datetime", "2026-03-01 08:30", "2026-03-01T08:30:00"),
        ("datetime", moment(2026, 3, 1, 8), "2026-03-01T08:00:00"),
        ("time", time(8, 30), "08:30:00"),
        ("time", "08:30", "08:30:00"),
        ("any", " a ", "a"),
        ("any", 2, 2),
        ("any", date(2026, 3, 1), "2026-03-01"),
    ],
)
def test_a_cell_is_read(kind: ScalarKind, raw: Any, value: Any) -> None:
    assert one(raw, Scalar(kind)) == value


@pytest.mark.parametrize(
    ("kind", "raw", "words"),
    [
        ("number", "abc", "'abc' is not a number"),
        ("number", True, "TRUE is not a number"),
        ("number", float("inf"), "infinity"),
        ("number", moment(2026, 2, 1), "is a date or a time, not a number"),
        ("number", "1.234", "may mean 1234 or 1.234"),
        ("number", "1,234", "may mean 1234 or 1.234"),
        ("number", "#REF!", "holds the error #REF!"),
        ("whole", 2.5, "not a whole number"),
        ("truth", "maybe", "neither yes nor no"),
        ("date", "31.02.2026", "not a date"),
        ("date", "01/02/2026", "may begin with the day or the month"),
        ("date", moment(2026, 1, 1, 5), "has a time of day"),
        ("datetime", "soon", "not a date with time"),
        ("time", "noon", "not a time"),
    ],
)
def test_what_does_not_fit_is_told(kind: ScalarKind, raw: Any, words: str) -> None:
    values, problems = read([raw], Scalar(kind))
    assert values == [None]
    assert words in problems[0]


def test_a_column_decides_together() -> None:
    assert read(["1.234", "2.5"], Scalar("number")) == ([1.234, 2.5], [])
    assert read(["1.234", "2,5"], Scalar("number")) == ([1234, 2.5], [])
    assert read(["1.234"], Scalar("number"), ".") == ([1.234], [])
    assert read(["01/02/2026", "13/02/2026"], Scalar("date"))[0] == ["2026-02-01", "2026-02-13"]


def test_two_decimal_marks_in_a_column_are_a_problem_that_names_both() -> None:
    _, problems = read(["1.5", "1,5"], Scalar("number"))
    assert problems[0].startswith("line 1: '1,5' and '1.5' (line 0) have different decimal marks")


def test_two_currencies_in_a_column_are_a_problem() -> None:
    _, problems = read(["€ 5", "6", "$7"], Scalar("number"))
    assert problems == ["line 2: the amount is in $, another one in € (line 0); convert one of them"]


def test_the_other_columns_of_a_table_tell_what_one_does_not() -> None:
    rows = [("line 2", ["1.234", "2,5"])]
    table = make_table("t", ("line 1", ["a", "b"]), rows, Problems())
    assert convert(table_cells(table)[0], Scalar("number"), Problems()) == [1234]
    comma = make_table(
        "t", ("line 1", ["a"]), [("line 2", ["1.234"])], Problems(), Source("t.csv", True, ".")
    )
    assert convert(table_cells(comma)[0], Scalar("number"), Problems()) == [1.234]


def test_a_column_of_crosses_says_no_where_it_is_blank() -> None:
    assert read(["x", None], Scalar("truth")) == ([True, False], [])
    assert read(["yes", None], Scalar("truth")) == ([True, None], [])


def test_choices_are_found_whatever_their_case() -> None:
    scalar = Scalar("any", ("road", "rail", 3))
    assert one("Road", scalar) == "road"
    assert one("3", scalar) == 3
    _, problems = read(["raod"], scalar)
    assert "did you mean 'road'?" in problems[0]


def test_percent_is_kept_where_the_field_is_in_percent() -> None:
    assert one("12.5%", Scalar("number", unit="%")) == 12.5
    assert one(Percent(0.125), Scalar("number", unit="%")) == 12.5
    assert one("0.7%", Scalar("number")) == 0.007


def test_a_factor_changes_the_unit() -> None:
    cells = Cells("n", ["1.1", None], lambda _: Place(), factor=1000)
    assert convert(cells, Scalar("number"), Problems()) == [1100, None]


def test_fits_asks_whatever_the_decimal_mark() -> None:
    assert fits("1,5", Scalar("number"))
    assert not fits("Ana", Scalar("number"))
    assert fits("3", Scalar("whole"))


def test_keys_as_json_writes_them() -> None:
    assert [key_text(value) for value in ("a", 1, 1.5, True, False)] == ["a", "1", "1.5", "true", "false"]
