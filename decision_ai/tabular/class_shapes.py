"""Describes input-data classes that are at hand as classes."""

import types
from collections.abc import Collection
from datetime import date, datetime, time
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from decision_ai.modeling.units import UnitMark
from decision_ai.tabular.shapes import (
    ANY,
    Field,
    Mapping,
    Opaque,
    Record,
    Scalar,
    ScalarKind,
    Sequence,
    Shape,
    Tuple,
    as_optional,
    with_unit,
)

_KINDS: dict[Any, ScalarKind] = {
    float: "number",
    int: "whole",
    str: "text",
    bool: "truth",
    date: "date",
    datetime: "datetime",
    time: "time",
    Any: "any",
}
_UNORDERED = (set, frozenset)


def class_record(data_class: type[BaseModel]) -> Record:
    """The description of an input-data class."""
    return _record(data_class, ())


def _record(data_class: type[BaseModel], above: tuple[type, ...]) -> Record:
    fields = []
    for name, info in data_class.model_fields.items():
        shape = _shape(info.annotation, (*above, data_class))
        fields.append(Field(name, with_unit(shape, _unit(info.metadata)), info.is_required()))
    return Record(data_class.__name__, tuple(fields))


def _shape(annotation: Any, above: tuple[type, ...]) -> Shape:
    annotation = getattr(annotation, "__supertype__", annotation)  # of a NewType
    if annotation in _KINDS:
        return Scalar(_KINDS[annotation])
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return Scalar("any", tuple(member.value for member in annotation))
    if isinstance(annotation, type) and not get_origin(annotation) and issubclass(annotation, BaseModel):
        endless = annotation in above
        return Opaque(annotation.__name__) if endless else _record(annotation, above)
    return _generic(annotation, get_origin(annotation), get_args(annotation), above)


def _generic(annotation: Any, origin: Any, arguments: tuple[Any, ...], above: tuple[type, ...]) -> Shape:
    if origin is Annotated:
        return with_unit(_shape(arguments[0], above), _unit(arguments[1:]))
    if origin is Literal:
        return Scalar("any", arguments)
    if origin in (Union, types.UnionType):
        return _union(annotation, arguments, above)
    if origin is tuple and arguments[-1:] != (...,):
        return Tuple(tuple(_shape(item, above) for item in arguments))
    if isinstance(origin, type) and issubclass(origin, Collection) and arguments:
        if len(arguments) == 2 and origin is not tuple:
            key = _shape(arguments[0], above)
            return (
                Mapping(key, _shape(arguments[1], above))
                if isinstance(key, Scalar)
                else Opaque(str(annotation))
            )
        return Sequence(_shape(arguments[0], above), origin in _UNORDERED)
    return Opaque(str(annotation))


def _union(annotation: Any, arguments: tuple[Any, ...], above: tuple[type, ...]) -> Shape:
    shapes = [_shape(argument, above) for argument in arguments if argument is not type(None)]
    if len(shapes) == 1:
        return as_optional(shapes[0]) if len(shapes) < len(arguments) else shapes[0]
    if all(isinstance(shape, Scalar) for shape in shapes):
        return as_optional(ANY) if len(shapes) < len(arguments) else ANY
    return Opaque(str(annotation))


def _unit(metadata: Collection[Any]) -> str:
    """The unit among the remarks of an annotation."""
    return next((remark.text for remark in metadata if isinstance(remark, UnitMark)), "")
