"""Input data: canonical JSON, immutable, named by content."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import BaseModel

from decision_ai.errors import DataError
from decision_ai.modeling.data import canonical_json, data_id, parse_json
from decision_ai_server.storage.records import DataRecord
from decision_ai_server.web.parts import CallerDep, PartsDep

router = APIRouter(prefix="/v1/opt_input_data", tags=["opt_input_data"])

_BODY = {
    "requestBody": {
        "required": True,
        "description": 'The data as JSON, or `{"json_data": "<the data as JSON text>"}`.',
        "content": {"application/json": {"schema": {}}},
    }
}


class OptInputDataSummary(BaseModel):
    """A data object without its payload."""

    id: str
    created_at: int
    size: int


class OptInputData(OptInputDataSummary):
    """A data object."""

    json_data: str


class OptInputDataList(BaseModel):
    """All data objects, newest first."""

    items: list[OptInputDataSummary]


@router.post("", status_code=201, openapi_extra=_BODY)
async def upload(request: Request, parts: PartsDep, _caller: CallerDep) -> OptInputDataSummary:
    """Keep input data; the same data get the same id."""
    body = await request.body()
    record = await asyncio.to_thread(_record, body, parts.now())
    await parts.store.put_data(record)
    return _summary(await parts.store.get_data(record.id))


@router.get("")
async def list_all(parts: PartsDep, _caller: CallerDep) -> OptInputDataList:
    """All data objects without their payload."""
    found = await parts.store.list_data()
    return OptInputDataList(items=[OptInputDataSummary(**vars(summary)) for summary in found])


@router.get("/{opt_input_data_id}")
async def get(opt_input_data_id: str, parts: PartsDep, _caller: CallerDep) -> OptInputData:
    """One data object with its payload."""
    record = await parts.store.get_data(opt_input_data_id)
    return OptInputData(**dict(_summary(record)), json_data=record.json_data)


@router.delete("/{opt_input_data_id}", status_code=204)
async def remove(opt_input_data_id: str, parts: PartsDep, _caller: CallerDep) -> None:
    """Delete a data object that no session uses."""
    await parts.store.delete_data(opt_input_data_id)


def _record(body: bytes, now: int) -> DataRecord:
    try:
        data = parse_json(body.decode())
    except UnicodeDecodeError as error:
        raise DataError(f"the data are not UTF-8 at byte {error.start}") from None
    if isinstance(data, dict) and list(data) == ["json_data"] and isinstance(data["json_data"], str):
        data = parse_json(data["json_data"])
    text = canonical_json(data)
    return DataRecord(id=data_id(text), created_at=now, json_data=text)


def _summary(record: DataRecord) -> OptInputDataSummary:
    size = len(record.json_data.encode())
    return OptInputDataSummary(id=record.id, created_at=record.created_at, size=size)
