"""The units that annotations declare, read from the syntax tree."""

import ast

from decision_ai.modeling.outline import base_name
from decision_ai.modeling.syntax import parse_expression


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
