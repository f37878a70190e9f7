"""Finds rows and columns of totals, which would be taken for one more label."""

import math
from collections.abc import Iterable, Sequence

from decision_ai.tabular import number_texts
from decision_ai.tabular.cells import Cells
from decision_ai.tabular.problems import Problems
from decision_ai.tabular.tables import Raw, Table

_WORDS = {
    *("total", "totals", "grandtotal", "sum", "sums", "subtotal", "subtotals", "overall"),
    *("summe", "summen", "gesamt", "gesamtsumme", "gesamtergebnis", "zwischensumme", "insgesamt"),
}


def check_total_rows(table: Table, problems: Problems) -> None:
    """Refuse rows that are called a total and add up the others; note those that only are called so."""
    named = [row for row in table.rows if is_total(next(filter(_is_filled, row.cells), None))]
    others = [row for row in table.rows if row not in named] if named else []
    for row in named:
        label = next(n for n, cell in enumerate(row.cells) if _is_filled(cell))
        numbers = [n for n in range(label + 1, len(row.cells)) if _number(row.cells[n]) is not None]
        sums = [_adds_up(row.cells[n], (other.cells[n] for other in others)) for n in numbers]
        if sums and all(sums) and any(_number(row.cells[n]) for n in numbers):
            problems.add(table.place(label, row), "the row adds up the others; delete it")
        else:
            problems.notes.append(f"{table.place(label, row)}: read as a label, not as a total")


def check_total_columns(columns: Sequence[Cells], problems: Problems) -> None:
    """Refuse a column that is called a total and adds up the others, where headers are labels."""
    named = [cells for cells in columns if is_total(cells.heading)]
    others = [cells for cells in columns if cells not in named] if named else []
    for cells in named:
        sums = [
            _adds_up(raw, (other.values[n] for other in others))
            for n, raw in enumerate(cells.values)
            if _is_filled(raw)
        ]
        if sums and all(sums) and any(map(_number, cells.values)):
            problems.add(
                cells.place(-1), "the column adds up the others; delete it, or begin its name with #"
            )


def _is_filled(cell: Raw) -> bool:
    return cell is not None


def is_total(cell: Raw) -> bool:
    """Whether a label says that it is a total."""
    return isinstance(cell, str) and cell.strip(" :").casefold().replace(" ", "") in _WORDS


def _adds_up(cell: Raw, others: Iterable[Raw]) -> bool:
    total, parts = _number(cell), [number for number in map(_number, others) if number is not None]
    return total is not None and len(parts) > 1 and math.isclose(total, sum(parts), rel_tol=1e-6)


def _number(cell: Raw) -> float | None:
    """The number in a cell, if it can only be read as one."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell) if abs(cell) < 1e300 else None
    if not isinstance(cell, str):
        return None
    digits = number_texts.without_signs(cell).digits
    return number_texts.value(digits, number_texts.speaks_for(digits) or ".")
