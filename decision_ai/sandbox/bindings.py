"""What the names of a program stand for, as far as its text tells."""

import ast
from collections.abc import Iterator

_DECORATORS = ("dataclass", "unique")
"""Decorators that give back the class they were given."""


class Bindings:
    """Every name of one tree with the ways it gets its value."""

    def __init__(self, tree: ast.Module) -> None:
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.origins = dict(_imported(tree))
        """Name → `module.name` it was imported as."""
        self.classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        self.values = _values(tree, self.origins)
        """Name → the expressions assigned to it; None for one that is bound in any other way."""
        self.private = frozenset(_private(tree))
        """Names with one underscore that the program gives to its own members."""
        self.own = frozenset(("self", "cls")) - frozenset(self._borrowed(tree))
        """`self` and `cls`, unless the program uses them for anything but the object of a method."""

    def origin(self, node: ast.AST) -> str | None:
        """`module.name` of a name that was imported and never means anything else."""
        if not isinstance(node, ast.Name) or node.id in self.values or node.id in self.classes:
            return None
        return self.origins.get(node.id)

    def _borrowed(self, tree: ast.Module) -> Iterator[str]:
        methods = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and isinstance(self.parents.get(node), ast.ClassDef)
        ]
        firsts = {id(one) for node in methods for one in [*node.args.posonlyargs, *node.args.args][:1]}
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                if id(node) not in firsts:
                    yield node.arg
            else:
                yield from bound_names(node)


def bound_names(node: ast.AST) -> list[str]:
    """The names a single node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name.partition(".")[0]]
    return []


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((name.asname or name.name, f"{node.module}.{name.name}") for name in node.names)


def _values(tree: ast.Module, origins: dict[str, str]) -> dict[str, list[ast.expr | None]]:
    values: dict[str, list[ast.expr | None]] = {}
    simple: set[ast.AST] = set()
    for target, value in _assignments(tree):
        simple.add(target)
        # `capacity: float` declares a field; it gives the name no value.
        if value is not None:
            values.setdefault(target.id, []).append(value)
    for node in ast.walk(tree):
        plain_class = isinstance(node, ast.ClassDef) and all(
            _gives_back(one, origins) for one in node.decorator_list
        )
        if node not in simple and not plain_class and not isinstance(node, ast.alias):
            for name in bound_names(node):
                values.setdefault(name, []).append(None)
    return values


def _gives_back(decorator: ast.expr, origins: dict[str, str]) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    imported = isinstance(called, ast.Attribute) or name in origins
    return imported and name in _DECORATORS


def _assignments(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name):
            yield node.target, node.value


def _private(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                for part in ast.walk(inner) if isinstance(inner, ast.Assign | ast.AnnAssign) else [inner]:
                    yield from bound_names(part)
