import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.tabular import workbook_files
from decision_ai.tabular.problems import Problems, TableError
from decision_ai.tabular.tables import Percent, Table
from decision_ai.tabular.workbook_files import read_workbook
from tests.tabular.models import moment


@pytest.fixture
def book() -> Workbook:
    book = Workbook()
    sheet = book.active
    sheet.title = "items"
    for row in (["item", "weight"], ["Tent", 1.5], ["Box", 2]):
        sheet.append(row)
    return book


def read(book: Workbook, folder: Path) -> tuple[list[Table], list[str]]:
    path = folder / "plant.xlsx"
    book.save(path)
    problems = Problems()
    tables = read_workbook(path, problems)
    return tables, [str(problem) for problem in problems.found]


def test_each_sheet_is_a_table_with_addresses(book: Workbook, tmp_path: Path) -> None:
    book.create_sheet("empty")
    book.create_sheet("#notes").append(["not", "read"])
    (table,), problems = read(book, tmp_path)
    assert problems == []
    assert [row.cells for row in table.rows] == [("Tent", 1.5), ("Box", 2)]
    assert str(table.place(1, table.rows[1])) == "plant.xlsx, items!B3, column 'weight'"


def test_titles_above_and_blank_rows_and_columns_are_no_matter(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet["B2"] = "Plant data 2026"
    sheet.merge_cells("B2:D2")
    for row, cells in ((4, ("item", None, "weight")), (6, ("Tent", None, 1.5))):
        for column, value in enumerate(cells, start=2):
            sheet.cell(row, column, value)
    (table,), problems = read(book, tmp_path)
    assert problems == []
    assert [column.letter for column in table.columns] == ["B", "D"]
    assert str(table.place(1, table.rows[0])) == "plant.xlsx, Sheet!D6, column 'weight'"


def test_dates_percentages_and_durations_keep_their_meaning(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.append(["date", "share", "spell"])
    sheet.append([moment(2026, 3, 1), 0.25, timedelta(hours=12)])
    sheet["B2"].number_format = "0.0%"
    (table,), _ = read(book, tmp_path)
    (row,) = table.rows
    assert row.cells == (moment(2026, 3, 1), 0.25, 0.5)
    assert isinstance(row.cells[1], Percent)


def hide_row(sheet: Any) -> None:
    sheet.row_dimensions[3].hidden = True


def hide_column(sheet: Any) -> None:
    sheet.column_dimensions["B"].hidden = True


def merge(sheet: Any) -> None:
    sheet.merge_cells("A2:A3")


def hide_sheet(sheet: Any) -> None:
    sheet.parent.create_sheet("other").append(["a", "b"])
    sheet.sheet_state = "hidden"


def formula(sheet: Any) -> None:
    sheet["B3"] = "=1+1"


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (hide_row, "plant.xlsx, items, row 3: the row is hidden"),
        (hide_column, "plant.xlsx, items!B:B, column 'weight': the column is hidden"),
        (merge, "plant.xlsx, items!A2:A3: the cells are merged"),
        (hide_sheet, "plant.xlsx, items: the sheet is hidden"),
        (formula, "plant.xlsx, items!B3: the formula has no stored result"),
    ],
)
def test_what_reads_otherwise_than_it_looks_is_a_problem(
    book: Workbook, tmp_path: Path, spoil: Any, told: str
) -> None:
    spoil(book["items"])
    _, problems = read(book, tmp_path)
    assert len(problems) == 1
    assert problems[0].startswith(told)


def test_what_is_no_workbook_is_refused(tmp_path: Path, book: Workbook) -> None:
    path = tmp_path / "a.xlsx"
    with pytest.raises(DecisionAIError, match="No such file"):
        read_workbook(path, Problems())
    path.write_bytes(b"PK no")
    with pytest.raises(DecisionAIError, match="not an Excel workbook"):
        read_workbook(path, Problems())
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", "<x/>")
    with pytest.raises(DecisionAIError, match="not an Excel workbook"):
        read_workbook(path, Problems())
    Workbook().save(path)
    with pytest.raises(TableError, match="no filled sheet"):
        read_workbook(path, Problems())


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(257):
            member.write(b"0" * 2**20)
    assert path.stat().st_size < 2**20
    with pytest.raises(LimitExceeded, match="unpacked"):
        read_workbook(path, Problems())


def test_too_many_rows_are_refused(book: Workbook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_files, "MAX_ROWS", 10)
    book["items"]["A200"] = "late"
    with pytest.raises(LimitExceeded, match="number of rows of sheet 'items'"):
        read(book, tmp_path)


def test_a_cell_far_away_costs_nothing(book: Workbook, tmp_path: Path) -> None:
    book["items"]["XFD900000"] = " "
    book["items"].column_dimensions["XFD"].width = 3
    (table,), problems = read(book, tmp_path)
    assert (len(table.rows), problems) == (2, [])


def test_a_title_in_several_cells_is_left_out_and_told(book: Workbook, tmp_path: Path) -> None:
    book["items"].insert_rows(1)
    book["items"]["A1"] = "Plant data"
    book["items"]["D1"] = "2026"
    for row, name in ((2, "note"), (3, "new")):
        book["items"].cell(row, 3).value = name
    path = tmp_path / "plant.xlsx"
    book.save(path)
    problems = Problems()
    (table,) = read_workbook(path, problems)
    assert [column.name for column in table.columns] == ["item", "weight", "note"]
    assert problems.notes == ["plant.xlsx, items, row 1: left out, because it stands above the header"]


def test_a_password_is_told(tmp_path: Path) -> None:
    path = tmp_path / "secret.xlsx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512)
    with pytest.raises(DecisionAIError, match="protected by a password, or an old Excel file"):
        read_workbook(path, Problems())
