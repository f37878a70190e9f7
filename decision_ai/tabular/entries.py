"""Reads the entries of a dictionary or list from a table: long, wide, records, or a table of crosses."""

from collections.abc import Sequence as Values
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from decision_ai.tabular.cells import Cells, Json, convert, fits, key_text, table_cells
from decision_ai.tabular.names import folded, heading, matched, same_unit
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.records import Path, converted, fill, in_unit, slot_of, slots
from decision_ai.tabular.shapes import Record, Scalar, Sequence, Shape, Tuple, described, is_plain
from decision_ai.tabular.tables import Table, is_blank, text_of
from decision_ai.tabular.totals import check_total_columns, check_total_rows

ONE_VALUE = "one value"
"""Header of a column whose cells are never split into several items."""
_VALUE_NAMES = {"value", "values", "amount", "quantity", "number", "wert", "menge"}


class Nothing(Enum):
    """The value of an entry that only names its keys: an empty list or dictionary."""

    NOTHING = "nothing"


NOTHING = Nothing.NOTHING
Value: TypeAlias = Json | Nothing


@dataclass(frozen=True)
class Entry:
    """One value under its keys."""

    keys: tuple[str, ...]
    value: Value
    place: Place


@dataclass(frozen=True)
class Entries:
    """What a table holds, and the fields of its records that no column was there for."""

    found: list[Entry]
    missing: tuple[Path, ...] = ()


@dataclass(frozen=True)
class _Reading:
    """A table on its way into entries."""

    name: str
    """The field it is read for."""
    table: Table
    keys: tuple[Scalar, ...]
    leaf: Shape
    cells: list[Cells]
    problems: Problems

    def keyed(self, columns: Values[int]) -> list[tuple[str, ...]]:
        """The keys of each row from these columns; fewer in a row that is blank after its first keys."""
        pairs = list(zip(self.keys, columns, strict=False))
        levels = [convert(self.cells[n], scalar, self.problems) for scalar, n in pairs]
        keys = []
        for row in _range(self):
            blank = (n for n in columns if self.cells[n].values[row] is None)
            first = next(blank, None)
            known = len(columns) if first is None else list(columns).index(first)
            others = [cells for n, cells in enumerate(self.cells) if n not in columns[:known]]
            if first is not None and (not known or any(cells.values[row] is not None for cells in others)):
                self.problems.add(self.cells[first].place(row), "the label is missing")
            keys.append(tuple(key_text(level[row]) for level in levels[:known]))
        return keys

    def without(self, rows: set[int]) -> "_Reading":
        """The same without some rows."""
        if not rows:
            return self
        kept = tuple(row for n, row in enumerate(self.table.rows) if n not in rows)
        table = replace(self.table, rows=kept)
        return replace(self, table=table, cells=table_cells(table))

    def place(self, row: int) -> Place:
        """The place of a row, at its first cell."""
        return self.table.place(0 if self.cells else None, self.table.rows[row])


def read_entries(
    name: str, table: Table, keys: tuple[Scalar, ...], leaf: Shape, problems: Problems
) -> Entries:
    """Read the entries of a field.

    Args:
        name: name of the field.
        table: its table.
        keys: the keys of the entries, outermost first.
        leaf: what they lead to.
        problems: gets everything that does not fit.
    """
    if keys:
        check_total_rows(table, problems)
    return _read(_Reading(name, table, keys, leaf, table_cells(table), problems))


def _read(reading: _Reading) -> Entries:
    match reading.leaf:
        case Record() as record:
            return _records(reading, record)
        case Scalar() as scalar:
            return Entries(_scalars(reading, scalar))
        case Sequence(item=Record() as record):
            return _records(reading, record)
        case Sequence(item=Scalar() as item):
            return Entries(_items(reading, item))
        case Sequence(item=Tuple() as item) if is_plain(item):
            return Entries(_tuples(reading, item))
        case Sequence(item=Sequence(item=Scalar() as item)) if not reading.keys:
            return Entries(_rows(reading, item))
        case Tuple() as item if is_plain(item):
            return Entries(_tuples(reading, item))
    what = f"the field {reading.name!r} has no form as a table; give it as JSON"
    reading.problems.add(reading.table.place(), what)
    return Entries([])


def _records(reading: _Reading, record: Record) -> Entries:
    known = list(slots(record))
    fields = [slot_of(cells.heading, known) for cells in reading.cells]
    wanted = len(reading.keys)
    free = [n for n, slot in enumerate(fields) if slot is None]
    # A key may also be a field of the record, such as its name: then it is the first column.
    columns = free[:wanted] if len(free) >= wanted else list(range(min(wanted, len(fields))))
    if len(columns) < wanted:
        what = "a column" if wanted == 1 else f"{wanted} columns"
        reading.problems.add(reading.table.place(), f"{what} of labels and the columns of values are needed")
        return Entries([])
    bare = _bare_rows(reading, columns)
    labels = reading.keyed(columns) if bare else []
    found = [Entry(labels[n], NOTHING, reading.place(n)) for n in bare]
    reading = reading.without({*bare, *_useless_rows(reading, columns, record)})
    rest = [cells for n, cells in enumerate(reading.cells) if n not in columns or fields[n] is not None]
    filled = fill(record, rest, len(reading.table.rows), reading.problems)
    keys = reading.keyed(columns)
    found += [Entry(keys[n], value, reading.place(n)) for n, value in enumerate(filled.values)]
    return Entries(found, tuple(filled.missing))


