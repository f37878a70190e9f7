"""Reads Excel workbooks: one table a sheet, every cell with its address."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.tables import (
    HEADER_WITHIN,
    LEFT_OUT,
    MAX_ROWS,
    Percent,
    Raw,
    Source,
    Table,
    is_blank,
    make_table,
    split_header,
)

MAX_BYTES = 256 * 2**20
"""Size of the workbook unpacked."""
_FORMULA = re.compile(rb"<f[ >/]")
_CHUNK = 2**20
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a compound file begins."""
_PERCENT = re.compile(r'^[^"]*%')


def read_workbook(path: Path, problems: Problems) -> list[Table]:
    """The visible sheets of a workbook that are not empty.

    In each, titles may stand above the row that names the columns, see `split_header`.

    Raises:
        DecisionAIError: if the file cannot be read or is no workbook.
        LimitExceeded: if it is too large.
    """
    has_formulas = _check_archive(path)
    book = _opened(path, data_only=True)
    formulas = _opened(path, data_only=False) if has_formulas else None
    tables = []
    for sheet in book.worksheets:
        if sheet.title.startswith(LEFT_OUT):
            continue
        table = _table(sheet, path.name, problems)
        if table is None:
            continue
        if sheet.sheet_state != "visible":
            problems.add(
                Place(path.name, sheet.title),
                "the sheet is hidden; show it or delete it, or begin its name with # to leave it out",
            )
        if formulas is not None:
            _check_formulas(formulas[sheet.title], sheet, path.name, problems)
        tables.append(table)
    if not tables:
        raise TableError([Problem(Place(path.name), "the workbook has no filled sheet"), *problems.found])
    return tables


def _check_archive(path: Path) -> bool:
    """Refuse what is too large or no workbook before it is unpacked; tell whether it has formulas."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > MAX_BYTES:
                raise LimitExceeded(f"the size of {str(path)!r} unpacked, in bytes", MAX_BYTES, size)
            sheets = [member for member in archive.namelist() if member.startswith("xl/worksheets/")]
            return any(_has_formula(archive, member) for member in sheets)
    except OSError as error:
        raise DecisionAIError(f"the data file {str(path)!r} cannot be read: {error.strerror}") from error
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise _locked_or_old(path) or _no_workbook(path) from error


def _locked_or_old(path: Path) -> DecisionAIError | None:
    """What to say of a workbook in the form that Excel keeps for passwords and for its old files."""
    with path.open("rb") as file:
        if file.read(len(_COMPOUND)) != _COMPOUND:
            return None
    return DecisionAIError(
        f"{str(path)!r} is protected by a password, or an old Excel file (.xls) with a new name; open it in "
        "Excel and save it as .xlsx without a password"
    )


def _has_formula(archive: zipfile.ZipFile, member: str) -> bool:
    """Whether a sheet has a formula; also counts what really comes out, whatever the archive says."""
    tail, size = b"", 0
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise LimitExceeded(f"the size of {member!r} unpacked, in bytes", MAX_BYTES, size)
            if _FORMULA.search(tail + chunk):
                return True
            tail = chunk[-3:]
    return False


def _opened(path: Path, *, data_only: bool) -> Any:
    import warnings

    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about parts that data do not need, such as lists to choose from
            return load_workbook(path, data_only=data_only)
    except Exception as error:  # openpyxl lets through whatever a broken file makes it meet
        raise _no_workbook(path) from error


def _no_workbook(path: Path) -> DecisionAIError:
    return DecisionAIError(
        f"{str(path)!r} is not an Excel workbook (.xlsx) that can be read; save it anew as .xlsx"
    )


def _table(sheet: Any, file: str, problems: Problems) -> Table | None:
    from openpyxl.utils import get_column_letter

    if sheet.max_row > MAX_ROWS + 100:
        raise LimitExceeded(
            f"the number of rows of sheet {sheet.title!r} of {file!r}", MAX_ROWS, sheet.max_row
        )
    rows = _rows(sheet)
    if not rows:
        return None
    titles, found = split_header(rows[:HEADER_WITHIN])
    for number, cells in titles:
        if sum(cell is not None for cell in cells) > 1:
            place = Place(file, sheet.title, f"row {number}")
            problems.notes.append(f"{place}: left out, because it stands above the header")
    letters = [get_column_letter(n + 1) for n in range(sheet.max_column)]
    table = make_table(sheet.title, rows[found], rows[found + 1 :], problems, Source(file), letters)
    _check_layout(sheet, table, int(rows[found][0]), file, problems)
    return table


def _rows(sheet: Any) -> list[tuple[str, Sequence[Raw]]]:
    """Number and values of the rows that have some."""
    found: dict[int, list[Raw]] = {}
    # Only the cells that are there: openpyxl's own rows make all cells up to the farthest one.
    for (row, column), cell in sorted(sheet._cells.items()):
        value = _raw(cell)
        if value is not None:
            cells = found.setdefault(row, [])
            cells += [None] * (column - 1 - len(cells))
            cells.append(value)
    return [(str(number), cells) for number, cells in found.items()]


def _raw(cell: Any) -> Raw:
    value = cell.value
    if is_blank(value):
        return None
    if isinstance(value, timedelta):
        return value.total_seconds() / 86_400  # how Excel itself counts them
    if isinstance(value, int | float) and not isinstance(value, bool) and _PERCENT.match(cell.number_format):
        return Percent(value)
    return value


def _check_layout(sheet: Any, table: Table, first: int, file: str, problems: Problems) -> None:
    """Refuse what would be read otherwise than it looks: merged cells, hidden rows and columns."""
    for merged in sheet.merged_cells.ranges:
        if merged.max_row >= first:
            problems.add(
                Place(file, sheet.title, cell=merged.coord),
                "the cells are merged; unmerge them and fill each",
            )
    dimensions = dict(sheet.row_dimensions)  # asked for a row it does not have, openpyxl's own makes it
    for row in table.rows:
        if int(row.name) in dimensions and dimensions[int(row.name)].hidden:
            problems.add(
                Place(file, sheet.title, f"row {row.name}"),
                "the row is hidden or filtered out; show it or delete it",
            )
    hidden = set(_hidden_letters(sheet))
    for n, column in enumerate(table.columns):
        if column.letter in hidden:
            problems.add(
                table.place(n),
                "the column is hidden; show it or delete it, or begin its name with # to leave it out",
            )


def _hidden_letters(sheet: Any) -> Iterator[str]:
    from openpyxl.utils import get_column_letter

    for dimension in sheet.column_dimensions.values():
        if dimension.hidden:
            last = min(dimension.max or 0, sheet.max_column)
            yield from (get_column_letter(n) for n in range(dimension.min or 1, last + 1))


def _check_formulas(formulas: Any, values: Any, file: str, problems: Problems) -> None:
    """Find formulas whose result the file does not hold."""
    for _, cell in sorted(formulas._cells.items()):
        if cell.data_type == "f" and values[cell.coordinate].value is None:
            problems.add(
                Place(file, formulas.title, cell=cell.coordinate),
                "the formula has no stored result; open the file in Excel, let it calculate and save it",
            )
