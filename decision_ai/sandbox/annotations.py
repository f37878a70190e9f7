"""What may stand where a type is expected.

Pydantic evaluates text it finds there as Python. So a type may be built from names, attributes,
subscripts, `|` and literals only, text in it must be a type itself, and a name in it must not stand for a
value the program computes.
"""

import ast
from collections.abc import Callable, Iterator

_REFUSED = "a type may consist of names, [...], | and quoted types only"
_FREE = ("Literal", "Annotated")
"""Their further arguments are values, not types."""


class AnnotationRules:
    """Checks every place of a tree that holds a type."""

    def __init__(self, tree: ast.Module, refusal: Callable[[ast.AST, str], Exception]) -> None:
        self._tree, self._refusal = tree, refusal
        self._values = _assigned(tree)
        self._checked: set[str] = set()

    def check(self) -> None:
        """Raise the refusal of the first type that is not one."""
        for annotation in _annotations(self._tree):
            self._type(annotation, annotation)

    def _type(self, node: ast.expr, at: ast.AST) -> None:
        match node:
            case ast.Constant():
                self._constant(node, at)
            case ast.Name():
                self._name(node.id, at)
            case ast.Attribute():
                self._type(node.value, at)
            case ast.Subscript():
                self._subscript(node, at)
            case ast.BinOp(op=ast.BitOr()):
                self._type(node.left, at)
                self._type(node.right, at)
            case ast.Tuple() | ast.List():
                for part in node.elts:
                    self._type(part, at)
            case _:
                raise self._refusal(at, _REFUSED)

    def _constant(self, node: ast.Constant, at: ast.AST) -> None:
        if node.value is None or node.value is Ellipsis:
            return
        if not isinstance(node.value, str):
            raise self._refusal(at, _REFUSED)
        try:
            quoted = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError) as error:
            raise self._refusal(at, f"{node.value!r:.60} is not a type") from error
        for part in ast.walk(quoted):
            text = (
                part.attr
                if isinstance(part, ast.Attribute)
                else part.id
                if isinstance(part, ast.Name)
                else ""
            )
            if text.startswith("_"):
                raise self._refusal(at, f"{text!r:.60} is not allowed in a type")
        self._type(quoted, at)

    def _name(self, name: str, at: ast.AST) -> None:
        """A name the program assigns must itself be assigned types only."""
        if name in self._checked:
            return
        self._checked.add(name)
        for value in self._values.get(name, []):
            if value is None:
                raise self._refusal(at, f"{name!r} is not a type: it is a variable of the program")
            self._type(value, at)

    def _subscript(self, node: ast.Subscript, at: ast.AST) -> None:
        self._type(node.value, at)
        base = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if base == "Literal" and base not in self._values:
            if not all(isinstance(argument, ast.Constant | ast.UnaryOp) for argument in arguments):
                raise self._refusal(at, "Literal[...] takes plain values")
            return
        for argument in arguments[:1] if base == "Annotated" and base not in self._values else arguments:
            self._type(argument, at)


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield node.returns
        elif isinstance(node, ast.ClassDef):
            # InputData[...] and OptModel[...] take types too.
            yield from (base for base in node.bases if isinstance(base, ast.Subscript))


def _assigned(tree: ast.Module) -> dict[str, list[ast.expr | None]]:
    """Name → the expressions assigned to it; None for one that is bound in any other way."""
    values: dict[str, list[ast.expr | None]] = {}
    simple: set[ast.AST] = set()
    for target, value in _assignments(tree):
        simple.add(target)
        # `capacity: float` declares a field; it gives the name no value.
        if value is not None:
            values.setdefault(target.id, []).append(value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in simple:
            values.setdefault(node.id, []).append(None)
        elif isinstance(node, ast.arg):
            values.setdefault(node.arg, []).append(None)
    return values


def _assignments(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name):
            yield node.target, node.value
