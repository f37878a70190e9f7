"""Units of expressions, found by reading them; nothing is executed."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from decision_ai.modeling.unit_calls import BY_NAME, MEMBERS
from decision_ai.modeling.unit_checks import added, divided, misfit, powered, times
from decision_ai.modeling.unit_shapes import (
    NUMBER,
    UNKNOWN,
    Amount,
    Families,
    Group,
    Many,
    Model,
    Record,
    Shape,
    Shapes,
    Table,
    item_of,
    joined,
)

Names: TypeAlias = dict[str, Shape]
MOST_STEPS = 50_000
"""Expressions that are read for one part; a program may call itself in circles."""
_LONGEST = 80
_MOST_POWER = 9
_VERBS = {ast.Add: "are added to", ast.Sub: "are subtracted from"}
_COMPARED = "are compared with"
_NOT_COMPARED = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


@dataclass
class Expressions:
    """Reads the expressions of one part.

    Attributes:
        shapes: what the classes of the file declare.
        functions: the helper functions of the file and methods of the model, by name.
        report: called with the line and the sentence of every misfit.
        run: reads a helper function with the shapes of its arguments.
        globals: the constants of the file.
    """

    shapes: Shapes
    functions: dict[str, ast.FunctionDef]
    report: Callable[[int, str], None]
    run: Callable[[ast.FunctionDef, Names], Shape]
    globals: Names = field(default_factory=dict)
    steps: int = 0

    def read(self, node: ast.expr, names: Names) -> Shape:
        """The shape of an expression; reports what does not fit in it."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            return UNKNOWN
        rule = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if rule is not None:
            return rule(node, names)  # type: ignore[no-any-return]
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                self.read(inner, names)
        return UNKNOWN

    def bind(self, target: ast.expr, shape: Shape, names: Names) -> None:
        """Give the names of a target the shapes of what is assigned to it."""
        if isinstance(target, ast.Name):
            names[target.id] = shape
        elif isinstance(target, ast.Tuple | ast.List):
            count = len(target.elts)
            fits = isinstance(shape, Group) and len(shape.items) == count
            parts = shape.items if fits and isinstance(shape, Group) else [item_of(shape)] * count
            for one, part in zip(target.elts, parts, strict=True):
                self.bind(one, UNKNOWN if isinstance(one, ast.Starred) else part, names)

    def compare(
        self, verb: str, one: tuple[ast.expr, Shape], other: tuple[ast.expr, Shape], line: int
    ) -> bool:
        """Report two expressions that do not fit; whether they do."""
        (left, first), (right, second) = one, other
        wrong = misfit(first, second)
        if wrong is not None:
            sides = f"{wrong.one} ({described(left)}) {verb} {wrong.other} ({described(right)})"
            self.report(line, f"{sides}{wrong.ending}")
        return wrong is None

    def plus(self, nodes: Sequence[ast.expr], shapes: Sequence[Shape], line: int) -> Shape:
        """The sum of expressions, each compared with those before."""
        if not shapes:
            return UNKNOWN
        total, first = shapes[0], nodes[0]
        for node, shape in zip(nodes[1:], shapes[1:], strict=True):
            if not self.compare("are added to", (node, shape), (first, total), line):
                return UNKNOWN
            total = _total(total, shape)
        return total

    def _on_name(self, node: ast.Name, names: Names) -> Shape:
        return names.get(node.id, self.globals.get(node.id, UNKNOWN))

    def _on_constant(self, node: ast.Constant, _names: Names) -> Shape:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            return UNKNOWN
        size = float(node.value) if abs(node.value) < 1e300 else 0.0
        return Amount(None, loose=abs(size) != 1, factor=abs(size) or None)

    def _on_attribute(self, node: ast.Attribute, names: Names) -> Shape:
        match self.read(node.value, names):
            case Record(name=name):
                return self.shapes.field(name, node.attr)
            case Families():
                return self.shapes.families.get(node.attr, UNKNOWN)
        return UNKNOWN

    def _on_subscript(self, node: ast.Subscript, names: Names) -> Shape:
        owner = self.read(node.value, names)
        self.read(node.slice, names)
        match owner:
            case Table():
                return owner.value
            case Many():
                return owner if isinstance(node.slice, ast.Slice) else owner.item
            case Group():
                return _member(owner, node.slice)
        return UNKNOWN

    def _on_unaryop(self, node: ast.UnaryOp, names: Names) -> Shape:
        inner = self.read(node.operand, names)
        return inner if isinstance(node.op, ast.USub | ast.UAdd) else UNKNOWN

    def _on_binop(self, node: ast.BinOp, names: Names) -> Shape:
        left, right = self.read(node.left, names), self.read(node.right, names)
        verb = _VERBS.get(type(node.op))
        if verb is not None:
            # "b is subtracted from a", "a is added to b"
            sides = [(node.left, left), (node.right, right)]
            one, other = sides if isinstance(node.op, ast.Add) else sides[::-1]
            return _total(left, right) if self.compare(verb, one, other, node.lineno) else UNKNOWN
        if not isinstance(left, Amount) or not isinstance(right, Amount):
            return left if isinstance(left, Group | Many) else UNKNOWN
        return _multiplied(node, left, right)

    def _on_compare(self, node: ast.Compare, names: Names) -> Shape:
        sides = [(side, self.read(side, names)) for side in (node.left, *node.comparators)]
        for operator, one, other in zip(node.ops, sides, sides[1:], strict=False):
            if not isinstance(operator, _NOT_COMPARED):
                self.compare(_COMPARED, one, other, node.lineno)
        return UNKNOWN

    def _on_ifexp(self, node: ast.IfExp, names: Names) -> Shape:
        self.read(node.test, names)
        return joined([self.read(node.body, names), self.read(node.orelse, names)])

    def _on_namedexpr(self, node: ast.NamedExpr, names: Names) -> Shape:
        shape = self.read(node.value, names)
        self.bind(node.target, shape, names)
        return shape

    def _on_tuple(self, node: ast.Tuple | ast.List, names: Names) -> Shape:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            plain = [part.value if isinstance(part, ast.Starred) else part for part in node.elts]
            read = [self.read(part, names) for part in plain]
            parts = zip(node.elts, read, strict=True)
            return Many(joined([item_of(s) if isinstance(n, ast.Starred) else s for n, s in parts]))
        return Group(tuple(self.read(part, names) for part in node.elts))

    _on_list = _on_tuple

    def _on_dict(self, node: ast.Dict, names: Names) -> Shape:
        keys = [self.read(key, names) for key in node.keys if key is not None]
        return Table(joined(keys), joined([self.read(value, names) for value in node.values]))

    def _on_lambda(self, _node: ast.Lambda, _names: Names) -> Shape:
        return UNKNOWN

    def _on_generatorexp(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp, names: Names) -> Shape:
        return Many(self.read(node.elt, self._inside(node.generators, names)))

    _on_listcomp = _on_setcomp = _on_generatorexp

    def _on_dictcomp(self, node: ast.DictComp, names: Names) -> Shape:
        inner = self._inside(node.generators, names)
        return Table(self.read(node.key, inner), self.read(node.value, inner))

    def _inside(self, generators: list[ast.comprehension], names: Names) -> Names:
        inner = dict(names)
        for generator in generators:
            self.bind(generator.target, item_of(self.read(generator.iter, inner)), inner)
            for condition in generator.ifs:
                self.read(condition, inner)
        return inner

    def _on_call(self, node: ast.Call, names: Names) -> Shape:
        arguments = [self.read(argument, names) for argument in node.args]
        said = {keyword.arg or "": self.read(keyword.value, names) for keyword in node.keywords}
        owner: Shape = UNKNOWN
        if isinstance(node.func, ast.Attribute):
            owner, name = self.read(node.func.value, names), node.func.attr
        else:
            name = node.func.id if isinstance(node.func, ast.Name) else ""
        if (owner == UNKNOWN and not isinstance(node.func, ast.Attribute)) or isinstance(owner, Model):
            helper = self.functions.get(name)
            if helper is not None:
                return self.run(helper, _bound(helper, [owner, *arguments], said))
        elif owner != UNKNOWN:
            return MEMBERS.get(name, _nothing)(owner, arguments)
        if name in ("sum", "lpSum", "min", "max", "fsum"):
            return self._folded(node, name, arguments)
        return BY_NAME.get(name, _nothing)(UNKNOWN, arguments)

    def _folded(self, node: ast.Call, name: str, shapes: list[Shape]) -> Shape:
        """A sum, or the least or greatest of several: all of them must fit."""
        nodes: Sequence[ast.expr] = node.args
        if len(shapes) == 1:
            (whole,) = nodes
            if isinstance(shapes[0], Group) and isinstance(whole, ast.Tuple | ast.List):
                nodes, shapes = whole.elts, list(shapes[0].items)
            else:
                inner = item_of(shapes[0])
                return inner if isinstance(inner, Amount) else UNKNOWN
        elif name in ("sum", "lpSum"):
            inner = item_of(shapes[0]) if shapes else UNKNOWN
            return inner if isinstance(inner, Amount) else UNKNOWN
        if name in ("min", "max"):
            for other, shape in zip(nodes[1:], shapes[1:], strict=True):
                self.compare(_COMPARED, (nodes[0], shapes[0]), (other, shape), node.lineno)
            return joined(shapes)
        return self.plus(nodes, shapes, node.lineno)


