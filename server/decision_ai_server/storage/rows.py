"""Records to rows and back."""

import json
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.storage.records import (
    DataRecord,
    DataSummary,
    JournalRecord,
    ModelRecord,
    SessionRecord,
    VersionRecord,
)

_PARTS = TypeAdapter(tuple[IncompatiblePart, ...])


def model_row(record: ModelRecord) -> dict[str, Any]:
    """A model as a row."""
    return vars(record)


def model_record(row: Row[Any]) -> ModelRecord:
    """A row as a model."""
    return ModelRecord(**row._mapping)


def data_row(record: DataRecord) -> dict[str, Any]:
    """A data object as a row."""
    return vars(record) | {"size": len(record.json_data.encode())}


def data_record(row: Row[Any]) -> DataRecord:
    """A row as a data object."""
    return DataRecord(id=row.id, created_at=row.created_at, json_data=row.json_data)


def data_summary(row: Row[Any]) -> DataSummary:
    """A row without its payload as a summary."""
    return DataSummary(**row._mapping)


def session_row(record: SessionRecord) -> dict[str, Any]:
    """A session as a row."""
    return vars(record)


def session_record(row: Row[Any]) -> SessionRecord:
    """A row as a session."""
    return SessionRecord(**row._mapping)


def version_row(record: VersionRecord, seq: int) -> dict[str, Any]:
    """A version as a row; `seq` orders the versions of a session."""
    return vars(record) | {
        "seq": seq,
        "changes": json.dumps(record.changes, ensure_ascii=False),
        "incompatible": _PARTS.dump_json(record.incompatible).decode(),
    }


def version_record(row: Row[Any]) -> VersionRecord:
    """A row as a version."""
    fields = dict(row._mapping)
    del fields["seq"]
    fields["changes"] = json.loads(row.changes)
    fields["incompatible"] = _PARTS.validate_json(row.incompatible)
    return VersionRecord(**fields)


def check_row(check: PlanCheck, session_id: str, seq: int) -> dict[str, Any]:
    """A kept check as a row; `seq` orders the checks of a session."""
    return {"session_id": session_id, "seq": seq, **check.model_dump()}


def plan_check(row: Row[Any]) -> PlanCheck:
    """A row as a kept check."""
    return PlanCheck(name=row.name, sentence=row.sentence, code=row.code)


def journal_row(entry: Entry, session_id: str, seq: int, now: int) -> dict[str, Any]:
    """An entry of the journal as a row; `seq` orders the entries of a session."""
    payload = json.dumps(entry.note.payload, ensure_ascii=False)
    return {
        "session_id": session_id,
        "seq": seq,
        "at": entry.at,
        "kind": entry.note.kind,
        # Half of a character, as a language model may write it, can be neither stored nor sent.
        "payload": payload.encode(errors="replace").decode(),
        "created_at": now,
    }


def journal_record(row: Row[Any]) -> JournalRecord:
    """A row as an entry of the journal."""
    note = Note(row.kind, json.loads(row.payload))
    return JournalRecord(number=row.seq, created_at=row.created_at, entry=Entry(row.at, note))


def message_row(container: MessageContainer, session_id: str, seq: int, now: int) -> dict[str, Any]:
    """An envelope as a row; `seq` orders the messages of a session."""
    return {
        "session_id": session_id,
        "seq": seq,
        "message_id": container.message_id,
        "kind": container.message.kind,
        "envelope": container.model_dump_json(),
        "created_at": now if container.timestamp is None else container.timestamp,
    }


def message_container(row: Row[Any]) -> MessageContainer:
    """A row as an envelope."""
    return MessageContainer.model_validate_json(row.envelope)
