"""Labels of the data as the data spell them, where somebody wrote them in other letters, as `kettle`."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any


def spelled(key: Any, known: Iterable[Any]) -> Any:
    """The key as it is known, if one known key and no other is the same but for upper and lower case."""
    if not isinstance(key, str):
        return key
    alike = []
    for one in known:
        if one == key:
            return key
        if isinstance(one, str) and one.casefold() == key.casefold():
            alike.append(one)
    return alike[0] if len(alike) == 1 else key


def labels(data: Any) -> Iterator[str]:
    """Every key and every text of some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from labels(value)
    elif isinstance(data, list):
        for value in data:
            yield from labels(value)


def respelled(tree: ast.expr, known: Iterable[str]) -> ast.expr:
    """The expression with its texts spelled as the data do.

    Args:
        tree: an expression; not used any more afterwards.
        known: the labels of the data.
    """
    new: ast.expr = _Respelled(known).visit(tree)
    return new


class _Respelled(ast.NodeTransformer):
    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.copy_location(ast.Constant(spelled(node.value, self._known)), node)
