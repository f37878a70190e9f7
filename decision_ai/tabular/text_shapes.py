"""Describes the input-data classes of a model file from its text; nothing is executed."""

import ast
from dataclasses import dataclass
from typing import Any

from decision_ai.modeling.program import Program
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

_KINDS: dict[str, ScalarKind] = {
    **dict.fromkeys(["float", "PositiveFloat", "NonNegativeFloat", "NegativeFloat", "FiniteFloat"], "number"),
    **dict.fromkeys(["int", "PositiveInt", "NonNegativeInt", "NegativeInt"], "whole"),
    "str": "text",
    "bool": "truth",
    "date": "date",
    "datetime": "datetime",
    "time": "time",
    "Any": "any",
}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"}
_SEQUENCES = {"list", "List", "Sequence", "Iterable", "Collection", "deque"}
_SETS = {"set", "Set", "frozenset", "FrozenSet", "AbstractSet"}
_TUPLES = {"tuple", "Tuple"}
_ENUMS = {"Enum", "StrEnum", "IntEnum"}


def source_record(source: str) -> Record:
    """The description of the main input-data class of a model file.

    Raises:
        ProgramError: if the text is not a model file.
    """
    program = Program.parse(source)
    return _Reader(ast.parse(source)).record(program.main_data_class, ())


@dataclass(frozen=True)
class _Reader:
    tree: ast.Module

    def record(self, name: str, above: tuple[str, ...]) -> Record:
        node = self._class(name)
        fields: dict[str, Field] = {}
        for ancestor in self._lineage(node):
            for statement in ancestor.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    field = self._field(statement.target.id, statement, (*above, name))
                    if field is not None:
                        fields[field.name] = field
        return Record(name, tuple(fields.values()))

    def _field(self, name: str, statement: ast.AnnAssign, above: tuple[str, ...]) -> Field | None:
        if name.startswith("_") or name == "model_config" or _name(statement.annotation) == "ClassVar":
            return None
        return Field(name, self.shape(statement.annotation, above), not _has_default(statement.value))

    def shape(self, node: ast.expr, above: tuple[str, ...]) -> Shape:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.shape(ast.parse(node.value, mode="eval").body, above)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union(node, _members(node), above)
        if isinstance(node, ast.Subscript):
            inner = node.slice
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return self._generic(node, _name(node.value), arguments, above)
        name = _name(node)
        if name in _KINDS:
            return Scalar(_KINDS[name])
        return self._named(name, node, above)

    def _generic(self, node: ast.expr, name: str, arguments: list[ast.expr], above: tuple[str, ...]) -> Shape:
        if name == "Annotated":
            return with_unit(self.shape(arguments[0], above), _unit(arguments[1:]))
        if name == "Literal":
            return Scalar("any", tuple(_literals(arguments)))
        if name in ("Optional", "Union"):
            none = [ast.Constant(None)] if name == "Optional" else []
            return self._union(node, [*arguments, *none], above)
        return self._container(node, name, arguments, above)

    def _container(
        self, node: ast.expr, name: str, arguments: list[ast.expr], above: tuple[str, ...]
    ) -> Shape:
        if name in _TUPLES and _literals(arguments[1:]) != [...]:
            return Tuple(tuple(self.shape(item, above) for item in arguments))
        if name in _SEQUENCES | _SETS | _TUPLES:
            return Sequence(self.shape(arguments[0], above), name in _SETS)
        if name in _MAPPINGS and len(arguments) == 2:
            key = self.shape(arguments[0], above)
            if isinstance(key, Scalar):
                return Mapping(key, self.shape(arguments[1], above))
        return Opaque(ast.unparse(node))

    def _union(self, node: ast.expr, members: list[ast.expr], above: tuple[str, ...]) -> Shape:
        shapes = [self.shape(member, above) for member in members if not _is_none(member)]
        optional = len(shapes) < len(members)
        if len(shapes) == 1:
            return as_optional(shapes[0]) if optional else shapes[0]
        if all(isinstance(shape, Scalar) for shape in shapes):
            return as_optional(ANY) if optional else ANY
        return Opaque(ast.unparse(node))

    def _named(self, name: str, node: ast.expr, above: tuple[str, ...]) -> Shape:
        """What a name of the file stands for: a class, an enumeration or another annotation."""
        if name in above:
            return Opaque(name)
        for statement in self.tree.body:
            if isinstance(statement, ast.ClassDef) and statement.name == name:
                if any(_name(base) in _ENUMS for base in statement.bases):
                    return Scalar("any", _enum_values(statement))
                return self.record(name, above)
            value = _assigned(statement, name)
            if value is not None:
                return self.shape(value, (*above, name))
        return Opaque(ast.unparse(node))

    def _class(self, name: str) -> ast.ClassDef:
        return next(node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == name)

    def _lineage(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        names = {_name(base) for base in node.bases} - {node.name}
        bases = [base for base in self.tree.body if isinstance(base, ast.ClassDef) and base.name in names]
        return [*(ancestor for base in bases for ancestor in self._lineage(base)), node]


def _name(node: ast.expr) -> str:
    """`date` of `date`, `datetime.date` and `date[...]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_members(node.left), *_members(node.right)]
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _literals(nodes: list[ast.expr]) -> list[Any]:
    return [node.value for node in nodes if isinstance(node, ast.Constant)]


def _unit(remarks: list[ast.expr]) -> str:
    for remark in remarks:
        if isinstance(remark, ast.Call) and _name(remark.func).casefold() == "unit":
            said = _literals(remark.args)
            return str(said[0]) if said else ""
    return ""


def _has_default(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call) and _name(value.func) == "Field":
        named = any(keyword.arg in ("default", "default_factory") for keyword in value.keywords)
        return named or (bool(value.args) and _literals(value.args[:1]) != [...])
    return value is not None and not (isinstance(value, ast.Constant) and value.value is ...)


def _enum_values(node: ast.ClassDef) -> tuple[str | int | float | bool, ...]:
    found: list[Any] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            found.append(statement.value.value)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):  # auto()
            found += [str(target.id).lower() for target in statement.targets if isinstance(target, ast.Name)]
    return tuple(found)


def _assigned(statement: ast.stmt, name: str) -> ast.expr | None:
    """The annotation that an alias such as `Tons = Annotated[float, unit("t")]` stands for."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            if isinstance(value, ast.Call):  # NewType("Tons", float)
                return value.args[1] if _name(value.func) == "NewType" and len(value.args) == 2 else None
            return value
        case ast.AnnAssign(target=ast.Name(id=target), value=value) if target == name:
            return value
    return None
