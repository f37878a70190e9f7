"""Fills records of a class from columns: each column goes to the field its header names."""

import re
from collections.abc import Callable, Iterator, Sequence as Values
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from decision_ai.tabular.cells import Cells, Json, convert, key_text
from decision_ai.tabular.names import folded, heading, likely, matched, nearest, same_unit, unit_factor
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.shapes import Field, Mapping, Record, Scalar, Sequence, Shape, Tuple, is_plain
from decision_ai.tabular.tables import Raw

Path: TypeAlias = tuple[str | int, ...]
"""Where a value goes in a record: names of fields, keys, and positions in a tuple."""

_ITEM_ENDS = re.compile(r"[;\n]")


@dataclass(frozen=True)
class Slot:
    """A place of a record that a column can fill."""

    path: Path
    shape: Shape

    @property
    def name(self) -> str:
        """What a header calls it."""
        return " ".join(str(step + 1) if isinstance(step, int) else step for step in self.path)


@dataclass(frozen=True)
class Filled:
    """Records as read from rows, and the places that no column was there for."""

    values: list[dict[str, Json]]
    missing: list[Path]


def slots(record: Record, above: Path = ()) -> Iterator[Slot]:
    """The places of a record, those inside its records too."""
    for field in record.fields:
        path = (*above, field.name)
        yield Slot(path, field.shape)
        if isinstance(field.shape, Record):
            yield from slots(field.shape, path)
        elif isinstance(field.shape, Tuple):
            yield from (Slot((*path, n), item) for n, item in enumerate(field.shape.items))


def slot_of(text: str, known: Values[Slot]) -> Slot | None:
    """The place a header means; a header such as `demand.Jan` means a key of a dictionary."""
    names = {slot.name: slot for slot in known}
    said = heading(text)
    found = matched(said.text, names) or matched(said.name, names)
    if found is not None:
        slot = names[found]
        if isinstance(slot.shape, Mapping) and said.unit and found != matched(said.text, names):
            return Slot((*slot.path, said.unit), slot.shape.value)
        return slot
    for slot in known:
        unit = slot.shape.unit if isinstance(slot.shape, Scalar) else ""
        if unit and folded(text) in (folded(slot.name + unit), folded(f"{slot.name}in{unit}")):
            return slot
    return next((inner for slot in known if (inner := _key_slot(text, slot)) is not None), None)


def _key_slot(text: str, slot: Slot) -> Slot | None:
    if not isinstance(slot.shape, Mapping):
        return None
    name = r"[\s_.]+".join(map(re.escape, re.split(r"[\s_]+", slot.name)))
    found = re.fullmatch(rf"{name}\s*[.:/_\s]\s*(?P<key>\S.*)", text, re.IGNORECASE | re.DOTALL)
    return None if found is None else Slot((*slot.path, found["key"]), slot.shape.value)


def fill(record: Record, columns: Values[Cells], count: int, problems: Problems) -> Filled:
    """Read one record from each row.

    Args:
        record: the class of the records.
        columns: the columns, key columns apart.
        count: the number of rows.
        problems: gets headers that mean no field, cells that do not fit, and blanks where a value is needed.
    """
    trees: list[dict[Any, Any]] = [{} for _ in range(count)]
    given, meant = _assigned(record, columns, problems)
    needed = set(_needed(record, {slot.path for slot, _ in given}))
    for slot, cells in given:
        values = converted(cells, slot.shape, problems)
        inner = not any(slot.path == known.path for known in slots(record))  # a key of a dictionary
        for n, value in enumerate(values):
            if value is None and cells.values[n] is None:
                if isinstance(slot.shape, Scalar) and slot.shape.optional and slot.path in needed:
                    _insert(trees[n], slot.path, None)
                elif slot.path in needed or inner:
                    problems.add(cells.place(n), f"the cell is blank, and {slot.name!r} has no default")
            elif value is not None:
                _insert(trees[n], slot.path, value)
    paths = {slot.path[:n] for slot, _ in given for n in range(1, len(slot.path) + 1)} | meant
    return Filled([ordered(record, tree) for tree in trees], [path for path in needed if path not in paths])


