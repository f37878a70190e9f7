"""One job from text to answers, inside whatever process runs it; whatever a program does is a value."""

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.opt_model import OptModel
from decision_ai.solving import staged
from decision_ai.solving.answers import Answer, Built, Found, Point, Refused, Solved, Text
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.compatibility import incompatible_parts
from decision_ai.solving.executors.base import Job
from decision_ai.solving.findings import Findings
from decision_ai.solving.input_data import WrongData, read_input
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai.solving.plan_checks import check_plan
from decision_ai.solving.pricing import price, read_plan
from decision_ai.solving.writing import write_model

MOST_TEXT = 4 * 2**20
"""Characters of `solution_to_str` that are kept."""
_NONE_BARRED: Mapping[str, str] = MappingProxyType({})

Emit: TypeAlias = Callable[[Answer], None]


def run_job(job: Job, emit: Emit, stop: threading.Event, barred: Mapping[str, str] = _NONE_BARRED) -> None:
    """Do what a job asks for, and tell everything as soon as it is known.

    A program that fails is told as `Refused`. The plan's own words come last and apart, because they are the
    program's and may take arbitrarily long.

    Args:
        job: what to do.
        emit: is told the answers.
        stop: ends a solve.
        barred: code of a check → why it may not run.
    """
    try:
        model_class, data = _loaded(job)
        if job.task == "compatibility":
            emit(Found(findings=Findings(incompatible=incompatible_parts(model_class, data))))
            return
        built = build(model_class, data, job.focus)
    except BuildFailure as failure:
        emit(refused(failure.report))
        return
    except WrongData as wrong:
        emit(Refused(validation=wrong.validation))
        return
    emit(Built(description=built.description))
    match job.task:
        case "solve":
            _solve(job, built, emit, stop, barred)
        case "price":
            emit(_priced(job, built, barred))
        case "export":
            emit(_exported(job, built))


def refused(report: FormulationErrorReport) -> Refused:
    """The answer for a program that does not build."""
    return Refused(validation=FormulationValidationFailed(error=report))


def _loaded(job: Job) -> tuple[type[OptModel[Any, Any]], Any]:
    try:
        model_class = load_model(job.source)
    except ProgramError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from error
        raise BuildFailure(error.report) from error
    return model_class, read_input(model_class, job.json_data)


def _priced(job: Job, built: BuiltModel, barred: Mapping[str, str]) -> Found:
    reading = read_plan(built, job.plan or Plan(values={}))
    priced, point = price(built, reading)
    checks = check_plan(built, reading.values, job.checks, barred)
    return Found(findings=Findings(priced=priced.model_copy(update={"checks": checks})), point=point)


def _exported(job: Job, built: BuiltModel) -> Found | Refused:
    try:
        return Found(findings=Findings(exported=write_model(built, job.format)))
    except BuildFailure as failure:
        return refused(failure.report)


def _solve(job: Job, built: BuiltModel, emit: Emit, stop: threading.Event, barred: Mapping[str, str]) -> None:
    try:
        solved = staged.solve(
            built.linear,
            built.row_priorities,
            job.parameters,
            start=None if job.start is None else built.start_values(job.start),
            on_progress=emit,
            stop=stop,
        )
    except MemoryError:
        message = "the memory limit was reached while the model was handed to HiGHS"
        emit(Solved(outcome=Outcome(kind=OutcomeKind.ERROR, message=message)))
        return
    if solved.values is None:
        emit(Solved(outcome=solved.outcome))
        return
    emit(Solved(outcome=solved.outcome, point=Point.at(built, solved.values)))
    if job.checks:
        emit(Found(findings=Findings(checks=check_plan(built, solved.values, job.checks, barred))))
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
