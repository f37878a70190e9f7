"""What the input-data classes of a program say about a value: an object of a class, a map, a list.

Annotations are read as text, never run: `X | None`, `Optional`, `Union`, `Annotated`, dicts, lists and tuples
of classes, names given to such types at the top of the file, and annotations written as strings.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from decision_ai.modeling.annotations import LISTS, MAPS, TUPLES, type_aliases, unquoted
from decision_ai.modeling.outline import Outline, base_name
from decision_ai.modeling.reading import is_field

_WRAPPERS = frozenset({"Annotated", "Final"})
_EMPTY: dict[str | None, Callable[[], Any]] = {
    **{"dict": dict, "list": list, "set": list, "tuple": list, "frozenset": list},
    **{"str": str, "int": int, "float": float, "bool": bool},
}
"""Default factory → what it makes, as JSON has it."""
_MOST_STEPS = 100
"""Names that stand for names, followed before the annotation counts as unreadable."""


class NotWritten(Enum):
    """The value of a default that is computed, not written out."""

    NOT_WRITTEN = "not written"


NOT_WRITTEN = NotWritten.NOT_WRITTEN


@dataclass(frozen=True)
class DataField:
    """One field of an input-data class.

    Attributes:
        annotation: its type.
        default: the expression its default is written as; None without one.
        required: whether data must have it.
    """

    annotation: ast.expr
    default: ast.expr | None
    required: bool


@dataclass(frozen=True)
class Shape:
    """What a value is in the eyes of its annotation.

    Attributes:
        kind: an object of a class, a map, or a list.
        class_name: the class of an object; "" otherwise.
        parts: annotations of what is inside: one for the values of a map; for a list one per position, the
            last one for all that follow.
    """

    kind: Literal["object", "map", "list"]
    class_name: str = ""
    parts: tuple[ast.expr, ...] = ()


class DataShapes:
    """The input-data classes of one program."""

    def __init__(self, outline: Outline) -> None:
        self.fields: dict[str, dict[str, DataField]] = {
            site.name: {
                member.name: _field(member.node)
                for ancestor in outline.lineage(site.name)
                for member in ancestor.members
                if member.name is not None and isinstance(member.node, ast.AnnAssign) and is_field(member)
            }
            for site in outline.of_kind("data")
        }
        """Class → field → what it says, inherited fields first."""
        self._aliases = type_aliases(outline)

    def shape(self, annotation: ast.expr, value: Any, *, prefer: str = "") -> Shape | None:
        """What a value is; None for a number, a text, and whatever does not fit its annotation.

        Args:
            annotation: the type of the place.
            value: what stands there.
            prefer: the class to take where several would do.
        """
        shapes = [shape for option in self._options(annotation) if (shape := self._one(option, value))]
        fitting = [shape for shape in shapes if shape.kind != "object" or self._fits(shape.class_name, value)]
        preferred = [shape for shape in shapes if prefer and shape.class_name == prefer]
        return next(iter([*preferred, *fitting, *shapes]), None)

    def default(self, field: DataField) -> Any:
        """The default of a field as JSON has it; `NOT_WRITTEN` where it is computed or there is none."""
        return NOT_WRITTEN if field.default is None else self._json(field.default)

    def _options(self, annotation: ast.expr) -> list[ast.expr]:
        """The alternatives of an annotation, with names and wrappers looked through."""
        options: list[ast.expr] = []
        waiting, steps = [annotation], 0
        while waiting and steps < _MOST_STEPS:
            expression, steps = waiting.pop(0), steps + 1
            inner = self._inside(expression)
            if inner is None:
                options.append(expression)
            else:
                waiting[:0] = inner
        return options

    def _inside(self, expression: ast.expr) -> list[ast.expr] | None:
        """What an annotation stands for; None where it stands for itself."""
        match expression:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return [left, right]
            case ast.Subscript(slice=ast.Tuple(elts=elements)) if base_name(expression) == "Union":
                return elements
            case ast.Subscript(slice=only) if base_name(expression) in ("Optional", "Union"):
                return [only]
            case ast.Subscript(slice=ast.Tuple(elts=[first, *_])) if base_name(expression) in _WRAPPERS:
                return [first]
            case ast.Subscript(slice=only) if base_name(expression) in _WRAPPERS:
                return [only]
            case ast.Name(id=name) if name in self._aliases and name not in self.fields:
                return [self._aliases[name]]
            case ast.Constant(value=str()):
                quoted = unquoted(expression)
                return [] if quoted is expression else [quoted]
        return None

    def _one(self, option: ast.expr, value: Any) -> Shape | None:
        name = base_name(option)
        if isinstance(value, dict) and name in self.fields:
            return Shape("object", name)
        if not isinstance(option, ast.Subscript):
            return None
        inside = option.slice.elts if isinstance(option.slice, ast.Tuple) else [option.slice]
        parts = tuple(part for part in inside if not _is_ellipsis(part))
        if isinstance(value, dict) and name in MAPS and len(parts) == 2:
            return Shape("map", parts=parts[1:])
        if isinstance(value, list) and name in LISTS | TUPLES and parts:
            return Shape("list", parts=parts)
        return None

    def _fits(self, class_name: str, value: dict[str, Any]) -> bool:
        fields = self.fields[class_name]
        required = {name for name, field in fields.items() if field.required}
        return required <= value.keys() <= fields.keys()

    def _json(self, expression: ast.expr) -> Any:
        """The JSON form of a value that is written out: literals, and objects of the data classes."""
        match expression:
            case ast.Lambda(body=body):
                return self._json(body)
            case ast.Name(id=name) if name in self.fields:  # a default factory
                return {}
            case ast.Name(id=name) | ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in _EMPTY:
                return _EMPTY[name]()
            case ast.Call(func=ast.Name(id=name), args=[], keywords=words) if name in self.fields:
                said = {word.arg: self._json(word.value) for word in words}
                return NOT_WRITTEN if None in said or NOT_WRITTEN in said.values() else said
        try:
            return _as_json(ast.literal_eval(expression))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return NOT_WRITTEN


def _field(node: ast.AnnAssign) -> DataField:
    """A field as its assignment declares it."""
    value = node.value
    if (
        value is None
        and base_name(node.annotation) == "Annotated"
        and isinstance(node.annotation, ast.Subscript)
    ):
        extras = node.annotation.slice.elts[1:] if isinstance(node.annotation.slice, ast.Tuple) else []
        value = next((extra for extra in extras if _is_field_call(extra)), None)
    if not isinstance(value, ast.Call) or not _is_field_call(value):
        return DataField(node.annotation, value, required=value is None)
    said = {word.arg: word.value for word in value.keywords}
    if value.args:
        said["default"] = value.args[0]
    default = said.get("default", said.get("default_factory"))
    if default is not None and _is_ellipsis(default):
        default = None
    # Data may have such a field under another name.
    renamed = "alias" in said or "validation_alias" in said
    return DataField(node.annotation, default, required=default is None and not renamed)


def _is_field_call(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and base_name(expression.func) == "Field"


def _is_ellipsis(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is ...


def _as_json(value: Any) -> Any:
    """A literal as JSON has it."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else _key(key): _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_as_json(inner) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"{value!r} has no JSON form")


def _key(key: Any) -> str:
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    raise ValueError(f"{key!r} has no JSON form")
