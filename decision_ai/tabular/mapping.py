"""Puts tables together to the data of a model: which table is which field, and what is missing."""

from collections.abc import Iterable, Iterator, Mapping as Dictionary, Sequence as Values
from dataclasses import dataclass, field, replace
from typing import Any

from decision_ai.tabular.cells import Json
from decision_ai.tabular.entries import NOTHING, Entry, read_entries
from decision_ai.tabular.names import heading, matched, nearest
from decision_ai.tabular.parameters import parameter_cells
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.records import fill, ordered, slot_of, slots
from decision_ai.tabular.shapes import (
    Field,
    Record,
    Scalar,
    Sequence,
    Shape,
    described,
    is_plain,
    key_levels,
)
from decision_ai.tabular.tables import Table
from decision_ai.tabular.workbooks import MAX_NAME

_JOINT = "."


@dataclass(frozen=True)
class Node:
    """A field that a table of its own can hold, at the top or inside the records of another."""

    path: tuple[str, ...]
    keys: tuple[Scalar, ...]
    """The keys of the records it is inside of, then its own."""
    outer: int
    """How many of the keys are those of the records it is inside of."""
    leaf: Shape
    field: Field
    above: "Node | None" = None

    @property
    def name(self) -> str:
        """The name of its table."""
        return _JOINT.join(self.path)


@dataclass
class Assembly:
    """Data on their way from tables and values to one dictionary.

    Attributes:
        record: the main input-data class.
        whole: the place that stands for all data.
        problems: gets everything that does not fit.
    """

    record: Record
    whole: Place
    problems: Problems
    _tables: dict[tuple[str, ...], Table] = field(default_factory=dict)
    _parameters: list[Table] = field(default_factory=list)
    _values: dict[str, Json] = field(default_factory=dict)

    def add_value(self, name: str, value: Json, place: Place) -> None:
        """Take a value as it is for a field at the top."""
        known = [one.name for one in self.record.fields]
        found = matched(name, known)
        if found is None:
            self.problems.add(place, f"{name!r} is no field of {self.record.name}; {nearest(name, known)}")
        elif found in self._values:
            self.problems.add(place, f"{name!r} means {found!r}, which was given already")
        else:
            self._values[found] = value

    def add_table(self, table: Table) -> None:
        """Take a table by its name: for a field, or for single values."""
        node = node_of(self.record, table.name)
        if node is not None:
            self._take(node, table)
        elif parameter_cells(table, self.record):
            self._parameters.append(table)
        elif not self._take_shared(table):
            names = [one.name for one in nodes(self.record)]
            self.problems.add(
                table.place(),
                f"the table {table.name!r} is no field of {self.record.name}, and it does not hold single "
                f"values by name; {nearest(table.name, names)} (a name that begins with # leaves a table "
                "out)",
            )

    def add_only_table(self, table: Table) -> None:
        """Take the one table there is: whatever its name, for the one field that needs a table."""
        single = [one for one in nodes(self.record) if len(one.path) == 1]
        wanted = [one for one in single if one.field.required] or single
        if node_of(self.record, table.name) or len(wanted) != 1 or _are_parameters(table, self.record):
            self.add_table(table)
        else:
            self._take(wanted[0], table)

    def data(self) -> dict[str, Json]:
        """The data, once everything was added; what it says is of no use if there are problems."""
        result: dict[str, Any] = dict(self._values)
        for table in self._parameters:
            self._fill_parameters(result, table)
        taken = sorted(self._tables.items(), key=lambda item: len(item[0]))
        for path, table in taken:
            node = next(one for one in nodes(self.record) if one.path == path)
            self._read(result, node, table)
        self._check_complete(result)
        return ordered(self.record, result)

    def _take(self, node: Node, table: Table) -> None:
        earlier = self._tables.get(node.path)
        if earlier is not None or node.name in self._values:
            also = f" ({earlier.place()})" if earlier else ""
            self.problems.add(table.place(), f"{node.name!r} was given already{also}; rename or delete one")
        else:
            self._tables[node.path] = table

    def _take_shared(self, table: Table) -> bool:
        """Take a table whose columns of values are fields of their own, under the same labels."""
        known = {
            one.name: one for one in nodes(self.record) if isinstance(one.leaf, Scalar) and not one.outer
        }
        columns = [matched(heading(column.name).name, known) for column in table.columns]
        labels = next((n for n, name in enumerate(columns) if name), 0)
        fields = [known[name] for name in columns[labels:] if name is not None]
        if (
            not labels
            or len(fields) < len(columns) - labels
            or any(len(one.keys) != labels for one in fields)
        ):
            return False
        for n, node in enumerate(fields, start=labels):
            self._take(node, _with_columns(table, [*range(labels), n]))
        return True

    def _fill_parameters(self, result: dict[str, Any], table: Table) -> None:
        filled = fill(self.record, parameter_cells(table, self.record), 1, self.problems)
        for name, value in filled.values[0].items():
            known = result.get(name)
            if isinstance(known, dict) and isinstance(value, dict):
                result[name] = {**known, **value}
            elif name in result:
                self.problems.add(table.place(), f"{name!r} was given already; give it once")
            else:
                result[name] = value

    def _read(self, result: dict[str, Any], node: Node, table: Table) -> None:
        if isinstance(node.leaf, Record) and not node.keys:
            cells = parameter_cells(table, node.leaf)
            filled = fill(node.leaf, cells, 1, self.problems)
            missing = tuple(filled.missing)
            result[node.name] = {**result.get(node.name, {}), **filled.values[0]}
        else:
            entries = read_entries(node.name, table, node.keys, node.leaf, self.problems)
            missing = entries.missing
            self._attach(result, node, entries.found)
        for path in missing:
            if (*node.path, *path) in self._tables:
                continue
            name = " ".join(map(str, path))
            headers = [column.name for column in table.columns if column.name]
            self.problems.add(table.place(), f"no column gives {name!r}; {nearest(name, headers)}")

    def _attach(self, result: dict[str, Any], node: Node, entries: Iterable[Entry]) -> None:
        """Put the entries of a table where their keys lead."""
        places: dict[tuple[str, ...], Place] = {}
        unique = isinstance(node.leaf, Sequence) and node.leaf.unique
        if not node.outer:
            result.setdefault(node.name, [] if isinstance(node.leaf, Sequence) and not node.keys else {})
        for entry in entries:
            holder = self._holder(result, node, entry)
            if holder is None:
                continue
            keys = (node.path[-1], *entry.keys[node.outer :])
            if len(entry.keys) < len(node.keys):
                _child(holder, keys, {})
            elif isinstance(node.leaf, Sequence):
                items = _child(holder, keys, [])
                if entry.value is not NOTHING:
                    items.append(entry.value)
                    if unique:
                        self._check_twice((*entry.keys, str(entry.value)), entry.place, places)
            else:
                self._check_twice(entry.keys, entry.place, places)
                _child(holder, keys[:-1], {})[keys[-1]] = entry.value

    def _check_twice(self, keys: tuple[str, ...], place: Place, places: dict[tuple[str, ...], Place]) -> None:
        if keys in places:
            shown = ", ".join(map(repr, keys))
            self.problems.add(place, f"{shown} occurs twice; it was at {places[keys]} already")
        places.setdefault(keys, place)

    def _holder(self, result: dict[str, Any], node: Node, entry: Entry) -> dict[str, Any] | None:
        """The record that an entry belongs to; a label nobody knows is a problem."""
        holder: Any = result
        shape: Shape = self.record
        left = list(entry.keys[: node.outer])
        for step in node.path[:-1]:
            holder = holder.setdefault(step, {})
            assert isinstance(shape, Record)
            keys, shape = key_levels(shape.field(step).shape)
            for _ in keys:
                key = left.pop(0) if left else ""
                if key not in holder:
                    self.problems.add(entry.place, f"there is no {key!r} in {step!r}; {nearest(key, holder)}")
                    return None
                holder = holder[key]
        return holder if isinstance(holder, dict) else None

    def _check_complete(self, result: Dictionary[str, Any]) -> None:
        troubled = bool(self.problems.found)
        for path, one in _missing(self.record, result, ()):
            # What an unreadable cell leaves missing was told already.
            if not troubled or (len(path) == 1 and not (is_plain(one.shape) and self._parameters)):
                what = described(one.shape)
                self.problems.add(
                    self.whole, f"there is no table or value for {_JOINT.join(path)!r} ({what})"
                )


