"""From an exception in a model file to a report a modeller can act on: part, line, and what would help."""

import ast
import difflib
import linecache
import re
import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Literal, TypeAlias

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.modeling.opt_model import OptModel
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.problem import SilentlyRead

Component: TypeAlias = Literal[
    "program", "input_data", "variable", "constraint", "objective", "solution_to_str"
]

_NONLINEAR = re.compile(
    r"[Nn]on-constant expression|unsupported operand type.*(Variable|LpAffineExpression)'"
)
_LINEAR = (
    "multiply variables by numbers of the data only; for a product with a binary variable declare a new "
    "variable and bound it by both"
)
_STRICT = re.compile(
    r"'[<>]' not supported between instances of .*(Variable|LpAffineExpression|LpConstraint)'"
)
_NOT_STRICT = "write <= or >=; for whole numbers x < n is x <= n - 1"
_ENDS = (ast.Return, ast.Yield, ast.YieldFrom)
_METHODS = ("constraint", "objective")
_LONGEST = 500
_MOST_LABELS = 10_000


class BuildFailure(Exception):
    """A model file does not build; carries the report."""

    def __init__(self, report: FormulationErrorReport) -> None:
        self.report = report
        super().__init__(report.message)


class WrongIndex(KeyError):
    """A member that a variable family does not have."""

    def __init__(self, family: str, key: Any, message: str, hint: str | None) -> None:
        self.family, self.key, self.hint = family, key, hint
        super().__init__(message)


class Blame:
    """Makes reports about one program."""

    def __init__(self, model_class: type[OptModel[Any, Any]], data: Any = None) -> None:
        self._file = getattr(sys.modules.get(model_class.__module__), "__file__", None) or ""
        self._data = data

    def failure(
        self,
        component: Component,
        component_id: str | None,
        error_type: str,
        message: str,
        *,
        line: int | None = None,
        hint: str | None = None,
    ) -> BuildFailure:
        """A failure whose place is known."""
        where = f"{component} {component_id!r}" if component_id else component
        line = line or self._declared(component, component_id)
        return BuildFailure(
            FormulationErrorReport(
                component=component,
                component_id=component_id,
                error_type=error_type,
                message=shortened(f"{where}: {message}"),
                line=line,
                source_line=linecache.getline(self._file, line).strip() or None if line else None,
                hint=hint,
            )
        )

    def exception(self, component: Component, component_id: str | None, error: BaseException) -> BuildFailure:
        """A failure for an exception that came out of the program."""
        if isinstance(error, BuildFailure):
            return error
        error_type, message, hint = _explain(error, self._data)
        line = line_in(error.__traceback__, self._file)
        if isinstance(error, SyntaxError) and error.filename == self._file:
            line = error.lineno
        return self.failure(component, component_id, error_type, message, line=line, hint=hint)

    def empty_hint(self) -> str | None:
        """Which collections of the data are empty, as a hint why a part comes to nothing."""
        fields = vars(self._data).items() if hasattr(self._data, "__pydantic_fields__") else ()
        empty = [name for name, value in fields if isinstance(value, dict | list | tuple | set) and not value]
        if not empty:
            return None
        return f"{' and '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty in the data"

    def _declared(self, component: Component, component_id: str | None) -> int | None:
        """The line of a part: of a family its declaration, of a method its one `return` or `yield`."""
        try:
            tree = parse_module("".join(linecache.getlines(self._file)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        for node in ast.walk(tree):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call()) if component == "variable":
                    if name == component_id:
                        return node.lineno
                case ast.FunctionDef(name=name) if component in _METHODS and name == component_id:
                    ends = [one.lineno for one in ast.walk(node) if isinstance(one, _ENDS)]
                    return ends[0] if len(ends) == 1 else node.lineno
        return None


def line_in(traceback: TracebackType | None, file: str) -> int | None:
    """The innermost line of a file in a traceback."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def explained(error: BaseException, data: Any) -> tuple[str, str | None]:
    """What an exception of a program means, as a sentence and a hint."""
    _, message, hint = _explain(error, data)
    return message, hint


def nearest(name: object, known: Iterable[object]) -> str | None:
    """The known name closest to a wrong one, as a hint."""
    names = {str(one): one for one in known}
    close = difflib.get_close_matches(str(name), list(names), n=1, cutoff=0.6)
    return f"did you mean {names[close[0]]!r}?" if close else None


def _explain(error: BaseException, data: Any) -> tuple[str, str, str | None]:
    """Error type, sentence and hint."""
    if isinstance(error, MemoryError):
        return "memory_limit", "the program needs more memory than it may use; build less", None
    match error:
        case WrongIndex():
            return "wrong_index", str(error.args[0]), error.hint
        case NameError():
            return "unknown_name", f"there is no name {error.name!r}", _name_hint(error)
        case AttributeError(name=str()):
            kind, known = type(error.obj).__name__, dir(error.obj)
            public = [name for name in known if not name.startswith(("_", "model_"))]
            return "unknown_name", f"{kind} has no {error.name!r}", nearest(error.name, public)
        case KeyError(args=(key, *_)):
            return "unknown_name", f"there is no key {key!r}", nearest(key, _labels(data))
        case IndexError():
            return "wrong_index", str(error), None
        case TypeError():
            return _explain_type_error(error)
        case _:
            return "exception", f"{type(error).__name__}: {_text(error)}", None


def _explain_type_error(error: TypeError) -> tuple[str, str, str | None]:
    if isinstance(error, SilentlyRead):
        return error.error_type, str(error), error.hint
    if _is_nonlinear(error):
        text = "a product, quotient or power of variables is not linear; HiGHS solves linear models only"
        return "nonlinear", text, _LINEAR
    if _STRICT.search(str(error)):
        return "strict_inequality", "< and > are no comparisons of a linear model", _NOT_STRICT
    return "exception", f"TypeError: {_text(error)}", None


def _is_nonlinear(error: TypeError) -> bool:
    if _NONLINEAR.search(str(error)):
        return True
    # PuLP 3 divides by asking for the length of the divisor.
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    inside = traceback.tb_frame.f_globals.get("__name__", "") if traceback is not None else ""
    return "has no len()" in str(error) and str(inside).startswith("pulp")


def _text(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "the program calls itself without end"
    try:
        return str(error)
    except Exception:  # the text of a hostile exception may itself fail
        return "an exception without a readable text"


def _name_hint(error: NameError) -> str | None:
    traceback = error.__traceback__
    known: set[str] = set()
    while traceback is not None:
        known = {*traceback.tb_frame.f_locals, *traceback.tb_frame.f_globals}
        traceback = traceback.tb_next
    return nearest(error.name, [name for name in known if not name.startswith("__")])


def _labels(data: Any) -> Iterable[object]:
    """Keys of the dictionaries in the data, the first ones of a large set."""
    found: dict[object, None] = {}
    waiting = [data]
    while waiting and len(found) < _MOST_LABELS:
        value = waiting.pop()
        if isinstance(value, dict):
            found.update(dict.fromkeys(list(value)[:_MOST_LABELS]))
            waiting.extend(list(value.values())[:_MOST_LABELS])
        elif isinstance(value, list | tuple):
            waiting.extend(value[:_MOST_LABELS])
        elif hasattr(value, "__pydantic_fields__"):
            waiting.extend(vars(value).values())
    return found


def shortened(text: str) -> str:
    """A message as it can be sent: of a length that can be read, and without what is no text."""
    text = text.encode(errors="replace").decode()  # a program may say what cannot be sent
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
