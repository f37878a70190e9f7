"""What an expression of a model file is, as far as units need it: amounts, and what holds amounts."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias

from decision_ai.modeling.annotations import LISTS, MAPS, TUPLES, annotated, type_aliases, unquoted
from decision_ai.modeling.outline import Outline, base_name
from decision_ai.modeling.reading import MainClasses, is_field
from decision_ai.modeling.units import Unit, parse_unit

_DEEPEST = 16


@dataclass(frozen=True)
class Unknown:
    """Nothing is known, so nothing is said."""


@dataclass(frozen=True)
class Amount:
    """A number or a linear expression.

    Attributes:
        unit: its unit; None for a plain number, which fits anything.
        loose: whether a plain number is a factor of it, which may stand for any count of things.
        factor: the product of the numbers written in it, which may convert its unit; None if not known.
    """

    unit: Unit | None
    loose: bool = False
    factor: float | None = 1.0


@dataclass(frozen=True)
class Record:
    """An object of an input-data class."""

    name: str


@dataclass(frozen=True)
class Table:
    """A dict."""

    key: "Shape"
    value: "Shape"


@dataclass(frozen=True)
class Many:
    """A list, set or generator."""

    item: "Shape"


@dataclass(frozen=True)
class Group:
    """A tuple, or a list that is written out."""

    items: tuple["Shape", ...]


@dataclass(frozen=True)
class Families:
    """The variables of the model."""


@dataclass(frozen=True)
class Model:
    """`self` in a method of the model."""


Shape: TypeAlias = Unknown | Amount | Record | Table | Many | Group | Families | Model

UNKNOWN = Unknown()
NUMBER = Amount(None, loose=True)
"""A plain number that nobody wrote down, such as a count or a 0/1 choice."""


class Shapes:
    """The shapes that the classes of one file declare."""

    def __init__(self, outline: Outline, main: MainClasses) -> None:
        self._outline = outline
        self.data: Shape = Record(main.data.name)
        self._aliases = type_aliases(outline)
        self._fields: dict[str, dict[str, Shape]] = {}
        self.families: dict[str, Shape] = {}
        """Family id → its shape: a table of its members, or the one member."""
        for site in outline.lineage(main.variables.name):
            for member in site.members:
                if is_field(member) and isinstance(member.node, ast.AnnAssign) and member.name:
                    self.families[member.name] = _family(member.node)

    def field(self, owner: str, name: str) -> Shape:
        """The shape of a field of an input-data class."""
        if owner not in self._fields:
            self._fields[owner] = {
                str(member.name): self.declared(member.node.annotation)
                for site in self._outline.lineage(owner)
                for member in site.members
                if is_field(member) and isinstance(member.node, ast.AnnAssign)
            }
        return self._fields[owner].get(name, UNKNOWN)

    def declared(self, annotation: ast.expr, unit: str = "", depth: int = 0) -> Shape:
        """The shape of what an annotation describes.

        Args:
            annotation: the annotation.
            unit: the unit of its numbers, declared around it.
            depth: how deep it stands in others.
        """
        if depth > _DEEPEST:
            return UNKNOWN
        inner, own = annotated(unquoted(annotation))
        unit = own or unit

        def shape(node: ast.expr) -> Shape:
            return self.declared(node, unit, depth + 1)

        if inner is not annotation:
            return shape(inner)
        match inner:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return joined([shape(left), shape(right)])
            case ast.Subscript():
                return _container(inner, shape)
            case ast.Name(id=name):
                return shape(self._aliases[name]) if name in self._aliases else self._class(name, unit)
        return UNKNOWN

    def _class(self, name: str, unit: str) -> Shape:
        return Record(name) if name in self._outline.classes else _amount(unit)


def item_of(shape: Shape) -> Shape:
    """What a loop over it gives."""
    match shape:
        case Table():
            return shape.key
        case Many():
            return shape.item
        case Group():
            return joined(list(shape.items))
    return UNKNOWN


def joined(shapes: list[Shape]) -> Shape:
    """What is known whichever of the shapes it is; a plain number or nothing leaves what the others are."""
    known = [shape for shape in shapes if shape != UNKNOWN]
    if not known:
        return UNKNOWN
    return reduce(_joined, known)


def _joined(one: Shape, other: Shape) -> Shape:
    match one, other:
        case Amount(), Amount():
            if one.unit is None or other.unit is None:
                return other if one.unit is None else one
            loose = one.loose or other.loose
            return replace(one, loose=loose, factor=None) if one.unit == other.unit else UNKNOWN
        case Table(), Table():
            return Table(joined([one.key, other.key]), joined([one.value, other.value]))
        case Many(), Many():
            return Many(joined([one.item, other.item]))
    return one if one == other else UNKNOWN


def _container(node: ast.Subscript, shape: Callable[[ast.expr], Shape]) -> Shape:
    name = base_name(node.value)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name in MAPS and len(parts) == 2:
        return Table(UNKNOWN, shape(parts[1]))
    if name in LISTS:
        return Many(shape(parts[0]))
    if name in TUPLES:
        variadic = len(parts) == 2 and isinstance(parts[1], ast.Constant)
        return Many(shape(parts[0])) if variadic else Group(tuple(shape(part) for part in parts))
    if name in ("Optional", "Union", "Final"):
        return joined([shape(part) for part in parts])
    return UNKNOWN


def _family(node: ast.AnnAssign) -> Shape:
    """The shape of a family; a 0/1 choice without a unit is a plain number."""
    call = node.value
    if not isinstance(call, ast.Call):
        return UNKNOWN
    said = {keyword.arg: keyword.value for keyword in call.keywords}
    declared = said.get("unit")
    text = declared.value if isinstance(declared, ast.Constant) and isinstance(declared.value, str) else ""
    member = _amount(text)
    if not text and base_name(call.func) == "binary":
        member = NUMBER
    return Table(UNKNOWN, member) if "over" in said else member


def _amount(text: str) -> Shape:
    try:
        found = parse_unit(text) if text else None
    except ValueError:
        return UNKNOWN
    return UNKNOWN if found is None else Amount(found)