def converted(cells: Cells, shape: Shape, problems: Problems) -> list[Json]:
    """The values of a column for any shape; only plain shapes can be written in a cell."""
    if isinstance(shape, Scalar):
        return convert(cells, shape, problems)
    if is_plain(shape):
        return _lists(cells, shape, problems)
    values: list[Json] = []
    for n, raw in enumerate(cells.values):
        if raw is not None and not isinstance(raw, dict | list):
            problems.add(
                cells.place(n),
                "one cell cannot hold this; use columns such as name.key, or a table of its own",
            )
        values.append(raw if isinstance(raw, dict | list) else None)
    return values


def ordered(record: Record, tree: dict[Any, Any]) -> dict[str, Json]:
    """The values in the order of the fields, tuples as lists."""
    values: dict[str, Json] = {}
    for field in record.fields:
        if field.name not in tree:
            continue
        value = tree[field.name]
        if isinstance(field.shape, Record) and isinstance(value, dict):
            value = ordered(field.shape, value)
        elif isinstance(field.shape, Tuple) and isinstance(value, dict):
            value = [value[n] for n in sorted(value)]
        values[field.name] = value
    return values


def field_at(record: Record, path: Path) -> Field:
    """The field at the end of a path of names."""
    field = record.field(str(path[0]))
    for step in path[1:]:
        if isinstance(field.shape, Record):
            field = field.shape.field(str(step))
    return field


def _assigned(
    record: Record, columns: Values[Cells], problems: Problems
) -> tuple[list[tuple[Slot, Cells]], set[Path]]:
    """The columns with what they fill, and what unknown headers seem to mean: to be told only once."""
    known = list(slots(record))
    names = {slot.name: slot.path for slot in known}
    assigned: dict[Path, tuple[Slot, Cells]] = {}
    meant: set[Path] = set()
    for cells in columns:
        slot = slot_of(cells.heading, known)
        if slot is None:
            what = (
                f"{cells.heading!r} is no field of {record.name}" if cells.heading else "a column has no name"
            )
            said = heading(cells.heading).name
            proposal, nearby = nearest(said, names), likely(said, names)
            meant |= {names[nearby]} if nearby is not None else set()
            problems.add(
                cells.place(-1), f"{what}; {proposal} (a header that begins with # leaves its column out)"
            )
        elif slot.path in assigned:
            earlier = assigned[slot.path][1]
            problems.add(
                cells.place(-1),
                f"{cells.heading!r} and {earlier.heading!r} ({earlier.place(-1)}) both mean {slot.name!r}; "
                "delete one",
            )
        else:
            slot = _with_read_key(record, slot, cells, problems)
            assigned[slot.path] = (slot, in_unit(cells, slot.shape, slot.name, problems))
    return list(assigned.values()), meant


def in_unit(cells: Cells, shape: Shape, name: str, problems: Problems) -> Cells:
    """The column in the unit of its field; converted, and told, if its header names another one."""
    said = heading(cells.heading).unit
    scalar = shape.item if isinstance(shape, Sequence) else shape
    unit = scalar.unit if isinstance(scalar, Scalar) else ""
    if said and isinstance(scalar, Scalar) and not unit and unit_factor(said, said) is not None:
        problems.notes.append(
            f"{cells.place(-1)}: read as it stands, because the model says no unit of {name!r}"
        )
    if not said or not unit or same_unit(said, unit):
        return cells
    factor = unit_factor(said, unit)
    if factor is None:
        problems.add(
            cells.place(-1),
            f"the column is in {said!r}, but {name!r} is in {unit!r}; convert the numbers and the header",
        )
        return cells
    if factor != 1:
        problems.notes.append(f"{cells.place(-1)}: converted from {said} to {unit} (times {factor:.10g})")
    return replace(cells, factor=factor)


