import io
from typing import Any

import pytest
from hypothesis import given, strategies as st
from openpyxl import load_workbook

from decision_ai.errors import DataError
from decision_ai.tabular import workbooks
from decision_ai.tabular.workbooks import Sheet, excel_text, sheet_names, write_workbook


def opened(*sheets: Sheet) -> Any:
    return load_workbook(io.BytesIO(write_workbook(sheets)))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "#N/A", "http://a.b", "007", "TRUE"])
def test_a_text_stays_a_text(text: str) -> None:
    cell = opened(Sheet("s", [text], [[text]]))["s"]["A2"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)
    assert bool(cell.quotePrefix) == text.startswith(tuple("=+-@"))


def test_numbers_truth_and_blanks_keep_their_types() -> None:
    (row,) = opened(Sheet("s", list("abcde"), [[1, 2.5, True, None, float("inf")]]))["s"].iter_rows(min_row=2)
    assert [cell.value for cell in row] == [1, 2.5, True, None, "inf"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_to_the_last_digit(number: float) -> None:
    assert opened(Sheet("s", ["n"], [[number]]))["s"]["A2"].value == number


def test_the_header_is_bold_and_stays_in_sight_and_columns_are_wide_enough() -> None:
    sheet = opened(Sheet("s", ["name", "n"], [["x" * 100, 1]], frozen_columns=1))["s"]
    assert sheet.freeze_panes == "B2"
    assert sheet["A1"].font.bold
    widths = [sheet.column_dimensions[letter].width for letter in "AB"]
    assert widths == [60, 8]


def test_names_are_made_fit_and_unique() -> None:
    assert sheet_names(["a/b", "a:b", "A_B", "", "History", "'x'"]) == [
        "a_b",
        "a_b~2",
        "A_B~3",
        "Sheet",
        "History_",
        "x",
    ]
    long = sheet_names(["n" * 40, "n" * 41])
    assert long == ["n" * 31, "n" * 29 + "~2"]


def test_texts_are_made_fit() -> None:
    assert excel_text("a\x00b\ud800") == "a\ufffdb?"
    assert excel_text("x" * 40_000) == "x" * 32_766 + "…"


def test_what_excel_does_not_take_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="at least one sheet"):
        write_workbook([])
    monkeypatch.setattr(workbooks, "MAX_ROWS", 2)
    with pytest.raises(DataError, match="sheet 'big' has 2 rows and 1 columns"):
        write_workbook([Sheet("big", ["a"], [[1], [2]])])
