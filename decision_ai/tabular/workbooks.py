"""Writes Excel workbooks: labels stay text whatever they begin with, numbers stay numbers."""

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeAlias

from decision_ai.errors import DataError

CellValue: TypeAlias = str | int | float | bool | date | datetime | time | None

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
_MAX_TEXT = 32_767
MAX_NAME = 31
"""Characters of a sheet's name."""
_WIDTHS = range(8, 61)
_MEASURED_ROWS = 200
_FORBIDDEN_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_FORBIDDEN_IN_TEXTS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Sheet:
    """One sheet: a header and rows of the same length.

    Attributes:
        name: what to call it; made fit for Excel and unique when it is written.
        header: the names of the columns.
        rows: the cells; None is an empty cell.
        frozen_columns: how many columns stay in sight when one scrolls to the right.
    """

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[CellValue]]
    frozen_columns: int = 0


def write_workbook(sheets: Sequence[Sheet]) -> bytes:
    """An Excel workbook (.xlsx) of these sheets.

    Texts are written as texts, never as formulas or links. Headers are bold and stay in sight.

    Raises:
        DataError: if there is no sheet, or one has more rows or columns than Excel takes.
    """
    from openpyxl import Workbook

    if not sheets:
        raise DataError("a workbook needs at least one sheet")
    for sheet in sheets:
        if len(sheet.rows) + 1 > MAX_ROWS or len(sheet.header) > MAX_COLUMNS:
            raise DataError(
                f"sheet {sheet.name!r} has {len(sheet.rows):,} rows and {len(sheet.header):,} columns; Excel "
                f"takes {MAX_ROWS - 1:,} and {MAX_COLUMNS:,}; write CSV instead"
            )
    book = Workbook(write_only=True)
    for sheet, name in zip(sheets, sheet_names(sheet.name for sheet in sheets), strict=True):
        _write(book.create_sheet(name), sheet)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def sheet_names(names: Iterable[str]) -> list[str]:
    """The names as Excel takes them: without its forbidden signs, at most 31 characters, each once."""
    taken: set[str] = set()
    fit: list[str] = []
    for name in names:
        base = _FORBIDDEN_IN_NAMES.sub("_", name).strip("' ")[:MAX_NAME] or "Sheet"
        base = f"{base}_" if base.casefold() == "history" else base  # a name Excel keeps for itself
        fit.append(_free(base, taken))
        taken.add(fit[-1].casefold())
    return fit


def _free(base: str, taken: set[str]) -> str:
    name, n = base, 1
    while name.casefold() in taken:
        n += 1
        name = f"{base[: MAX_NAME - len(str(n)) - 1]}~{n}"
    return name


def _write(target: Any, sheet: Sheet) -> None:
    from openpyxl.utils import get_column_letter

    target.freeze_panes = f"{get_column_letter(sheet.frozen_columns + 1)}2"
    for n, width in enumerate(_widths(sheet), start=1):
        target.column_dimensions[get_column_letter(n)].width = width
    for cells in _cells(target, sheet):
        target.append(cells)


def _cells(target: Any, sheet: Sheet) -> Iterator[list[Any]]:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    bold = Font(bold=True)

    def cell(value: CellValue) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            value = str(value)
        if isinstance(value, float) and float(f"{value:.16g}") != value:
            made = WriteOnlyCell(target, repr(value))
            made.data_type = "n"  # openpyxl itself would write 16 digits only
            return made
        if not isinstance(value, str):
            return value
        made = WriteOnlyCell(target, excel_text(value))
        made.data_type = "s"  # set last: openpyxl takes a text that begins with "=" for a formula
        if value.startswith(tuple("=+-@")):
            made.quotePrefix = True  # editing the cell in Excel leaves it a text
        return made

    header = [cell(name) for name in sheet.header]
    for made in header:
        made.font = bold
    yield header
    for row in sheet.rows:
        yield [cell(value) for value in row]


def excel_text(text: str) -> str:
    """The text as a cell can hold it: without control characters, cut with `…` if it is too long."""
    text = _FORBIDDEN_IN_TEXTS.sub("\ufffd", text.encode(errors="replace").decode())
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"


def _widths(sheet: Sheet) -> Iterator[int]:
    for n, name in enumerate(sheet.header):
        texts = [name, *(str(row[n]) for row in sheet.rows[:_MEASURED_ROWS] if n < len(row))]
        longest = max(len(line) for text in texts for line in text.split("\n"))
        yield min(max(longest + 2, _WIDTHS.start), _WIDTHS.stop - 1)
