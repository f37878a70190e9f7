"""Versions between the store and the agent: rows parsed once, new rows made from approved changes."""

from pydantic import TypeAdapter

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.modeling.comparing import DataChange
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.program import Program
from decision_ai_server.agent.ports import ModelVersion, VersionTree
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.agent.words import in_brief, summary
from decision_ai_server.storage.records import DataRecord, SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store

_CHANGES = TypeAdapter(list[ModelChanges | DataChange])


class VersionReader:
    """Reads a session's versions; one never changes, so each is parsed once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: list[ModelVersion] = []
        self._data: dict[str, str] = {}

    async def tree(self, record: SessionRecord) -> VersionTree:
        """All versions and branches of the session, and where it stands."""
        for version in await self._store.versions(record.id, skip=len(self._known)):
            self._known.append(await self._parsed(version))
        return VersionTree(
            versions=tuple(self._known),
            branches=await self._store.branches(record.id),
            branch=record.branch,
            head=record.head,
        )

    async def _parsed(self, record: VersionRecord) -> ModelVersion:
        if record.data_id not in self._data:
            self._data[record.data_id] = (await self._store.get_data(record.data_id)).json_data
        return ModelVersion(
            id=record.id,
            parent=record.parent,
            program=Program.parse(record.source),
            json_data=self._data[record.data_id],
            data_id=record.data_id,
            sentence=record.sentence,
            summary=summary(_CHANGES.validate_python(record.changes)),
            incompatible=record.incompatible,
        )


def data_record(json_data: str, now: int) -> DataRecord:
    """A data object under its content address."""
    return DataRecord(id=data_id(json_data), created_at=now, json_data=json_data)


def version_record(
    version: NewVersion, *, id: str, session_id: str, parent: str, author: str, approver: str, now: int
) -> VersionRecord:
    """The row of a new version."""
    data, running = data_id(version.json_data), version.program.without(version.incompatible)
    return VersionRecord(
        id=id,
        session_id=session_id,
        parent=parent,
        created_at=now,
        author=author,
        approver=approver,
        sentence=version.sentence,
        changes=[in_brief(change).model_dump(mode="json") for change in version.changes],
        source=version.program.source,
        data_id=data,
        hash=program_hash(running.composed(), data, None),
        incompatible=version.incompatible,
    )
