"""Models: whole model files, read and checked but never run by the server."""

import asyncio
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from decision_ai.errors import ProgramError
from decision_ai.modeling.importing.kinds import is_pulp_script
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import refusal
from decision_ai.sandbox.policy import check
from decision_ai.wire.limits import check_size
from decision_ai_server.storage.records import ModelRecord
from decision_ai_server.web.parts import CallerDep, PartsDep

router = APIRouter(prefix="/v1/opt_models", tags=["opt_models"])


class OptModelUpload(BaseModel):
    """A model file to keep."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    source: str
    """The whole model file."""
    name: str | None = Field(default=None, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")
    """What to call it; None = the name of its model class."""


class OptModelSummary(BaseModel):
    """A model in a list."""

    id: str
    name: str
    created_at: int


class OptModelClasses(OptModelSummary):
    """A model with the names of its three main classes."""

    py_class_name_of_model: str
    py_class_name_of_input_data: str
    py_class_name_of_variables: str


class OptModelDetail(OptModelClasses):
    """A model with its file."""

    source: str


class OptModelList(BaseModel):
    """All models, newest first."""

    items: list[OptModelSummary]


@router.post("", status_code=201)
async def upload(body: OptModelUpload, parts: PartsDep, _caller: CallerDep) -> OptModelClasses:
    """Keep a model file that can be read and does nothing the sandbox forbids."""
    check_size("program", body.source, parts.settings.program_bytes)
    program = await asyncio.to_thread(_checked, body.source, parts.settings.sandbox_extra_imports)
    record = ModelRecord(
        id=parts.new_id(),
        created_at=parts.now(),
        name=body.name or program.model_class,
        source=body.source,
    )
    await parts.store.add_model(record)
    return OptModelClasses(**_fields(record, program))


@router.get("")
async def list_all(parts: PartsDep, _caller: CallerDep) -> OptModelList:
    """All models without their files."""
    found = await parts.store.list_models()
    return OptModelList(
        items=[OptModelSummary(id=one.id, name=one.name, created_at=one.created_at) for one in found]
    )


@router.get("/{opt_model_id}")
async def get(opt_model_id: str, parts: PartsDep, _caller: CallerDep) -> OptModelDetail:
    """One model with its file."""
    record = await parts.store.get_model(opt_model_id)
    program = await asyncio.to_thread(Program.parse, record.source)
    return OptModelDetail(**_fields(record, program), source=record.source)


@router.delete("/{opt_model_id}", status_code=204)
async def remove(opt_model_id: str, parts: PartsDep, _caller: CallerDep) -> None:
    """Delete a model that no session uses."""
    await parts.store.delete_model(opt_model_id)


def _checked(source: str, extra_imports: tuple[str, ...]) -> Program:
    program = _parsed(source)
    report = check(program.composed(), extra_imports=extra_imports)
    if report is not None:
        raise ProgramError(report)
    return program


def _parsed(source: str) -> Program:
    try:
        return Program.parse(source)
    except ProgramError:
        if not is_pulp_script(source):
            raise
    raise refusal(
        "pulp_script",
        "this is a PuLP script and not a model file, and a server does not run scripts; make it a model file "
        "with its data by `decision-ai import SCRIPT.py` or `decision_ai.import_model('SCRIPT.py')`",
    )


def _fields(record: ModelRecord, program: Program) -> dict[str, Any]:
    return {
        "id": record.id,
        "name": record.name,
        "created_at": record.created_at,
        "py_class_name_of_model": program.model_class,
        "py_class_name_of_input_data": program.main_data_class,
        "py_class_name_of_variables": program.variables_class,
    }
