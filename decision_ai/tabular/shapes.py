"""What data must look like: a small description of input-data classes."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

ScalarKind: TypeAlias = Literal["number", "whole", "text", "truth", "date", "datetime", "time", "any"]


@dataclass(frozen=True)
class Scalar:
    """One value."""

    kind: ScalarKind
    choices: tuple[str | int | float | bool, ...] = ()
    """The only values it may have; empty for any."""
    unit: str = ""
    optional: bool = False
    """Whether it may be missing although it has no default: null is a value of it."""


@dataclass(frozen=True)
class Field:
    """One field of a record."""

    name: str
    shape: "Shape"
    required: bool


@dataclass(frozen=True)
class Record:
    """An object of a class."""

    name: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field:
        """The field of a name.

        Raises:
            KeyError: if there is none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)


@dataclass(frozen=True)
class Mapping:
    """A dictionary."""

    key: Scalar
    value: "Shape"


@dataclass(frozen=True)
class Sequence:
    """A list, set or tuple of any length."""

    item: "Shape"
    unique: bool = False


@dataclass(frozen=True)
class Tuple:
    """A tuple of fixed length."""

    items: tuple["Shape", ...]


@dataclass(frozen=True)
class Opaque:
    """Something that has no form as a table, such as a union of classes; only JSON can say it."""

    text: str


Shape: TypeAlias = Scalar | Record | Mapping | Sequence | Tuple | Opaque

ANY = Scalar("any")
TEXT = Scalar("text")


def with_unit(shape: Shape, unit: str) -> Shape:
    """The shape with a unit for the values in it that have none."""
    match shape:
        case Scalar(kind="number" | "whole" | "any", unit=""):
            return replace(shape, unit=unit)
        case Mapping(key=key, value=value):
            return Mapping(key, with_unit(value, unit))
        case Sequence(item=item):
            return replace(shape, item=with_unit(item, unit))
        case Tuple(items=items):
            return Tuple(tuple(with_unit(item, unit) for item in items))
    return shape


def as_optional(shape: Shape) -> Shape:
    """The shape where null is allowed too."""
    return replace(shape, optional=True) if isinstance(shape, Scalar) else shape


def key_levels(shape: Shape) -> tuple[tuple[Scalar, ...], Shape]:
    """The keys of nested dictionaries, outermost first, and what they lead to."""
    keys: list[Scalar] = []
    while isinstance(shape, Mapping):
        keys.append(shape.key)
        shape = shape.value
    return tuple(keys), shape


def is_plain(shape: Shape) -> bool:
    """Whether one cell can hold it."""
    match shape:
        case Scalar():
            return True
        case Sequence(item=item):
            return isinstance(item, Scalar)
        case Tuple(items=items):
            return all(isinstance(item, Scalar) for item in items)
    return False


def described(shape: Shape) -> str:
    """The shape in a few words, for a person."""
    keys, leaf = key_levels(shape)
    match leaf:
        case Scalar(kind=kind):
            what = {"whole": "whole numbers", "number": "numbers", "truth": "yes or no"}.get(kind, f"{kind}s")
        case Record(name=name):
            what = f"{name} records"
        case Sequence():
            what = "lists"
        case Tuple():
            what = "tuples"
        case _:
            what = "values"
    return f"{what} by {len(keys)} {'key' if len(keys) == 1 else 'keys'}" if keys else what