def described(node: ast.expr) -> str:
    """An expression as a person would point at it: of a sum, what is summed."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        node = node.args[0].elt
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _total(one: Shape, other: Shape) -> Shape:
    if isinstance(one, Amount) and isinstance(other, Amount):
        return added(one, other)
    if isinstance(one, Many | Group) and isinstance(other, Many | Group):
        return Many(joined([item_of(one), item_of(other)]))
    # Whatever is added to kilograms must be kilograms.
    return one if isinstance(one, Amount) else other if isinstance(other, Amount) else UNKNOWN


def _multiplied(node: ast.BinOp, left: Amount, right: Amount) -> Shape:
    match node.op:
        case ast.Mult():
            return times(left, right)
        case ast.Div() | ast.FloorDiv():
            return divided(left, right)
        case ast.Mod():
            return left
        case ast.Pow() if isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
            return powered(left, node.right.value) if 0 < node.right.value <= _MOST_POWER else UNKNOWN
    return NUMBER if left.unit is None and right.unit is None else UNKNOWN


def _member(group: Group, index: ast.expr) -> Shape:
    if isinstance(index, ast.Slice):
        return Many(item_of(group))
    if isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value < len(group.items):
        return group.items[index.value]
    return item_of(group)


def _bound(helper: ast.FunctionDef, arguments: list[Shape], said: Names) -> Names:
    """The parameters of a helper with what a call gives them; the first of `arguments` is `self`."""
    parameters = [one.arg for one in (*helper.args.posonlyargs, *helper.args.args)]
    takes_self = bool(parameters) and parameters[0] == "self"
    given = zip(parameters, arguments if takes_self else arguments[1:], strict=False)
    return {**dict(given), **said}


def _nothing(_owner: Shape, _arguments: list[Shape]) -> Shape:
    return UNKNOWN