def _useless_rows(reading: _Reading, columns: Values[int], record: Record) -> set[int]:
    """Rows told once, instead of every blank in them: without a label, or with nothing else."""
    rest = [cells for n, cells in enumerate(reading.cells) if n not in columns]
    needs_more = any(field.required for field in record.fields)
    found = set()
    for row in _range(reading):
        first = next((n for n in columns if reading.cells[n].values[row] is None), None)
        is_alone = bool(rest) and all(cells.values[row] is None for cells in rest)
        if first is not None and not is_alone:
            reading.problems.add(reading.cells[first].place(row), "the label is missing")
            found.add(row)
        elif first is None and columns and is_alone and needs_more and isinstance(reading.leaf, Record):
            what = "the row has a label and nothing else; fill it in or delete it"
            reading.problems.add(reading.cells[columns[0]].place(row), what)
            found.add(row)
    return found


def _bare_rows(reading: _Reading, columns: Values[int]) -> list[int]:
    """Rows with labels only, which stand for an empty list or dictionary where there can be one."""
    if not columns or (isinstance(reading.leaf, Record) and len(columns) < 2):
        return []
    rest = [cells for n, cells in enumerate(reading.cells) if n not in columns]
    return [n for n in _range(reading) if rest and all(cells.values[n] is None for cells in rest)]


def _scalars(reading: _Reading, scalar: Scalar) -> list[Entry]:
    wanted, width = len(reading.keys), len(reading.cells)
    if wanted == 1 and width > 2 and len(reading.table.rows) == 1:
        return _wide(reading, scalar, 0)
    if width == wanted + 1 and (wanted < 2 or _is_long(reading, scalar)):
        return _long(reading, scalar)
    if wanted >= 2 and width >= wanted:
        return _wide(reading, scalar, wanted - 1)
    reading.problems.add(reading.table.place(), _wrong_width(reading))
    return []


def _wrong_width(reading: _Reading) -> str:
    wanted, width = len(reading.keys), len(reading.cells)
    leave = "; a header that begins with # leaves its column out" if width > wanted + 1 else ""
    labels = "a column" if wanted == 1 else f"{wanted} columns"
    return (
        f"{reading.name!r} ({described(reading.leaf)}) needs {labels} of labels and one of values, "
        f"not {width} columns{leave}"
    )


def _is_long(reading: _Reading, scalar: Scalar) -> bool:
    """Whether a table that has as many columns for either is long: labels, labels, value."""
    wanted = len(reading.keys)
    last, before = reading.cells[-1], reading.cells[-2]
    if folded(heading(last.heading).name) in _VALUE_NAMES or matched(last.heading, [reading.name]):
        return True
    labels = [
        tuple(text_of(cells.values[n]) for cells in reading.cells[: wanted - 1]) for n in _range(reading)
    ]
    if len(set(labels)) < len(labels):
        return True
    if not all(fits(raw, scalar) for raw in before.values if raw is not None):
        return True
    if not all(fits(cells.heading, reading.keys[-1]) for cells in (last, before)):
        return True
    if scalar.kind in ("number", "whole"):
        return False
    reading.problems.add(
        reading.table.place(),
        "this may be a long table (labels, labels, values) or a wide one; if it is long, name its last "
        "column 'value'",
    )
    return True


def _range(reading: _Reading) -> range:
    return range(len(reading.table.rows))


def _long(reading: _Reading, scalar: Scalar) -> list[Entry]:
    wanted = len(reading.keys)
    cells = in_unit(reading.cells[wanted], scalar, reading.name, reading.problems)
    keys = reading.keyed(range(wanted))
    found = []
    for n, value in enumerate(convert(cells, scalar, reading.problems)):
        if len(keys[n]) < wanted:
            found.append(Entry(keys[n], NOTHING, reading.place(n)))
            continue
        _check_given(cells, n, value, scalar, reading.problems)
        found.append(Entry(keys[n], value, cells.place(n)))
    return found


def _wide(reading: _Reading, scalar: Scalar, labels: int) -> list[Entry]:
    """Entries whose last key is the header of their column."""
    outer = reading.keyed(range(labels))
    check_total_columns(reading.cells[labels:], reading.problems)
    found = []
    for cells in reading.cells[labels:]:
        last = key_text(_header_value(cells, reading.keys[-1], reading.problems))
        for n, value in enumerate(convert(cells, scalar, reading.problems)):
            _check_given(cells, n, value, scalar, reading.problems)
            found.append(Entry((*outer[n], last), value, cells.place(n)))
    # Row by row, as a person reads the table.
    rows, columns = len(reading.table.rows), len(reading.cells) - labels
    return [found[column * rows + row] for row in range(rows) for column in range(columns)]


