"""Finds where a model adds or compares amounts of different units, by reading its syntax tree.

Nothing is executed. What is not known (a field without a unit, a library that is not) is let through in
silence: a warning is only said where two declared units meet that do not fit.
"""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from decision_ai.modeling.outline import Member, Outline, read_outline
from decision_ai.modeling.program import Program
from decision_ai.modeling.reading import (
    MainClasses,
    family_call,
    is_field,
    method_kind,
    read_main_classes,
)
from decision_ai.modeling.unit_checks import misfit
from decision_ai.modeling.unit_expressions import Expressions, Names, described
from decision_ai.modeling.unit_shapes import (
    UNKNOWN,
    Families,
    Many,
    Model,
    Shape,
    Shapes,
    Table,
    item_of,
    joined,
)
from decision_ai.solving.findings import PartKind, PartName

_MOST_CALLS = 6
"""How deep helper functions may call each other."""


@dataclass(frozen=True)
class UnitWarning:
    """Two amounts that do not fit.

    Attributes:
        part: where.
        line: line of the program, from 1.
        message: what is added to or compared with what, with both expressions and units.
    """

    part: PartName
    line: int
    message: str

    def __str__(self) -> str:
        kind = "variable family" if self.part.kind == "variable" else self.part.kind
        return f"{kind} {self.part.id}, line {self.line}: {self.message}"


def unit_warnings(program: Program) -> list[UnitWarning]:
    """Where a program adds or compares amounts of different units, in the order of the file."""
    if not _declares_units(program):
        return []
    outline = read_outline(program.source)
    main = read_main_classes(outline)
    shapes = Shapes(outline, main)
    functions = _functions(outline, main)
    found: list[UnitWarning] = []
    for part, member in _parts(program, outline, main):
        reader = _PartReader(shapes, functions, outline)
        with suppress(RecursionError):  # an expression as deep as that is no sum a person wrote
            reader.read(member)
        found += [UnitWarning(part, line, message) for line, message in reader.said]
    return sorted(found, key=lambda warning: warning.line)


def _declares_units(program: Program) -> bool:
    fields = (field for part in program.data_classes.values() for field in part.fields.values())
    return any(field.unit for field in fields) or any(part.unit for part in program.variables.values())


def _parts(program: Program, outline: Outline, main: MainClasses) -> Iterator[tuple[PartName, Member]]:
    for site in outline.lineage(main.variables.name):
        for member in site.members:
            if is_field(member) and member.name is not None:
                yield PartName(kind="variable", id=member.name), member
    for member in main.model.members:
        kind = method_kind(member)
        enabled = kind == "objective" or (
            member.name in program.constraints and program.constraints[member.name].enabled
        )
        if kind is not None and member.name is not None and enabled:
            yield PartName(kind=_part_kind(kind), id=member.name), member


def _part_kind(kind: str) -> PartKind:
    return "objective" if kind == "objective" else "constraint"


def _functions(outline: Outline, main: MainClasses) -> dict[str, ast.FunctionDef]:
    nodes = [*outline.tree.body, *(member.node for member in main.model.members)]
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}


class _PartReader:
    """Reads one part: the statements of its method, or the bounds of its family."""

    def __init__(self, shapes: Shapes, functions: dict[str, ast.FunctionDef], outline: Outline) -> None:
        self.said: dict[tuple[int, str], None] = {}
        self._shapes = shapes
        self._calls = 0
        self._expressions = Expressions(shapes, functions, self._report, self._run)
        for node in outline.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                self._assign(node, self._expressions.globals, [])

    def read(self, member: Member) -> None:
        """Read a constraint, the objective or a variable family."""
        call = family_call(member)
        if call is not None:
            self._read_bounds(member, call)
        elif isinstance(member.node, ast.FunctionDef):
            given = [Model(), self._shapes.data, Families()]
            names = [one.arg for one in (*member.node.args.posonlyargs, *member.node.args.args)]
            self._run(member.node, dict(zip(names, given, strict=False)))

    def _report(self, line: int, sentence: str) -> None:
        self.said[line, sentence] = None

    def _read_bounds(self, member: Member, call: ast.Call) -> None:
        family = self._shapes.families.get(member.name or "", UNKNOWN)
        own = family.value if isinstance(family, Table) else family
        for keyword in call.keywords:
            if keyword.arg not in ("lower", "upper"):
                continue
            bound, names = keyword.value, Names()
            if isinstance(bound, ast.Lambda):
                first = [one.arg for one in bound.args.args[:1]]
                bound, names = bound.body, dict.fromkeys(first, self._shapes.data)
            shape = self._expressions.read(bound, names)
            wrong = misfit(shape, own)
            if wrong is not None:
                self._report(
                    bound.lineno,
                    f"its {keyword.arg} bound is in {wrong.one} ({described(bound)}), "
                    f"it is in {wrong.other}{wrong.ending}",
                )

    def _run(self, function: ast.FunctionDef, names: Names) -> Shape:
        """Read the body of a function with the shapes of its parameters; the shape of what it returns."""
        if self._calls >= _MOST_CALLS:
            return UNKNOWN
        self._calls += 1
        results: list[Shape] = []
        self._statements(function.body, names, results)
        self._calls -= 1
        result = joined(results)
        if result == UNKNOWN and function.returns is not None:
            return self._shapes.declared(function.returns)
        return result

    def _statements(self, body: list[ast.stmt], names: Names, results: list[Shape]) -> None:
        for node in body:
            self._statement(node, names, results)

    def _statement(self, node: ast.stmt, names: Names, results: list[Shape]) -> None:
        match node:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assign(node, names, results)
            case ast.For():
                self._bind(node.target, item_of(self._value(node.iter, names, results)), names)
                self._statements([*node.body, *node.orelse], names, results)
            case ast.If():
                self._value(node.test, names, results)
                self._branches([node.body, node.orelse], names, results)
            case ast.Return() if node.value is not None:
                results.append(self._value(node.value, names, results))
            case ast.FunctionDef() | ast.ClassDef():
                return
            case _:
                self._rest(node, names, results)

    def _rest(self, node: ast.stmt, names: Names, results: list[Shape]) -> None:
        """Any other statement: its expressions, then the statements inside it."""
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                self._value(inner, names, results)
            elif isinstance(inner, ast.stmt):
                self._statement(inner, names, results)
            elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                self._statements(inner.body, names, results)

    def _assign(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, names: Names, results: list[Shape]
    ) -> None:
        if node.value is None:
            return
        if isinstance(node, ast.AugAssign):
            whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            self._bind(node.target, self._expressions.read(whole, names), names)
            return
        shape = self._value(node.value, names, results)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._bind(target, shape, names)

    def _bind(self, target: ast.expr, shape: Shape, names: Names) -> None:
        self._expressions.bind(target, shape, names)

    def _branches(self, bodies: list[list[ast.stmt]], names: Names, results: list[Shape]) -> None:
        ends = []
        for body in bodies:
            ends.append(dict(names))
            self._statements(body, ends[-1], results)
        for name in {name for end in ends for name in end}:
            names[name] = joined([end.get(name, UNKNOWN) for end in ends])

    def _value(self, node: ast.expr, names: Names, results: list[Shape]) -> Shape:
        """The shape of an expression; what is yielded counts as a result."""
        if isinstance(node, ast.Yield | ast.YieldFrom):
            shape = UNKNOWN if node.value is None else self._expressions.read(node.value, names)
            results.append(Many(shape if isinstance(node, ast.Yield) else item_of(shape)))
            return UNKNOWN
        return self._expressions.read(node, names)
