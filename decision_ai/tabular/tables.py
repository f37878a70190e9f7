"""A table as every form of data is read into it: a header and rows of raw values, each with its place."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeAlias

from decision_ai.tabular.problems import Place, Problems

Raw: TypeAlias = Any
"""A value as it was found: text, number, truth, date or time, JSON values, or None for a blank."""

MAX_ROWS = 1_000_000
LEFT_OUT = "#"
"""Sheets, files and columns whose names begin so are not read."""


class Percent(float):
    """A number that is shown as a percentage: 0.25 for 25 %."""


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    """Header without the blanks around it; empty for a column of labels."""
    letter: str = ""
    """Letter of the column in a sheet."""


@dataclass(frozen=True)
class Row:
    """One row of a table: as many cells as there are columns."""

    name: str
    """Number in a sheet; `line 7` in a text file; the label elsewhere."""
    cells: tuple[Raw, ...]


@dataclass(frozen=True)
class Source:
    """Where a table comes from."""

    file: str = ""
    """Name of the file; empty for what was handed over as an object."""
    is_one_table: bool = False
    """Whether the file is one table, so that a place need not name it again."""
    decimal: str = ""
    """The decimal mark that the form of the file speaks for; empty if none."""


@dataclass(frozen=True)
class Table:
    """A table with a name."""

    name: str
    columns: tuple[Column, ...]
    header: Row
    """The row the names of the columns were taken from."""
    rows: tuple[Row, ...]
    source: "Source"

    def place(self, column: int | None = None, row: Row | None = None) -> Place:
        """The place of a cell, a row, a column or the whole."""
        file, table = self.source.file, "" if self.source.is_one_table else self.name
        name = "" if column is None else self.columns[column].name or f"number {column + 1}"
        letter = "" if column is None else self.columns[column].letter
        if letter:
            cell = f"{letter}{row.name}" if row is not None else f"{letter}:{letter}"
            return Place(file, table, "", name, cell)
        return Place(file, table, "" if row is None else row.name, name)

    def values(self, column: int) -> list[Raw]:
        """The cells of one column."""
        return [row.cells[column] for row in self.rows]


def make_table(
    name: str,
    header: tuple[str, Sequence[Raw]],
    rows: Iterable[tuple[str, Sequence[Raw]]],
    problems: Problems,
    source: Source = Source(),
    letters: Sequence[str] = (),
) -> Table:
    """A table without its blank rows and columns, and without those left out on purpose.

    Args:
        name: the table's name.
        header: name and cells of the row that names the columns.
        rows: name and cells of each row; missing cells are blank.
        problems: gets cells without a header and names that occur twice.
        source: where it comes from.
        letters: the columns' letters in a sheet.
    """
    width = len(header[1])
    names = ["" if is_blank(cell) else text_of(cell) for cell in header[1]]
    filled: set[int] = set()
    kept: list[tuple[str, list[Raw]]] = []
    for row_name, found in rows:
        cells = [None if is_blank(cell) else cell for cell in found]
        cells += [None] * (width - len(cells))
        used = [n for n, cell in enumerate(cells) if cell is not None]
        filled.update(used)
        if used and used[-1] >= width:
            problems.add(
                Place(source.file, "" if source.is_one_table else name, row_name),
                f"there are {used[-1] + 1} cells, but the header names {width} columns",
            )
        if used:
            kept.append((row_name, cells))
    places = [n for n in range(width) if (names[n] or n in filled) and not names[n].startswith(LEFT_OUT)]
    for left_out in (found for found in names if found.startswith(LEFT_OUT)):
        where = Place(source.file, "" if source.is_one_table else name, column=left_out)
        problems.notes.append(f"{where}: left out, because its name begins with {LEFT_OUT}")
    table = Table(
        name,
        tuple(Column(names[n], letters[n] if letters else "") for n in places),
        Row(header[0], tuple(header[1][n] for n in places)),
        tuple(Row(row_name, tuple(cells[n] for n in places)) for row_name, cells in kept),
        source,
    )
    _check_header(table, problems)
    return table


def _check_header(table: Table, problems: Problems) -> None:
    if len(table.rows) > MAX_ROWS:
        problems.add(table.place(), f"there are {len(table.rows):,} rows, the limit is {MAX_ROWS:,}")
    seen: dict[str, int] = {}
    for n, column in enumerate(table.columns):
        if column.name in seen:
            earlier = table.place(seen[column.name])
            also = f" ({earlier.cell})" if earlier.cell else ""
            what = (
                f"the header {column.name!r} occurs twice{also}"
                if column.name
                else "two columns have no name"
            )
            problems.add(table.place(n), f"{what}; rename or delete one")
        seen[column.name] = n


def is_blank(value: Raw) -> bool:
    """Whether a cell says nothing."""
    if value is None or (isinstance(value, str) and not value.strip("\ufeff \t\r\n\xa0\u202f")):
        return True
    return isinstance(value, float) and math.isnan(value)


def text_of(value: Raw) -> str:
    """A cell as the text a person sees in it, without the blanks around it."""
    if isinstance(value, str):
        return value.strip("\ufeff \t\r\n\xa0\u202f")
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return value.isoformat() if isinstance(value, date | time) else str(value)
