"""The input data seen through the model file's classes: collections of labels, and fields over them.

A path is a tuple of field names with a collection's number wherever a label (or a list position) goes:
`("products", 0, "demand", 1)` is the demand of every product in every month.
"""

import ast
from dataclasses import dataclass, field
from typing import Any, Literal

from decision_ai.modeling.program import Program
from decision_ai.modeling.syntax import parse_expression
from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.lexicon import unit_of
from decision_ai_server.modellers.offline.words import stems

Path = tuple[str | int, ...]
FieldKind = Literal["number", "text", "flag", "labels"]


@dataclass(frozen=True)
class Collection:
    """An ordered set of labels in the data.

    Attributes:
        path: where it is; no collections on the way for one that can be iterated.
        labels: in the order of the data.
        shape: a dictionary by label, a list of labels, or a list of records named by `label_field`.
        words: stems of its name and of the class of its records.
        label_field: the field that names a record of a list.
    """

    path: Path
    labels: tuple[Label, ...]
    shape: Literal["dict", "list", "records"]
    words: frozenset[str]
    label_field: str = ""


@dataclass(frozen=True)
class Attribute:
    """One field of the data, over no, one or several collections.

    Attributes:
        path: where it is.
        kind: what its values are; `labels` = a list of labels of another collection.
        words: stems of its name, in order.
        doc: stems of its docstring, where the meaning and the unit are.
        description: the docstring.
        values: value by the labels of the collections on the path.
    """

    path: Path
    kind: FieldKind
    words: tuple[str, ...]
    doc: frozenset[str]
    description: str
    values: dict[tuple[Label, ...], Any]

    @property
    def collections(self) -> tuple[int, ...]:
        """The collections on the path, in order."""
        return tuple(step for step in self.path if isinstance(step, int))

    @property
    def units(self) -> frozenset[str]:
        """What it may be measured in: the unit its description ends with, else any word but behind "per"."""
        words = stems(unit_of(self.description) or self.description)
        return frozenset(word for place, word in enumerate(words) if not place or words[place - 1] != "per")

    @property
    def name(self) -> str:
        """The path for a person, such as `items.weight`."""
        return ".".join(step for step in self.path if isinstance(step, str))


Values = dict[tuple[Label, ...], Any]


