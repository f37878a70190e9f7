"""Where the parts of a model file are: its classes and their members as spans of whole lines.

What cannot be edited line by line is refused here, with the reason: parts that share a line, classes on one
line, names defined twice (Python would run the last), members under `if`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from decision_ai.errors import ProgramError
from decision_ai.modeling.layout import STANDARD_UNIT, Code, block_unit, dedented, first_line
from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.source import SourceText, Span, lines_inside_strings, parse_python

ClassKind = Literal["data", "variables", "model"]
_ROOTS: dict[str, ClassKind] = {"InputData": "data", "Variables": "variables", "OptModel": "model"}
MAX_CLASSES = 500
"""Reading takes time quadratic in a chain of classes, and the file may be hostile."""
_NESTING = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.Match)


@dataclass(frozen=True)
class Member:
    """One statement of a class body, together with the string expression after a field."""

    name: str | None
    """What it defines; None for a docstring, `pass` or anything without a name."""
    node: ast.stmt
    docstring: str | None
    span: Span


@dataclass(frozen=True)
class ClassSite:
    """One class of the three kinds."""

    name: str
    kind: ClassKind
    node: ast.ClassDef
    span: Span
    members: list[Member]

    def member(self, name: str) -> Member | None:
        """The member that defines a name."""
        return next((member for member in self.members if member.name == name), None)


@dataclass(frozen=True)
class Outline:
    """A parsed file: text, syntax tree, and the classes of the three kinds in the order of the file."""

    source: SourceText
    tree: ast.Module
    inside_strings: frozenset[int]
    classes: dict[str, ClassSite]

    def code(self, member: Member | ClassSite) -> Code:
        """The dedented code of a member or class."""
        text = dedented(self.source, member.span, self.inside_strings)
        return Code(text, block_unit(member.node, self.source))

    def of_kind(self, kind: ClassKind) -> list[ClassSite]:
        """The classes of one kind."""
        return [site for site in self.classes.values() if site.kind == kind]

    def lineage(self, name: str) -> list[ClassSite]:
        """A class after all its ancestors within the file, base first."""
        wanted, queue = {name}, [name]
        while queue:
            bases = [base_name(base) for base in self.classes[queue.pop()].node.bases]
            found = {base for base in bases if base in self.classes and base not in wanted}
            wanted.update(found)
            queue.extend(found)
        ancestors = [site for site in self.classes.values() if site.name in wanted - {name}]
        return [*ancestors, self.classes[name]]

    @property
    def unit(self) -> str:
        """One level of indentation of the file."""
        return next(
            (self.source.indent(site.members[0].span.first) for site in self.classes.values()), STANDARD_UNIT
        )


def read_outline(text: str) -> Outline:
    """Find the classes of the three kinds.

    Raises:
        ProgramError: if the text is not Python or cannot be edited line by line.
    """
    source = SourceText(text)
    tree = parse_python(source)
    classes: dict[str, ClassSite] = {}
    for node, kind in _classes(tree):
        if node.name in classes:
            raise _twice(node.name, node)
        start = node.body[0]
        if source.lines[start.lineno - 1].encode()[: start.col_offset].strip():
            raise refusal(
                "one_line_class", f"put the body of class {node.name!r} on its own line", line=node.lineno
            )
        if len(classes) == MAX_CLASSES:
            raise refusal("too_many_classes", f"a model file has at most {MAX_CLASSES} classes of its kinds")
        span = _checked_span(first_line(node), node, source)
        classes[node.name] = ClassSite(node.name, kind, node, span, members_of(node.body, source))
    return Outline(source, tree, lines_inside_strings(source.text + "\n"), classes)


def piece_outline(source: SourceText) -> Outline:
    """The outline of a free-standing piece of code, whose members are read one by one."""
    return Outline(source, ast.Module([], []), lines_inside_strings(source.text + "\n"), {})


def members_of(body: list[ast.stmt], source: SourceText) -> list[Member]:
    """The statements of a class body as members.

    Raises:
        ProgramError: if they share a line, a name is defined twice, or a definition stands under `if`.
    """
    members: list[Member] = []
    seen: set[str] = set()
    for node in body:
        if isinstance(node, _NESTING):
            raise refusal(
                "nested_member",
                "a class of the model may not define members under if, for, while, with, try or match; "
                "write them straight into the class",
                line=node.lineno,
            )
        text = _string(node)
        if text is not None and members and _takes_docstring(members[-1]):
            before = members.pop()
            span = _checked_span(before.span.first, node, source)
            members.append(Member(before.name, before.node, text, span))
            continue
        name = defined_name(node)
        if name is not None and name in seen:
            raise _twice(name, node)
        seen.add(name or "")
        members.append(Member(name, node, None, _checked_span(first_line(node), node, source)))
    return members


def defined_name(node: ast.stmt) -> str | None:
    """The one name a statement defines, if it does."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


def base_name(expression: ast.expr) -> str | None:
    """`OptModel` of `OptModel`, `decision_ai.OptModel` and `OptModel[...]`."""
    while isinstance(expression, ast.Subscript):
        expression = expression.value
    if isinstance(expression, ast.Name):
        return expression.id
    return expression.attr if isinstance(expression, ast.Attribute) else None


def _classes(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, ClassKind]]:
    kinds = dict(_ROOTS)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            renamed = [name for name in node.names if name.asname and name.name in _ROOTS]
            kinds.update({str(name.asname): _ROOTS[name.name] for name in renamed})
        for inner in [node] if isinstance(node, ast.ClassDef) else _nested_classes(node):
            kind = next((kinds[b] for b in map(base_name, inner.bases) if b in kinds), None)
            if kind is not None and inner is not node:
                raise refusal(
                    "nested_class",
                    f"class {inner.name!r} must stand at the top level of the file",
                    line=inner.lineno,
                )
            if kind is not None:
                kinds[inner.name] = kind
                yield inner, kind


def _nested_classes(node: ast.stmt) -> Iterator[ast.ClassDef]:
    if isinstance(node, _NESTING):
        yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.ClassDef))


def _checked_span(first: int, node: ast.stmt, source: SourceText) -> Span:
    """The whole lines of a statement, refused if it has to share them."""
    last = node.end_lineno or node.lineno
    tail = source.lines[last - 1].encode()[node.end_col_offset or 0 :].decode().strip()
    if source.lines[node.lineno - 1].encode()[: node.col_offset].strip() or (tail and tail[0] != "#"):
        raise refusal(
            "shared_line", "two statements share a line; put each on a line of its own", line=node.lineno
        )
    return Span(first, last)


def _takes_docstring(member: Member) -> bool:
    return isinstance(member.node, ast.AnnAssign) and member.docstring is None


def _string(node: ast.stmt) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else None
    return None


def _twice(name: str, node: ast.stmt) -> ProgramError:
    return refusal(
        "duplicate_name", f"{name!r} is defined twice; rename or delete one of the two", line=node.lineno
    )
