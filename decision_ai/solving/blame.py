"""From an exception in a model file to a report a modeller can act on: part, line, and what would help."""

import ast
import linecache
import sys
from types import TracebackType
from typing import Any, Literal, TypeAlias

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.modeling.opt_model import OptModel
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.explaining import explained

Component: TypeAlias = Literal[
    "program", "input_data", "variable", "constraint", "objective", "solution_to_str"
]

_ENDS = (ast.Return, ast.Yield, ast.YieldFrom)
_METHODS = ("constraint", "objective")
_LONGEST = 500


class BuildFailure(Exception):
    """A model file does not build; carries the report."""

    def __init__(self, report: FormulationErrorReport) -> None:
        self.report = report
        super().__init__(report.message)


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
        line = line_in(error.__traceback__, self._file)
        if isinstance(error, SyntaxError) and error.filename == self._file:
            line = error.lineno
        written = linecache.getline(self._file, line) if line else ""
        error_type, message, hint = explained(error, self._data, written)
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


def shortened(text: str) -> str:
    """A message as it can be sent: of a length that can be read, and without what is no text."""
    text = text.encode(errors="replace").decode()  # a program may say what cannot be sent
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