@dataclass
class DataWalk:
    """Walks the data once and collects what it finds."""

    program: Program
    collections: list[Collection] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)

    def run(self, data: Any) -> None:
        """Collect everything below the main class."""
        self._record(self.program.main_data_class, {(): data}, ())

    def _record(self, class_name: str, values: Values, path: Path) -> None:
        for name, part in self._fields(class_name).items():
            inner = {
                labels: record[name]
                for labels, record in values.items()
                if isinstance(record, dict) and name in record
            }
            self._value(_annotation(part.annotation), inner, (*path, name), part.description)

    def _fields(self, class_name: str) -> dict[str, Any]:
        return dict(self.program.data_classes[class_name].fields)

    def _value(self, annotation: ast.expr | None, values: Values, path: Path, description: str) -> None:
        samples = [value for value in values.values() if value is not None]
        class_name = annotation.id if isinstance(annotation, ast.Name) else ""
        if not samples or len(path) > 12:
            return
        if class_name in self.program.data_classes:
            self._record(class_name, values, path)
        elif all(isinstance(value, dict) for value in samples):
            self._dict(annotation, values, path, description)
        elif all(isinstance(value, list) for value in samples):
            self._list(annotation, values, path, description)
        else:
            self._scalar(samples, values, path, description)

    def _dict(self, annotation: ast.expr | None, values: Values, path: Path, description: str) -> None:
        key, inner = _arguments(annotation)
        as_label = int if isinstance(key, ast.Name) and key.id == "int" else str
        entries: Values = {}
        for labels, mapping in values.items():
            for raw, value in (mapping or {}).items():
                if as_label is int and not str(raw).lstrip("-").isdigit():
                    return
                entries[(*labels, as_label(raw))] = value
        found = tuple(dict.fromkeys(labels[-1] for labels in entries))
        record = inner.id if isinstance(inner, ast.Name) else ""
        number = self._collection(found, path, "dict", record)
        if number is not None:
            self._value(inner, entries, (*path, number), description)

    def _list(self, annotation: ast.expr | None, values: Values, path: Path, description: str) -> None:
        arguments = _arguments(annotation)
        members = [member for value in values.values() for member in value or []]
        if members and all(isinstance(member, str | int) for member in members):
            if len(values) == 1 and () in values:
                self._collection(tuple(values[()]), path, "list", "")
            elif all(isinstance(member, str) for member in members):
                self.attributes.append(self._attribute("labels", values, path, description))
            return
        record = arguments[-1].id if isinstance(arguments[-1], ast.Name) else ""
        if record in self.program.data_classes and () in values and len(values) == 1:
            self._records(record, values[()], path)

    def _records(self, class_name: str, records: list[Any], path: Path) -> None:
        for name in self._fields(class_name):
            labels = [record.get(name) for record in records if isinstance(record, dict)]
            if len(set(map(str, labels))) == len(records) and all(isinstance(label, str) for label in labels):
                number = self._collection(tuple(labels), path, "records", class_name, name)
                if number is not None:
                    named: Values = {
                        (str(label),): record for label, record in zip(labels, records, strict=True)
                    }
                    self._record(class_name, named, (*path, number))
                return

    def _collection(
        self,
        labels: tuple[Any, ...],
        path: Path,
        shape: Literal["dict", "list", "records"],
        class_name: str,
        label_field: str = "",
    ) -> int | None:
        """The number of the collection with these labels, a new one if there is none yet."""
        if not labels or len(set(labels)) != len(labels):
            return None
        name = next(step for step in reversed(path) if isinstance(step, str))
        for number, known in enumerate(self.collections):
            if set(known.labels) == set(labels) and (shape == "dict" or known.path == path):
                return number
        reachable = not any(isinstance(step, int) for step in path)
        words = frozenset({*stems(name), *stems(class_name)}) if reachable else frozenset()
        self.collections.append(Collection(path, labels, shape, words, label_field))
        return len(self.collections) - 1

    def _scalar(self, samples: list[Any], values: Values, path: Path, description: str) -> None:
        kind: FieldKind
        if all(isinstance(value, bool) for value in samples):
            kind = "flag"
        elif all(isinstance(value, int | float) and not isinstance(value, bool) for value in samples):
            kind = "number"
        elif all(isinstance(value, str) for value in samples):
            kind = "text"
        else:
            return
        self.attributes.append(self._attribute(kind, values, path, description))

    def _attribute(self, kind: FieldKind, values: Values, path: Path, description: str) -> Attribute:
        name = next(step for step in reversed(path) if isinstance(step, str))
        words = stems(name)
        if "per" in words[1:]:  # a cost per km is a cost, not a distance
            words = words[: words.index("per", 1)]
        doc = frozenset(stems(description))
        return Attribute(path, kind, tuple(words), doc, description, dict(values))


def _annotation(text: str) -> ast.expr | None:
    try:
        node: ast.expr | None = parse_expression(text)
    except SyntaxError:
        return None
    if isinstance(node, ast.BinOp):  # X | None
        node = node.left
    return node


def _arguments(annotation: ast.expr | None) -> tuple[ast.expr, ast.expr] | tuple[None, None]:
    """Key and value annotation of `dict[K, V]`; for `list[V]` the element twice."""
    if not isinstance(annotation, ast.Subscript):
        return None, None
    if isinstance(annotation.slice, ast.Tuple) and len(annotation.slice.elts) == 2:
        return annotation.slice.elts[0], annotation.slice.elts[1]
    return annotation.slice, annotation.slice
