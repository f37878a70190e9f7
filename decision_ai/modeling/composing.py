"""The composed program: what leaves the owner's file and runs under the sandbox.

Kept: the module docstring, the classes of the three kinds, constants without calls, whatever functions and
classes these use, and the imports that the rest uses. Everything else (`load_input_data`, `if __name__`
blocks, top-level calls) runs with the owner's own trust only.
"""

import ast
from collections.abc import Iterable

from decision_ai.modeling.editing import deletion
from decision_ai.modeling.layout import first_line
from decision_ai.modeling.outline import ClassSite, Outline, defined_name
from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.source import Span, Splice

LOADER = "load_input_data"


def composed_source(outline: Outline) -> str:
    """The text of the composed program, without a byte-order mark.

    Raises:
        ProgramError: if a statement to leave out shares a line with one to keep.
    """
    body = outline.tree.body
    kept = set(_kept(outline))
    splices: list[Splice] = [
        deletion(outline, site, member)
        for site in outline.of_kind("model")
        for member in site.members
        if member.name == LOADER
    ]
    kept_lines = {line for node in kept for line in _lines(node)}
    for node in body:
        if node in kept:
            continue
        if kept_lines.intersection(_lines(node)):
            raise refusal(
                "shared_line", "two statements share a line; put each on a line of its own", line=node.lineno
            )
        splices.append(outline.source.deletion(Span(first_line(node), node.end_lineno or node.lineno)))
    return outline.source.spliced(_merged(splices)).removeprefix("\ufeff")


def _kept(outline: Outline) -> list[ast.stmt]:
    """The statements that stay, found from the parts by following names."""
    body = outline.tree.body
    parts = {site.node for site in outline.classes.values()}
    roots = [
        node for n, node in enumerate(body) if node in parts or _is_constant(node) or _is_docstring(node, n)
    ]
    by_name = {defined_name(node): node for node in body if _may_be_needed(node)}
    kept: set[ast.stmt] = set()
    used: set[str] = set()
    while roots:
        node = roots.pop()
        if node in kept:
            continue
        kept.add(node)
        names = _names(node, outline.classes)
        used |= names
        roots.extend(by_name[name] for name in names if name in by_name)
    return [node for node in body if node in kept or _is_used_import(node, used)]


def _is_docstring(node: ast.stmt, position: int) -> bool:
    return position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_constant(node: ast.stmt) -> bool:
    """Whether a statement is `NAME = value` without anything that runs but the marks of units in types."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None or defined_name(node) is None:
        return False
    running = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.NamedExpr, ast.comprehension)
    found = [inner for inner in ast.walk(node.value) if isinstance(inner, running)]
    return all(_is_unit(inner) for inner in found)


def _is_unit(node: ast.AST) -> bool:
    """Whether a call is `unit("kg")`, as in `Kilograms = Annotated[float, unit("kg")]`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "unit"
        and all(isinstance(argument, ast.Constant) for argument in node.args)
        and not node.keywords
    )


def _may_be_needed(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name != LOADER


def _names(node: ast.stmt, classes: dict[str, ClassSite]) -> set[str]:
    """Every name a statement mentions, also in annotations written as strings."""
    found: set[str] = set()
    own = classes.get(node.name) if isinstance(node, ast.ClassDef) else None
    loader = own.member(LOADER) if own is not None and own.kind == "model" else None
    queue: list[ast.AST] = [node]
    while queue:
        inner = queue.pop()
        if loader is not None and inner is loader.node:
            continue
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            found.add(inner.value)
        queue.extend(ast.iter_child_nodes(inner))
    return found


def _is_used_import(node: ast.stmt, used: set[str]) -> bool:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return False
    bound = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return "*" in bound or bool(bound & used)


def _lines(node: ast.stmt) -> range:
    return range(first_line(node), (node.end_lineno or node.lineno) + 1)


def _merged(splices: Iterable[Splice]) -> list[Splice]:
    """Deletions that overlap (two statements on one line) as one."""
    merged: list[Splice] = []
    for splice in sorted(splices):
        if merged and splice.start < merged[-1].end:
            last = merged.pop()
            merged.append(Splice(last.start, max(last.end, splice.end), last.text + splice.text))
        else:
            merged.append(splice)
    return merged
