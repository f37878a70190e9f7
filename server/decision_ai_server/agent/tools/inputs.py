"""What the tools share: reading their input, and refusing in one sentence for the modeller."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from decision_ai.errors import DecisionAIError
from decision_ai_server.agent.ports import Output, ToolResult

_MOST_CHARACTERS = 2000


class ToolInput(BaseModel):
    """The input of a tool; one without fields of its own takes none."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Refused(DecisionAIError):
    """The arguments of a call are not what the tool takes."""


Input = TypeVar("Input", bound=ToolInput)
Given = ParamSpec("Given")
Run = Callable[Given, Coroutine[Any, Any, ToolResult]]


def read(kind: type[Input], args: dict[str, Any]) -> Input:
    """The input of a call.

    Raises:
        Refused: if it is not what the tool takes.
    """
    try:
        return kind.model_validate(args)
    except ValidationError as error:
        raise Refused(first_problem(error)) from error


def told(run: Run[Given]) -> Run[Given]:
    """Make the errors that a tool raises its failed output."""

    @wraps(run)
    async def telling(*args: Given.args, **named: Given.kwargs) -> ToolResult:
        try:
            return await run(*args, **named)
        except DecisionAIError as error:
            return Output(_shortened(str(error)), failed=True)

    return telling


def _shortened(text: str) -> str:
    """An error without its middle, which may repeat an argument of any length; hints stand last."""
    half = _MOST_CHARACTERS // 2
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:half]} … {text[-half:]}"


def first_problem(error: ValidationError) -> str:
    """The first problem of a validation error: which field, and what was expected."""
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "the input"
    more = error.error_count() - 1
    return f"{where}: {problem['msg']}" + (f" (and {more} more problems)" if more else "")
