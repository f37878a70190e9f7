"""What may stand where a type is expected.

Pydantic evaluates text it finds there as Python. So a type may be built from names, attributes,
subscripts, `|` and literals only, text in it must be a type itself, and a name in it must not stand for a
value the program computes.
"""

import ast
from collections.abc import Callable, Collection, Iterator

from decision_ai.modeling.syntax import parse_expression
from decision_ai.sandbox.bindings import Bindings

_REFUSED = "a type may consist of names, [...], | and quoted types only"


class AnnotationRules:
    """Checks every place of a tree that holds a type."""

    def __init__(
        self,
        bindings: Bindings,
        modules: Collection[str],
        refusal: Callable[[ast.AST, str], Exception],
        walk: Callable[[ast.AST], None],
    ) -> None:
        """Check nothing yet.

        Args:
            bindings: what the names of the tree stand for.
            modules: the names that stand for modules.
            refusal: makes the exception for what is not a type.
            walk: checks a quoted type like the rest of the program.
        """
        self._bindings, self._modules, self._refusal, self._walk = bindings, modules, refusal, walk
        self._values = bindings.values
        self._checked: set[str] = set()

    def check(self, tree: ast.Module) -> None:
        """Raise the refusal of the first type that is not one."""
        for annotation in _annotations(tree):
            self._type(annotation, annotation)

    def _type(self, node: ast.expr, at: ast.AST) -> None:
        match node:
            case ast.Constant():
                self._constant(node, at)
            case ast.Name():
                self._name(node.id, at)
            case ast.Attribute():
                self._member(node, at)
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
            quoted = parse_expression(node.value.strip())
        except (SyntaxError, ValueError) as error:
            raise self._refusal(at, f"{node.value!r:.60} is not a type") from error
        for part in ast.walk(quoted):
            ast.copy_location(part, at)
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
        self._walk(quoted)

    def _member(self, node: ast.Attribute, at: ast.AST) -> None:
        """`datetime.date`: a member of a module; one of a class may be any text."""
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in self._modules:
            raise self._refusal(at, f"{node.attr!r:.60} is not a type: write the name of a class")

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
        if getattr(node.value, "id", "") in self._bindings.classes:
            raise self._refusal(at, "a class of the program takes no types")
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
