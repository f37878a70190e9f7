"""Versions between the store and the agent: rows parsed once, new rows made from approved changes."""

from pydantic import TypeAdapter

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.program import Program
from decision_ai_server.agent.ports import ModelVersion
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.agent.words import summary
from decision_ai_server.storage.records import DataRecord, VersionRecord
from decision_ai_server.storage.store import Store

_CHANGES = TypeAdapter(list[ModelChanges])


class VersionReader:
    """Reads a session's line of versions; a version never changes, so each is parsed once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, ModelVersion] = {}

    async def line(self, session_id: str, head: str) -> tuple[ModelVersion, ...]:
        """The version `head` and its ancestors, newest first."""
        line: list[ModelVersion] = []
        wanted: str | None = head
        while wanted is not None and wanted in self._known:
            line.append(self._known[wanted])
            wanted = line[-1].parent
        if wanted is not None:
            for record in await self._store.ancestors(session_id, wanted):
                if record.id not in self._known:
                    self._known[record.id] = await self._parsed(record)
                line.append(self._known[record.id])
        return tuple(line)

    async def _parsed(self, record: VersionRecord) -> ModelVersion:
        return ModelVersion(
            id=record.id,
            parent=record.parent,
            program=Program.parse(record.source),
            json_data=(await self._store.get_data(record.data_id)).json_data,
            data_id=record.data_id,
            sentence=record.sentence,
            summary=summary(_CHANGES.validate_python(record.changes)),
        )


def data_record(json_data: str, now: int) -> DataRecord:
    """A data object under its content address."""
    return DataRecord(id=data_id(json_data), created_at=now, json_data=json_data)


def version_record(
    version: NewVersion, *, id: str, session_id: str, parent: str, author: str, approver: str, now: int
) -> VersionRecord:
    """The row of a new version."""
    data = data_id(version.json_data)
    return VersionRecord(
        id=id,
        session_id=session_id,
        parent=parent,
        created_at=now,
        author=author,
        approver=approver,
        sentence=version.sentence,
        changes=[change.model_dump(mode="json") for change in version.changes],
        source=version.program.source,
        data_id=data,
        hash=program_hash(version.program.composed(), data, None),
    )
