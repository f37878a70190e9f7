"""Small changes inside a method's source, by syntax-tree positions; every other byte stays."""

import ast
import re
from collections.abc import Callable, Iterator

from decision_ai.modeling.syntax import parse_module
from decision_ai_server.modellers.offline.selecting_code import NotExpressible
from decision_ai_server.modellers.offline.source_text import docstring, formula
from decision_ai_server.modellers.offline.words import number_text

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_SMALL = dict(enumerate(_WORDS.split()))


def renumbered(code: str, before: float, after: float) -> str:
    """A method with one number replaced wherever its body has it, formula and docstring included.

    Raises:
        NotExpressible: if the number is not there, or stands there more than once.
    """
    method = _method(code)
    places = [
        node
        for statement in method.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and _is_number(node, before)
    ]
    if len(places) != 1:
        how = "is not written" if not places else "is written more than once"
        raise NotExpressible(f"the number {number_text(before)} {how} in the rule {method.name!r}")
    splices: list[tuple[ast.expr, str]] = [(places[0], number_text(after))]
    splices += [
        (node, quote(_reworded(node.value, before, after)))
        for node, quote in _texts(method)
        if isinstance(node.value, str)
    ]
    return spliced(code, splices)


def with_sense(code: str, sense: str) -> str:
    """An objective method with another sense in its decorator."""
    method = _method(code)
    for decorator in method.decorator_list:
        if isinstance(decorator, ast.Call) and decorator.args and isinstance(decorator.args[0], ast.Constant):
            return spliced(code, [(decorator.args[0], f'"{sense}"')])
    raise NotExpressible("the sense of the objective is not written in its decorator")


def spliced(code: str, splices: list[tuple[ast.expr, str]]) -> str:
    """Source with the text of some nodes replaced."""
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    text = code.encode()
    for node, new in sorted(splices, key=lambda entry: -(entry[0].lineno * 10_000 + entry[0].col_offset)):
        if node.end_lineno is not None and node.end_col_offset is not None:
            first = starts[node.lineno - 1] + node.col_offset
            last = starts[node.end_lineno - 1] + node.end_col_offset
            text = text[:first] + new.encode() + text[last:]
    return text.decode()


def _method(code: str) -> ast.FunctionDef:
    found = parse_module(code).body[0]
    if not isinstance(found, ast.FunctionDef):
        raise NotExpressible("the code is not one method")
    return found


def _is_number(node: ast.Constant, value: float) -> bool:
    return (
        isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and float(node.value) == value
    )


def _texts(method: ast.FunctionDef) -> Iterator[tuple[ast.Constant, Callable[[str], str]]]:
    first = method.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        yield first.value, docstring
    for decorator in method.decorator_list:
        arguments = decorator.args if isinstance(decorator, ast.Call) else []
        if arguments and isinstance(arguments[0], ast.Constant):
            yield arguments[0], formula


def _reworded(text: str, before: float, after: float) -> str:
    number, new = number_text(before), number_text(after)
    text = re.sub(rf"(?<![\w.]){re.escape(number)}(?![\w]|\.\d)", new, text)
    if before in _SMALL and (word := _SMALL[int(before)]):
        said = _SMALL.get(int(after), new) if float(after).is_integer() else new
        text = re.sub(rf"\b{word}\b", said, text)
        text = re.sub(rf"\b{word.capitalize()}\b", said.capitalize(), text)
    return text
