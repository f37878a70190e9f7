"""One job from text to answers, inside whatever process runs it; whatever a program does is a value."""

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from pydantic import ValidationError

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationFailed,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.opt_model import OptModel
from decision_ai.solving import staged
from decision_ai.solving.answers import Answer, Built, Point, Refused, Solved, Text
from decision_ai.solving.blame import Blame, BuildFailure
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.executors.base import Job
from decision_ai.solving.outcome import Outcome, OutcomeKind

MOST_TEXT = 4 * 2**20
"""Characters of `solution_to_str` that are kept."""
_MOST_FIELDS = 20

Emit: TypeAlias = Callable[[Answer], None]


def run_job(job: Job, emit: Emit, stop: threading.Event) -> None:
    """Build and, if asked, solve, and tell everything as soon as it is known.

    A program that fails is told as `Refused`. The plan's own words come last and apart, because they are the
    program's and may take arbitrarily long.
    """
    try:
        built = _build(job)
    except BuildFailure as failure:
        emit(refused(failure.report))
        return
    except _WrongData as wrong:
        emit(Refused(validation=wrong.validation))
        return
    emit(Built(description=built.description))
    if job.task == "build":
        return
    try:
        _solve(job, built, emit, stop)
    except MemoryError:
        message = "the memory limit was reached while the model was handed to HiGHS"
        emit(Solved(outcome=Outcome(kind=OutcomeKind.ERROR, message=message)))


def refused(report: FormulationErrorReport) -> Refused:
    """The answer for a program that does not build."""
    return Refused(validation=FormulationValidationFailed(error=report))


class _WrongData(Exception):
    def __init__(self, validation: ValidationFailed) -> None:
        self.validation = validation
        super().__init__(validation.error)


def _build(job: Job) -> BuiltModel:
    try:
        model_class = load_model(job.source)
    except ProgramError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from error
        raise BuildFailure(error.report) from error
    return build(model_class, _data(model_class, job.json_data))


def _data(model_class: type[OptModel[Any, Any]], json_data: str) -> Any:
    data_class = model_class.data_class
    try:
        return data_class.model_validate_json(json_data)
    except ValidationError as error:
        raise _WrongData(
            InputDataSchemaValidationFailed(input_data_class_name=data_class.__name__, error=_lines(error))
        ) from error
    except Exception as error:  # a validator of the program may raise anything
        raise Blame(model_class).exception("input_data", data_class.__name__, error) from error


def _lines(error: ValidationError) -> str:
    """One readable line per wrong field."""
    details = error.errors(include_url=False, include_context=False)
    lines = []
    for detail in details[:_MOST_FIELDS]:
        place = ".".join(str(part) for part in detail["loc"]) or "the data"
        got = detail["input"]
        told = detail["type"] != "missing" and isinstance(got, str | int | float | bool | None)
        lines.append(f"{place}: {detail['msg']}" + (f" (got {got!r:.60})" if told else ""))
    if len(details) > _MOST_FIELDS:
        lines.append(f"and {len(details) - _MOST_FIELDS} more")
    return "\n".join(lines)


def _solve(job: Job, built: BuiltModel, emit: Emit, stop: threading.Event) -> None:
    solved = staged.solve(
        built.linear,
        built.row_priorities,
        job.parameters,
        start=None if job.start is None else built.start_values(job.start),
        on_progress=emit,
        stop=stop,
    )
    if solved.values is None:
        emit(Solved(outcome=solved.outcome))
        return
    emit(Solved(outcome=solved.outcome, point=Point.at(built, solved.values)))
    try:
        text = _cut(built.solution_to_str(solved.values).encode(errors="replace").decode())
    except BuildFailure as failure:
        text = f"{_told(failure.report)}; the values that are not zero:\n{built.values_to_str(solved.values)}"
    emit(Text(text=text))


def _told(report: FormulationErrorReport) -> str:
    where = f" at `{report.source_line}`" if report.source_line else ""
    return f"solution_to_str failed{where}: {report.message.removeprefix('solution_to_str: ')}"


def _cut(text: str) -> str:
    if len(text) <= MOST_TEXT:
        return text
    return f"{text[:MOST_TEXT]}\n… cut here: solution_to_str gave {len(text):,} characters"