def _header_value(cells: Cells, scalar: Scalar, problems: Problems) -> Json:
    said = heading(cells.heading)
    text = said.name if said.unit and same_unit(said.unit, scalar.unit or said.unit) else cells.heading
    place = cells.place(-1)
    if is_blank(cells.heading):
        problems.add(place, "the column has no name")
        return ""
    return convert(Cells("", [text], lambda _: place), scalar, problems)[0]


def _check_given(cells: Cells, n: int, value: Json, scalar: Scalar, problems: Problems) -> None:
    if value is None and cells.values[n] is None and not scalar.optional:
        problems.add(
            cells.place(n), "the value is missing; a long table (labels, value) can leave some pairs out"
        )


def _items(reading: _Reading, item: Scalar) -> list[Entry]:
    """Entries of lists: one item a row, several in a cell, or a table of crosses."""
    wanted, width = len(reading.keys), len(reading.cells)
    if wanted and (width > wanted + 1 or (width == wanted + 1 and _is_cross(reading))):
        return _crosses(reading, item)
    column = wanted if width == wanted + 1 else _named_column(reading)
    if column is None:
        reading.problems.add(reading.table.place(), _wrong_width(reading))
        return []
    cells = in_unit(reading.cells[column], item, reading.name, reading.problems)
    keys = reading.keyed(range(wanted))
    several = (
        wanted
        and folded(cells.heading) != folded(ONE_VALUE)
        and any(isinstance(raw, list) or (isinstance(raw, str) and ";" in raw) for raw in cells.values)
    )
    values = (
        converted(cells, Sequence(item), reading.problems)
        if several
        else convert(cells, item, reading.problems)
    )
    found = []
    for n, value in enumerate(values):
        place = cells.place(n)
        if value is None and len(keys[n]) == wanted and not wanted:
            _check_given(cells, n, value, item, reading.problems)
        items = value if several and value is not None else [NOTHING if value is None and wanted else value]
        found += [Entry(keys[n], one, place) for one in items]
    return found


def _named_column(reading: _Reading) -> int | None:
    """The column of a plain list in a table of several columns."""
    found = [
        n for n, cells in enumerate(reading.cells) if matched(heading(cells.heading).name, [reading.name])
    ]
    return found[0] if len(found) == 1 and not reading.keys else None


def _is_cross(reading: _Reading) -> bool:
    values = {text_of(raw).casefold() for raw in reading.cells[-1].values if raw is not None}
    return values == {"x"}


def _crosses(reading: _Reading, item: Scalar) -> list[Entry]:
    """Entries of lists from a table that says yes or no for each item."""
    wanted = len(reading.keys)
    keys = reading.keyed(range(wanted))
    columns = reading.cells[wanted:]
    names = [_header_value(cells, item, reading.problems) for cells in columns]
    marks = [convert(cells, Scalar("truth"), reading.problems) for cells in columns]
    found = []
    for n, key in enumerate(keys):
        place = reading.place(n)
        items = [name for name, column in zip(names, marks, strict=True) if column[n]]
        found += [Entry(key, name, place) for name in items] or [Entry(key, NOTHING, place)]
    return found


def _tuples(reading: _Reading, leaf: Tuple) -> list[Entry]:
    wanted, width = len(reading.keys), len(reading.cells)
    keys = reading.keyed(range(wanted))
    if width == wanted + 1 and len(leaf.items) > 1:
        values = converted(reading.cells[wanted], leaf, reading.problems)
    elif width == wanted + len(leaf.items):
        parts = zip(reading.cells[wanted:], leaf.items, strict=True)
        columns = [converted(cells, item, reading.problems) for cells, item in parts]
        for cells, column in zip(reading.cells[wanted:], columns, strict=True):
            for n, value in enumerate(column):
                if len(keys[n]) == wanted and not _is_bare(reading, n):
                    _check_given(cells, n, value, Scalar("any"), reading.problems)
        values = [list(row) for row in zip(*columns, strict=True)]
    else:
        reading.problems.add(
            reading.table.place(),
            f"{reading.name!r} needs {wanted + len(leaf.items)} columns, not {width}",
        )
        return []
    return [
        Entry(key, NOTHING if _is_bare(reading, n) else value, reading.place(n))
        for n, (key, value) in enumerate(zip(keys, values, strict=True))
    ]


def _is_bare(reading: _Reading, row: int) -> bool:
    """Whether a row has labels only, which stand for an empty list where there can be one."""
    return isinstance(reading.leaf, Sequence) and all(
        cells.values[row] is None for cells in reading.cells[len(reading.keys) :]
    )


def _rows(reading: _Reading, item: Scalar) -> list[Entry]:
    """A list of lists: each row is one, up to its last filled cell."""
    columns = [convert(cells, item, reading.problems) for cells in reading.cells]
    found = []
    for n in _range(reading):
        row = [column[n] for column in columns]
        while row and row[-1] is None:
            row.pop()
        for column in range(len(row)):
            _check_given(reading.cells[column], n, row[column], item, reading.problems)
        found.append(Entry((), row, reading.place(n)))
    return found
