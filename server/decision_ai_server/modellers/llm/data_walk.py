"""A walk through input data that knows fields from labels: what a class calls its own is no label."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from decision_ai.modeling.data_shapes import DataShapes, Shape
from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.program import Program


@dataclass(frozen=True)
class Place:
    """One value on the way through the data.

    Attributes:
        path: where, with `*` for every key of a map and every position of a list: `items.*.weight`.
        value: what stands there.
        labels: the keys of a map; empty for anything else.
    """

    path: str
    value: Any
    labels: tuple[str, ...] = ()


class DataWalk:
    """Walks data of one program."""

    def __init__(self, source: str) -> None:
        outline = read_outline(source)
        self._shapes = DataShapes(outline)
        self._main = Program.parse(source).main_data_class

    def places(self, data: Any) -> Iterator[Place]:
        """Every value, outer before inner; data that do not fit their classes are walked as maps."""
        yield from self._walk(data, ast.Name(self._main), "")

    def labels(self, data: Any) -> Iterator[str]:
        """Every key of a map and every text."""
        for place in self.places(data):
            yield from place.labels
            if isinstance(place.value, str):
                yield place.value

    def _walk(self, value: Any, annotation: ast.expr | None, path: str) -> Iterator[Place]:
        shape = self._shapes.shape(annotation, value) if annotation is not None else None
        if isinstance(value, dict):
            yield from self._object(value, shape, path)
        elif isinstance(value, list):
            yield Place(path, value)
            for position, inner in enumerate(value):
                yield from self._walk(inner, _part(shape, position), _below(path, "*"))
        else:
            yield Place(path, value)

    def _object(self, value: dict[str, Any], shape: Shape | None, path: str) -> Iterator[Place]:
        fields = self._shapes.fields[shape.class_name] if shape and shape.kind == "object" else {}
        labels = tuple(key for key in value if key not in fields)
        yield Place(path, value, labels)
        for key, inner in value.items():
            if key in fields:
                yield from self._walk(inner, fields[key].annotation, _below(path, key))
            else:
                yield from self._walk(inner, _part(shape, 0), _below(path, "*"))


def _part(shape: Shape | None, position: int) -> ast.expr | None:
    if shape is None or not shape.parts:
        return None
    return shape.parts[min(position, len(shape.parts) - 1)]


def _below(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
