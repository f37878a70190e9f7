"""All forms in which a model leaves: which there are, and how each is made."""

import asyncio
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, TypeAlias, get_args

from decision_ai.client.schemas.chat_messages.validation import ValidationFailed, ValidationSucceeded
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.exporting.json_document import json_text
from decision_ai.modeling.exporting.latex import latex_text
from decision_ai.modeling.exporting.markdown import markdown_text
from decision_ai.modeling.exporting.python_file import python_text
from decision_ai.modeling.exporting.workbook import model_sheets
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job, JobResult, ModelDescription
from decision_ai.solving.parameters import SolveParameters
from decision_ai.tabular.workbooks import write_workbook

ExportFormat: TypeAlias = Literal["py", "json", "lp", "mps", "latex", "md", "xlsx"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

_SUFFIXES: dict[str, ExportFormat] = {
    ".py": "py",
    ".json": "json",
    ".lp": "lp",
    ".mps": "mps",
    ".tex": "latex",
    ".md": "md",
    ".xlsx": "xlsx",
}
MEDIA_TYPES: dict[ExportFormat, str] = {
    "py": "text/x-python; charset=utf-8",
    "json": "application/json",
    "lp": "text/plain; charset=utf-8",
    "mps": "text/plain; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PLAN_PARAMETERS = SolveParameters(time_limit=60.0)
"""For the plan of a workbook, and for the levels of soft constraints in LP and MPS."""


@dataclass(frozen=True)
class Exportable:
    """What is exported: a model on its data."""

    program: Program
    json_data: str


def suffix_of(format: ExportFormat) -> str:
    """The suffix of a file of that format, such as `.tex`."""
    return next(suffix for suffix, known in _SUFFIXES.items() if known == format)


def format_of(path: str | PurePath) -> ExportFormat:
    """The format that a file's suffix stands for.

    Raises:
        DecisionAIError: if it stands for none.
    """
    suffix = PurePath(path).suffix
    if suffix.lower() not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise DecisionAIError(
            f"{str(path)!r} does not say in which format to write; end it in one of {known}"
        )
    return _SUFFIXES[suffix.lower()]


async def exported(
    model: Exportable,
    format: ExportFormat,
    executor: Executor,
    parameters: SolveParameters = PLAN_PARAMETERS,
) -> bytes | ValidationFailed:
    """The content of a file of that format, or why the model does not build.

    Only what needs the model on its data is run, in the executor's sandbox. A document of a model that does
    not build is written without sizes.

    Args:
        model: what to export.
        format: in which format.
        executor: builds, solves and writes.
        parameters: for the solve that the plan of a workbook and soft constraints need.

    Raises:
        DataError: if the data are not JSON.
    """
    program, json_data = model.program, model.json_data
    match format:
        case "py":
            return (await asyncio.to_thread(python_text, program, json_data)).encode()
        case "lp" | "mps":
            result = await executor.run(_job(model, "export", parameters, format))
            if not isinstance(result.validation, ValidationSucceeded):
                return result.validation
            assert result.findings.exported is not None  # the port's promise
            return result.findings.exported.text.encode()
        case "xlsx":
            result = await executor.run(_job(model, "solve", parameters))
            if not isinstance(result.validation, ValidationSucceeded):
                return result.validation
            return await asyncio.to_thread(_workbook, model, result)
    description = (await executor.run(_job(model, "build", parameters))).description
    return (await asyncio.to_thread(_document, model, format, description)).encode()


def _job(
    model: Exportable,
    task: Literal["build", "solve", "export"],
    parameters: SolveParameters,
    format: Literal["lp", "mps"] = "lp",
) -> Job:
    return Job(
        task=task,
        source=model.program.composed(),
        json_data=model.json_data,
        parameters=parameters,
        format=format,
    )


def _workbook(model: Exportable, result: JobResult) -> bytes:
    assert result.outcome is not None  # the validation succeeded
    return write_workbook(
        model_sheets(model.program, model.json_data, result.outcome, result.plan, result.rows)
    )


def _document(
    model: Exportable, format: Literal["json", "latex", "md"], description: ModelDescription | None
) -> str:
    if format == "json":
        return json_text(model.program, json_data=model.json_data, description=description)
    write = latex_text if format == "latex" else markdown_text
    return write(model.program, json_data=model.json_data, description=description)
