"""A table as every form of data is read into it: a header and rows of raw values, each with its place."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any, TypeAlias

from decision_ai.tabular.number_texts import value, without_signs
from decision_ai.tabular.problems import Place, Problems

Raw: TypeAlias = Any
"""A value as it was found: text, number, truth, date or time, JSON values, or None for a blank."""

MAX_ROWS = 1_000_000
_MOST_SHOWN = 8
HEADER_WITHIN = 20
"""Rows among which the header is sought."""
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


def split_header(
    rows: Sequence[tuple[str, Sequence[Raw]]],
) -> tuple[list[tuple[str, Sequence[Raw]]], int]:
    """The rows that stand above the header, and the position of the header.

    The header is the first row with more than one filled cell, else the first row. A row of a title in
    several cells is not it: the row below has nothing but texts, also where the title is blank, and then
    numbers follow.

    Args:
        rows: name and cells of the first rows that are not blank, at least one.
    """
    start = next((n for n, (_, cells) in enumerate(rows) if len(_filled(cells)) > 1), 0)
    found = next((n for n in range(start + 1, len(rows) - 1) if _is_below_title(rows, start, n)), start)
    return list(rows[:found]), found


def _is_below_title(rows: Sequence[tuple[str, Sequence[Raw]]], title: int, n: int) -> bool:
    above, here, below = (_filled(rows[place][1]) for place in (title, n, n + 1))
    unnamed = here.keys() - above.keys() - {min(here, default=0)}
    texts = all(isinstance(cell, str) and not _is_number(cell) for cell in here.values())
    return bool(unnamed) and len(here) > len(above) and texts and any(map(_is_number, below.values()))


def _filled(cells: Sequence[Raw]) -> dict[int, Raw]:
    return {n: cell for n, cell in enumerate(cells) if not is_blank(cell)}


def _is_number(cell: Raw) -> bool:
    if isinstance(cell, str):
        digits = without_signs(cell).digits
        return value(digits, ".") is not None or value(digits, ",") is not None
    return isinstance(cell, int | float) and not isinstance(cell, bool)


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
            whole = Place(source.file, "" if source.is_one_table else name, row_name)
            beside = replace(whole, row="", cell=f"{letters[used[-1]]}{row_name}") if letters else whole
            problems.add(beside, f"there are {used[-1] + 1} cells, but the header names {width} columns")
        if used:
            kept.append((row_name, cells))
    places = [n for n in range(width) if (names[n] or n in filled) and not names[n].startswith(LEFT_OUT)]
    for left_out in (found for found in names if found.startswith(LEFT_OUT)):
        where = Place(source.file, "" if source.is_one_table else name, column=left_out)
        problems.notes.append(f"{where}: left out, because its name begins with {LEFT_OUT}")
    places = _named(places, names, letters, Place(source.file, "" if source.is_one_table else name), problems)
    table = Table(
        name,
        tuple(Column(names[n], letters[n] if letters else "") for n in places),
        Row(header[0], tuple(header[1][n] for n in places)),
        tuple(
            Row(row_name, tuple(cells[n] for n in places))
            for row_name, cells in kept
            if any(cells[n] is not None for n in places)
        ),
        source,
    )
    _check_header(table, problems)
    return table


def _named(
    places: list[int], names: list[str], letters: Sequence[str], whole: Place, problems: Problems
) -> list[int]:
    """The columns without those that have no name, told at once, if there are several."""
    unnamed = [n for n in places if not names[n]]
    if len(unnamed) < 2:
        return places
    shown = ", ".join(letters[n] if letters else f"number {n + 1}" for n in unnamed[:_MOST_SHOWN])
    more = f" and {len(unnamed) - _MOST_SHOWN} more" if len(unnamed) > _MOST_SHOWN else ""
    problems.add(whole, f"{len(unnamed)} columns have no name ({shown}{more}); name or delete them")
    return [n for n in places if names[n] or n == places[0]]


def _check_header(table: Table, problems: Problems) -> None:
    if len(table.rows) > MAX_ROWS:
        problems.add(table.place(), f"there are {len(table.rows):,} rows, the limit is {MAX_ROWS:,}")
    seen: dict[str, int] = {}
    for n, column in enumerate(table.columns):
        if column.name in seen:
            earlier = table.place(seen[column.name])
            also = f" ({earlier.cell})" if earlier.cell else ""
            problems.add(
                table.place(n), f"the header {column.name!r} occurs twice{also}; rename or delete one"
            )
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
