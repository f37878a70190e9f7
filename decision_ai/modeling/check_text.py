"""Checks of plans as a person writes them: a method, a function of (data, v), or just an expression."""

import ast
import inspect
import keyword
import textwrap
from collections.abc import Callable
from typing import Any, TypeAlias

from decision_ai.errors import DataError, ProgramError
from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.check_code import method_node
from decision_ai.solving.findings import PlanCheck
from decision_ai.wire.limits import check_size

CheckForm: TypeAlias = str | Callable[..., Any]
"""`"v.pack['Tent'] <= 1"`, the text of a method, or a plain function of (data, v) or (self, data, v)."""

CODE_BYTES = 4096
SENTENCE_BYTES = 1024
_NAME_CHARACTERS = 64


def plan_check(name: str, sentence: str, code: CheckForm) -> PlanCheck:
    """A named check, read without executing anything.

    Args:
        name: what to call it: a name as Python has them.
        sentence: what must hold, in the person's words; empty where the code says it.
        code: the check in any of its forms.

    Raises:
        ProgramError: if the code is neither an expression nor one function.
        DataError: if the name cannot be one.
        LimitExceeded: if code or sentence are too long.
    """
    if not name.isidentifier() or keyword.iskeyword(name) or len(name) > _NAME_CHARACTERS:
        raise DataError(
            f"{name!r:.80} cannot be the name of a check; take at most {_NAME_CHARACTERS} letters, digits "
            "and underscores, such as 'tent_or_stove'"
        )
    text = code if isinstance(code, str) else _source(code)
    check_size("code of the check", text, CODE_BYTES)
    method = check_code(name, text)
    said = " ".join(sentence.split()) or _said(method)
    check_size("sentence of the check", said, SENTENCE_BYTES)
    return PlanCheck(name=name, sentence=said, code=method)


def check_code(name: str, text: str) -> str:
    """The method that a text is or stands for; an expression becomes `return` of a method of that name.

    Raises:
        ProgramError: if it is neither an expression nor one function.
    """
    text = textwrap.dedent(text).strip()
    function = _only_function(text)
    if function is None:
        return _wrapped(name, text)
    if [argument.arg for argument in function.args.args] == ["data", "v"] and not function.args.posonlyargs:
        function.args.args.insert(0, ast.arg("self"))
        text = ast.unparse(function)
    method_node(text)
    return text


def _only_function(text: str) -> ast.FunctionDef | None:
    """The function that a text is, if it is one."""
    try:
        body = parse_module(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0] if len(body) == 1 and isinstance(body[0], ast.FunctionDef) else None


def _wrapped(name: str, text: str) -> str:
    try:
        (statement,) = parse_module(f"(\n{text}\n)").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
        raise _neither(said) from None
    if not isinstance(statement, ast.Expr) or not text:
        raise _neither("this is none")
    return f"def {name}(self, data, v):\n    return {ast.unparse(statement.value)}"


def _neither(said: str) -> ProgramError:
    return refusal(
        "not_a_check",
        f"a check is an expression such as `v.pack['Tent'] <= 1`, or one method without a decorator; {said}",
    )


def _source(function: Callable[..., Any]) -> str:
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        raise DataError(
            "the source of this function cannot be found; give the check as text, such as "
            "\"v.pack['Tent'] <= 1\""
        ) from None
    if getattr(function, "__name__", "") == "<lambda>":
        raise DataError("a check is no lambda; give its expression as text, such as \"v.pack['Tent'] <= 1\"")
    return text


def _said(method: str) -> str:
    """The docstring of a method, else its only expression."""
    node = method_node(method)
    described = ast.get_docstring(node)
    if described:
        return " ".join(described.split())
    last = node.body[-1]
    returned = last.value if isinstance(last, ast.Return) and len(node.body) == 1 else None
    return node.name if returned is None else ast.unparse(returned)