def _with_read_key(record: Record, slot: Slot, cells: Cells, problems: Problems) -> Slot:
    """The slot with the key in its path as JSON writes it."""
    shape = next((one.shape for one in slots(record) if one.path == slot.path[:-1]), None)
    if not isinstance(shape, Mapping):
        return slot
    place: Callable[[int], Place] = lambda _: cells.place(-1)  # noqa: E731 - a cell's place, shortly
    key = convert(Cells("", [slot.path[-1]], place), shape.key, problems)[0]
    return replace(slot, path=(*slot.path[:-1], key_text(key)))


def _needed(record: Record, given: set[Path], above: Path = ()) -> Iterator[Path]:
    """The plain places that need a value, those inside a record only if the record does or has one."""
    for field in record.fields:
        path = (*above, field.name)
        if isinstance(field.shape, Record):
            if field.required or any(one[: len(path)] == path for one in given):
                yield from _needed(field.shape, given, path)
        elif isinstance(field.shape, Tuple) and path not in given and _is_begun(path, given):
            yield from ((*path, n) for n in range(len(field.shape.items)))
        elif field.required and is_plain(field.shape):
            yield path


def _is_begun(path: Path, given: set[Path]) -> bool:
    return any(one[: len(path)] == path for one in given)


def _lists(cells: Cells, shape: Shape, problems: Problems) -> list[Json]:
    """Lists written in cells, with `;` or line breaks between the items."""
    items = [_items(raw) for raw in cells.values]
    places = [n for n, found in enumerate(items) for _ in found or ()]
    for n, raw in enumerate(cells.values):
        if isinstance(raw, str) and "," in raw and not _ITEM_ENDS.search(raw) and _has_texts(shape):
            problems.add(
                cells.place(n), "write ; between the items of a list, or after a single item that has a comma"
            )
    flat = [item for found in items for item in found or ()]
    read = iter(_item_values(replace(cells, values=flat, place=_nth(cells, places)), shape, items, problems))
    values: list[Json] = [None if found is None else [next(read) for _ in found] for found in items]
    for n, found in enumerate(values):
        if isinstance(shape, Tuple) and found is not None and len(found) != len(shape.items):
            problems.add(cells.place(n), f"{len(shape.items)} items are wanted, not {len(found)}")
        if isinstance(shape, Sequence) and shape.unique and found and len(set(map(repr, found))) < len(found):
            problems.add(cells.place(n), "an item occurs twice in the set; delete one")
    return values


def _nth(cells: Cells, places: list[int]) -> Callable[[int], Place]:
    return lambda n: cells.place(places[n] if n >= 0 else -1)


def _has_texts(shape: Shape) -> bool:
    return (
        isinstance(shape, Sequence) and isinstance(shape.item, Scalar) and shape.item.kind in ("text", "any")
    )


def _items(raw: Raw) -> list[Raw] | None:
    if raw is None:
        return None
    if isinstance(raw, list | tuple):
        return list(raw)
    if isinstance(raw, str):
        return [item.strip() for item in _ITEM_ENDS.split(raw) if item.strip()]
    return [raw]


def _item_values(cells: Cells, shape: Shape, items: list[list[Raw] | None], problems: Problems) -> list[Json]:
    if isinstance(shape, Sequence) and isinstance(shape.item, Scalar):
        return convert(cells, shape.item, problems)
    kinds = [part for part in shape.items if isinstance(part, Scalar)] if isinstance(shape, Tuple) else []
    positions = [n for found in items for n in range(len(found or ()))]
    values: list[Json] = [None] * len(cells.values)
    for position, kind in enumerate(kinds):
        chosen = [n for n, one in enumerate(positions) if one == position]
        part = replace(cells, values=[cells.values[n] for n in chosen], place=_nth(cells, chosen))
        for n, value in zip(chosen, convert(part, kind, problems), strict=True):
            values[n] = value
    return values


def _insert(tree: dict[Any, Any], path: Path, value: Json) -> None:
    for step in path[:-1]:
        tree = tree.setdefault(step, {})
    tree[path[-1]] = value
