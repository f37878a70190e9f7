"""Annotations of a model file, read from the syntax tree: what containers, names and units they say."""

import ast

from decision_ai.modeling.outline import Outline, base_name, defined_name
from decision_ai.modeling.syntax import parse_expression

MAPS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
TUPLES = frozenset({"tuple", "Tuple"})
LISTS = frozenset(
    {"list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "MutableSequence", "deque"}
    | {"Iterable", "Iterator", "Collection", "Generator"}
)
"""Containers by the names their types have; those of `LISTS` hold one kind of item."""


def type_aliases(outline: Outline) -> dict[str, ast.expr]:
    """The names a file gives to expressions at its top, which may be types."""
    return {
        name: node.value
        for node in outline.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and (name := defined_name(node)) is not None
    }


def annotation_unit(annotation: ast.expr) -> str:
    """The unit that an annotation declares, at the first place that has one; empty for none."""
    for node in ast.walk(unquoted(annotation)):
        if isinstance(node, ast.Subscript):
            _, declared = annotated(node)
            if declared:
                return declared
    return ""


def annotated(node: ast.expr) -> tuple[ast.expr, str]:
    """The type and the unit of `Annotated[type, ..., unit("kg")]`; the node itself and no unit for others."""
    if not isinstance(node, ast.Subscript) or base_name(node.value) != "Annotated":
        return node, ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    marks = [_marked(part) for part in parts[1:]]
    return parts[0], next(filter(None, marks), "")


def unquoted(node: ast.expr) -> ast.expr:
    """The type that a quoted type is; any other as it is."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return parse_expression(node.value.strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return node
    return node


def _marked(node: ast.expr) -> str:
    if not isinstance(node, ast.Call) or base_name(node.func) != "unit":
        return ""
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "text")]
    first = given[0] if given else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
