"""The code of a plan check: one method, read without executing anything."""

import ast
from collections import deque

from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.source import too_many_words
from decision_ai.modeling.syntax import parse_module

_CHANGES = frozenset(
    name
    for kind in (list, dict, set, deque)
    for name in dir(kind)
    if not name.startswith("_") and not hasattr(tuple, name) and not hasattr(frozenset, name)
) - {"get", "items", "keys", "values"}
MOST_CHARACTERS = 100_000
_SHAPE = "a check is one method without a decorator: def name(self, data, v): ..."


def method_node(code: str) -> ast.FunctionDef:
    """The one method of a check; lines are counted as in the code.

    Args:
        code: `def name(self, data, v): ...`, indented or not.

    Raises:
        ProgramError: if it is not one method with these three arguments, with the line.
    """
    if len(code) > MOST_CHARACTERS:
        raise refusal("too_large", f"a check has at most {MOST_CHARACTERS:,} characters")
    too_many = too_many_words(code)
    if too_many is not None:
        raise refusal("too_large", too_many)
    indented = code.lstrip("\r\n")[:1] in (" ", "\t")
    try:
        tree = parse_module(f"class _:\n{code}" if indented else code)
    except SyntaxError as error:
        line = None if error.lineno is None else error.lineno - indented
        raise refusal("syntax_error", f"the check is not Python: {error.msg}", line=line) from None
    except (ValueError, RecursionError, MemoryError) as error:
        text = f"the check is not Python: {str(error) or type(error).__name__}"
        raise refusal("syntax_error", text) from None
    if indented:
        ast.increment_lineno(tree, -1)
    body = tree.body[0].body if indented and isinstance(tree.body[0], ast.ClassDef) else tree.body
    if len(tree.body) != 1 or len(body) != 1:
        raise refusal("not_a_check", _SHAPE)
    return _method(body[0])


def _method(node: ast.stmt) -> ast.FunctionDef:
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        raise refusal("not_a_check", _SHAPE, line=node.lineno)
    given = node.args
    plain = not (given.vararg or given.kwarg or given.kwonlyargs or given.defaults)
    if not plain or len([*given.posonlyargs, *given.args]) != 3:
        raise refusal("not_a_check", _SHAPE, line=node.lineno)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and not isinstance(inner.ctx, ast.Load):
            raise refusal(
                "not_a_check", "a check changes nothing: it may not set attributes", line=inner.lineno
            )
    return node


def may_change_data(method: ast.FunctionDef) -> bool:
    """Whether a check might change the lists and dicts it is given; False is certain."""
    return any(
        isinstance(node, ast.AugAssign)
        or (isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr in _CHANGES)
        for node in ast.walk(method)
    )