def nodes(record: Record, above: Node | None = None) -> Iterator[Node]:
    """The fields that tables can hold, outer ones first."""
    for one in record.fields:
        own, leaf = key_levels(one.shape)
        path = (*(above.path if above else ()), one.name)
        keys = (*(above.keys if above else ()), *own)
        if not is_plain(one.shape) or isinstance(one.shape, Sequence):
            node = Node(path, keys, len(above.keys) if above else 0, leaf, one, above)
            yield node
            if isinstance(leaf, Record):
                yield from nodes(leaf, node)


def node_of(record: Record, name: str) -> Node | None:
    """The field a table's name means: `items`, or `products.demand`, or `demand` if there is one only."""
    known = list(nodes(record))
    names = [one.name for one in known]
    cut = [one for one in names if len(name) == MAX_NAME and one.startswith(name)]  # Excel cuts long names
    found = cut[0] if len(cut) == 1 else matched(name, names)
    if found is None:
        last = matched(name, {one.path[-1] for one in known})
        inner = [one for one in known if one.path[-1] == last]
        return inner[0] if len(inner) == 1 else None
    return next(one for one in known if one.name == found)


def _are_parameters(table: Table, record: Record) -> bool:
    cells = parameter_cells(table, record)
    known = list(slots(record))
    return bool(cells) and all(slot_of(one.heading, known) is not None for one in cells)


def _with_columns(table: Table, columns: Values[int]) -> Table:
    return replace(
        table,
        columns=tuple(table.columns[n] for n in columns),
        header=replace(table.header, cells=tuple(table.header.cells[n] for n in columns)),
        rows=tuple(replace(row, cells=tuple(row.cells[n] for n in columns)) for row in table.rows),
    )


def _child(holder: Any, keys: Values[str], empty: Any) -> Any:
    """What the keys lead to, made on the way where it is not there yet."""
    for n, key in enumerate(keys):
        last = n == len(keys) - 1
        holder = holder.setdefault(key, empty if last else {})
    return holder


def _missing(
    record: Record, values: Dictionary[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Field]]:
    """The required fields that nothing was given for, once for each path."""
    for one in record.fields:
        path = (*above, one.name)
        if one.name not in values:
            if one.required:
                yield path, one
            continue
        keys, leaf = key_levels(one.shape)
        if isinstance(leaf, Record):
            inner = [values[one.name]]
            for _ in keys:
                inner = [value for holder in inner if isinstance(holder, dict) for value in holder.values()]
            yield from _first_missing(leaf, inner, path)


def _first_missing(
    record: Record, values: Iterable[Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Field]]:
    for value in values:
        found = list(_missing(record, value, path)) if isinstance(value, dict) else []
        if found:
            yield from found
            return
