"""Executes a program text as a module of this process.

Only for a sandbox child, or for a file its owner runs with their own trust.
"""

import inspect
import linecache
import sys
import traceback
from types import ModuleType

from rapidfuzz import process

from decision_ai.errors import ProgramError
from decision_ai.modeling.opt_model import OptModel, constraint, objective
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import Component, refusal
from decision_ai.modeling.source import SourceText
from decision_ai.modeling.units import unit
from decision_ai.modeling.variables import binary, continuous, integer

_LONGEST = 500
_DECLARATIONS = {one.__name__: one for one in (binary, integer, continuous, constraint, objective, unit)}
_IMPORTS = {
    **dict.fromkeys((*_DECLARATIONS, "InputData", "OptModel", "Var", "Variables"), "decision_ai"),
    **dict.fromkeys(("Annotated", "Any", "Literal", "Optional", "Union"), "typing"),
}
"""Name a file may have forgotten to import → where it is."""


def load_model(source: str, name: str = "model") -> type[OptModel]:  # type: ignore[type-arg]
    """Execute a program and return its model class.

    Args:
        source: the text of a model file.
        name: name of the module and of its file in tracebacks; a module of that name is replaced.

    Raises:
        ProgramError: if it does not import, with component and line, or has not exactly one model class.
    """
    text = source.removeprefix("\ufeff")
    module = ModuleType(name)
    module.__file__ = name
    # All three are needed: pydantic looks up forward references in sys.modules and field docstrings in
    # linecache, and inspect.getsource wants __file__.
    before = sys.modules.get(name)
    sys.modules[name] = module
    linecache.cache[name] = (len(text), None, [line + "\n" for line in SourceText(text).lines], name)
    try:
        exec(compile(text, name, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        raise _import_error(error, text, module) from error
    return _model_class(module)


def _model_class(module: ModuleType) -> type[OptModel]:  # type: ignore[type-arg]
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, OptModel) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        names = ", ".join(model.__name__ for model in found) or "none"
        raise refusal("model_class", f"the program must define exactly one OptModel class; found {names}")
    return found[0]


def _import_error(error: BaseException, text: str, module: ModuleType) -> ProgramError:
    line = error.lineno if isinstance(error, SyntaxError) else _line_in(error, module.__name__)
    component, component_id = _component(text, line)
    lines = SourceText(text).lines
    said = str(error)[:_LONGEST].encode(errors="replace").decode() or "no message"
    return refusal(
        "import",
        f"the program does not import: {type(error).__name__}: {said}",
        component=component,
        component_id=component_id,
        line=line,
        source_line=lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else None,
        hint=_hint(error, said, module),
    )


def _hint(error: BaseException, said: str, module: ModuleType) -> str | None:
    """What a declaration takes, or the name that was probably meant."""
    declaration = _DECLARATIONS.get(said.partition("()")[0])
    if declaration is not None and isinstance(error, TypeError):
        return f"{declaration.__name__} takes {', '.join(inspect.signature(declaration).parameters)}"
    if not isinstance(error, NameError):
        return None
    if error.name in _IMPORTS:
        return f"write `from {_IMPORTS[error.name]} import {error.name}` at the top"
    nearest = process.extractOne(str(error.name), list(vars(module)), score_cutoff=75)
    return None if nearest is None else f"did you mean {nearest[0]!r}?"


def _line_in(error: BaseException, name: str) -> int | None:
    """The innermost line of the program that the error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == name), None)


def _component(text: str, line: int | None) -> tuple[Component, str | None]:
    if line is None:
        return "program", None
    try:
        return Program.parse(text).component_at(line)
    except ProgramError as error:  # it could not be read, which is why it does not import
        return error.report.component, error.report.component_id
