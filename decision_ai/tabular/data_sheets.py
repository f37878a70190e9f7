"""Input data as sheets, in the forms that `read_data` reads: one sheet a table, single values together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from decision_ai.tabular.cells import Json
from decision_ai.tabular.entries import ONE_VALUE
from decision_ai.tabular.mapping import Node, nodes
from decision_ai.tabular.names import singular
from decision_ai.tabular.reading import Target, target_record
from decision_ai.tabular.records import Path, Slot, slot_of, slots
from decision_ai.tabular.shapes import (
    Field,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Shape,
    Tuple,
    is_plain,
    key_levels,
)
from decision_ai.tabular.workbooks import CellValue, Sheet

PARAMETERS = "Parameters"
_KEY_NAMES = ("key", "label", "label of the row", "key of the record")


def data_sheets(data: dict[str, Json], target: Target) -> list[Sheet]:
    """The sheets of JSON-ready data, as `read_data` gives them.

    Units stand in brackets in the headers. What has no form as a table, such as a union of classes, is
    left out: it can only be said in JSON.

    Args:
        data: values by field.
        target: the text of the model file, or the main input-data class.
    """
    record = target_record(target)
    singles = [[*row] for row in _singles(record, data, ())]
    labels = _Labels(record, data)
    sheets = [Sheet(PARAMETERS, ["name", "value"], singles)] if singles else []
    for node in nodes(record):
        if not (isinstance(node.leaf, Record) and not node.keys):
            header = _header(node, labels)
            rows = [list(row) for row in _rows(node, data, len(header))]
            sheets += (
                [Sheet(node.name, header, rows, len(node.keys))] if header and _is_there(node, data) else []
            )
    return sheets


def _singles(
    record: Record, data: dict[str, Json], above: tuple[str, ...]
) -> Iterator[tuple[str, CellValue]]:
    """Names and values of the scalars, those inside single records too."""
    for field in record.fields:
        if field.name not in data or data[field.name] is None:
            continue
        path, value = (*above, field.name), data[field.name]
        if isinstance(field.shape, Scalar):
            yield _headed(" ".join(path), field.shape), value
        elif isinstance(field.shape, Record):
            yield from _singles(field.shape, value, path)
        elif isinstance(field.shape, Tuple) and is_plain(field.shape):
            yield from ((" ".join((*path, str(n))), item) for n, item in enumerate(value, start=1))


def _is_there(node: Node, data: Any) -> bool:
    """Whether the data have the field: one with a default may be missing."""
    return len(node.path) > 1 or node.path[0] in data


@dataclass(frozen=True)
class _Labels:
    """What the labels of the data are called: `item` for those of the field `items`."""

    record: Record
    data: dict[str, Json]

    def name(self, texts: Iterable[str]) -> str | None:
        """The name of labels, by the first field that has all of them; None if none has."""
        wanted = set(texts)
        for field in self.record.fields:
            if wanted and wanted <= self._of(field):
                return singular(field.name)
        return None

    def _of(self, field: Field) -> set[str]:
        value = self.data.get(field.name)
        match field.shape:
            case Mapping(value=Record()) if isinstance(value, dict):
                return set(value)
            case Sequence(item=Scalar(kind="text")) if isinstance(value, list):
                return set(value)
        return set()


def _header(node: Node, labels: _Labels) -> list[str]:
    item = _item(node)
    keys = _key_names(node, labels)
    match item:
        case Record():
            return [*keys, *(_headed(_slot_name(path), shape) for path, shape in _columns(item))]
        case Scalar():
            return [*keys, _headed(_value_name(node, item, labels), item)]
        case Tuple() if is_plain(item):
            return [*keys, *(f"part {n}" for n in range(1, len(item.items) + 1))]
    return []


def _item(node: Node) -> Shape:
    """What one row holds."""
    return node.leaf.item if isinstance(node.leaf, Sequence) else node.leaf


def _value_name(node: Node, item: Scalar, labels: _Labels) -> str:
    if not isinstance(node.leaf, Sequence):
        return "value"
    items = [str(one) for _, found in _values(node, labels.data) for one in found or ()]
    if not node.keys:
        return singular(node.path[-1])
    if any(";" in text or text.strip().casefold() == "x" for text in items):
        return ONE_VALUE
    return (labels.name(items) if item.kind == "text" else None) or "value"


def _key_names(node: Node, labels: _Labels) -> list[str]:
    """Headers of the columns of labels, which no field of the records has as its name."""
    item = _item(node)
    known = list(slots(item)) if isinstance(item, Record) else []
    base = next((name for name in _KEY_NAMES if slot_of(name, known) is None), "key")
    count = len(node.keys)
    plain = [base] if count == 1 else [f"{base} {n}" for n in range(1, count + 1)]
    keys = [keys for keys, _ in _values(node, labels.data) if len(keys) == count]
    said = [labels.name(one[n] for one in keys) for n in range(count)]
    return [_free_name(name, said, n, known) or plain[n] for n, name in enumerate(said)]


def _free_name(name: str | None, said: list[str | None], n: int, known: list[Slot]) -> str | None:
    """The name of a column of labels, with a number if several have it; None if it means a field."""
    if name is None or slot_of(name, known) is not None:
        return None
    return name if said.count(name) == 1 else f"{name} {said[: n + 1].count(name)}"


def _headed(name: str, shape: Shape) -> str:
    unit = shape.unit if isinstance(shape, Scalar) else ""
    return f"{name} [{unit}]" if unit else name


def _slot_name(path: Path) -> str:
    return " ".join(str(step + 1) if isinstance(step, int) else step for step in path)


def _columns(record: Record) -> list[tuple[Path, Shape]]:
    """The scalar places of a record, in order."""
    return [(slot.path, slot.shape) for slot in slots(record) if isinstance(slot.shape, Scalar)]


def _rows(node: Node, data: dict[str, Json], width: int) -> Iterator[list[CellValue]]:
    for keys, value in _values(node, data):
        item = _item(node)
        blank = [None] * (width - len(keys))
        found = value if isinstance(node.leaf, Sequence) else [value]
        if value is None or not found:
            yield [*keys, *blank]
        for one in found or []:
            if one is not None:
                yield [*keys, *_cells(item, one)]


def _cells(shape: Shape, value: Json) -> list[CellValue]:
    if isinstance(shape, Record):
        return [_at(value, path) for path, _ in _columns(shape)]
    return list(value) if isinstance(shape, Tuple) else [value]


def _at(value: Json, path: Path) -> CellValue:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value  # type: ignore[no-any-return]


def _values(node: Node, data: dict[str, Json]) -> Iterator[tuple[list[str], Json]]:
    """Keys and values of a field; None is the value of an empty dictionary."""
    steps: list[tuple[list[str], Json]] = [([], data)]
    for n, name in enumerate(node.path):
        steps = [(keys, value[name]) for keys, value in steps if isinstance(value, dict) and name in value]
        shape = node.field.shape if n == len(node.path) - 1 else None
        levels = len(key_levels(shape)[0]) if shape is not None else _levels_of(node, n)
        for _ in range(levels):
            steps = [pair for keys, value in steps for pair in _opened(keys, value)]
    yield from steps


def _levels_of(node: Node, n: int) -> int:
    """How many of the outer keys belong to a step of the path."""
    above = node.above
    for _ in range(len(node.path) - 2 - n):
        above = above.above if above is not None else None
    return len(above.keys) - above.outer if above is not None else 0


def _opened(keys: list[str], value: Json) -> list[tuple[list[str], Json]]:
    if not value:
        return [(keys, None)] if keys else []
    return [([*keys, key], inner) for key, inner in value.items()]
