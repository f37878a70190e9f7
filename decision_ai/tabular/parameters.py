"""Reads single values from a table: one row, or a list of names and values."""

from collections.abc import Sequence as Values

from decision_ai.tabular.cells import Cells, table_cells
from decision_ai.tabular.names import folded, heading
from decision_ai.tabular.records import Slot, slot_of, slots
from decision_ai.tabular.shapes import Record, is_plain
from decision_ai.tabular.tables import Raw, Table, is_blank, text_of

_UNIT_NAMES = {"unit", "units", "einheit"}
_TABLE_NAMES = {"parameter", "parameters", "params", "constants", "settings", "scalars"}
_REMARK_NAMES = {"comment", "comments", "description", "note", "notes", "remark", "remarks"}


def parameter_cells(table: Table, record: Record) -> list[Cells]:
    """The values of one record as columns of one cell each: from one row, or from names and values.

    Empty if the table is neither: if no name in it means a field of the record, unless its own name tells.
    """
    known = list(slots(record))
    across = table_cells(table) if len(table.rows) == 1 else []
    down = _pairs(table, known)
    hits = [sum(_is_single(cells.heading, known) for cells in found) for found in (across, down)]
    if max(hits) == 0:
        return down if folded(table.name) in _TABLE_NAMES else []
    return across if hits[0] >= hits[1] else down


def _is_single(text: str, known: Values[Slot]) -> bool:
    """Whether a name means a place that one cell can hold."""
    slot = slot_of(text, known)
    return slot is not None and is_plain(slot.shape)


def _pairs(table: Table, known: Values[Slot]) -> list[Cells]:
    """A list of names and values; its header may already be the first pair."""
    if len(table.columns) < 2 or _remarks(table) is None:
        return []
    rows = list(table.rows)
    if slot_of(table.columns[0].name, known) is not None and slot_of(table.columns[1].name, known) is None:
        rows.insert(0, table.header)
    decimal = table_cells(table)[1].decimal
    return [
        Cells(
            _pair_heading(table, row.cells),
            [None if is_blank(row.cells[1]) else row.cells[1]],
            lambda n, row=row: table.place(0 if n < 0 else 1, row),  # type: ignore[misc]
            decimal,
        )
        for row in rows
    ]


def _remarks(table: Table) -> int | None:
    """The column of units, 0 if there is none; None if a column is neither units nor remarks."""
    unit = 0
    for n, column in enumerate(table.columns[2:], start=2):
        name = folded(column.name)
        if name in _UNIT_NAMES:
            unit = n
        elif name not in _REMARK_NAMES:
            return None
    return unit


def _pair_heading(table: Table, cells: Values[Raw]) -> str:
    unit = _remarks(table) or 0
    name = "" if is_blank(cells[0]) else text_of(cells[0])
    said = "" if not unit or is_blank(cells[unit]) else text_of(cells[unit])
    return f"{name} [{said}]" if said and not heading(name).unit else name
