"""A session as the outside sees it, worked out from its records."""

import asyncio
from typing import Any

from pydantic import BaseModel, ConfigDict

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.modeling.program import Program
from decision_ai.modeling.state import SessionFacts, session_state, state_changes
from decision_ai.wire.limits import WIRE_DATA_BYTES
from decision_ai_server.storage.records import SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store


class ChatSessionList(BaseModel):
    """A page of sessions, newest first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    items: list[ChatSessionState]
    next: str | None
    """What `before` must be for the following page; None at the end."""


class MessageList(BaseModel):
    """What was said in a session, oldest first."""

    items: list[MessageContainer]


class Version(BaseModel):
    """One approved state of a session, without its program."""

    id: str
    parent: str | None
    created_at: int
    author: str
    approver: str
    sentence: str
    changes: list[dict[str, Any]]
    opt_input_data_id: str
    hash: str


class VersionList(BaseModel):
    """Every version of a session, oldest first, and which one is present."""

    items: list[Version]
    head: str


class SessionProgram(BaseModel):
    """The present version as it runs."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    code: str
    json_data: str | None
    """None where the data are too large for the wire; fetch them by their id."""
    opt_input_data_id: str
    version_id: str
    hash: str


async def state_of(store: Store, record: SessionRecord) -> ChatSessionState:
    """The state of a session at its present version."""
    base, head = await store.base_version(record.id), await store.version(record.id, record.head)
    facts = SessionFacts(
        id=record.id,
        opt_model_id=record.model_id,
        opt_input_data_id=head.data_id,
        created_at=record.created_at,
        updated_at=record.updated_at,
        reasoning_enabled=record.reasoning_enabled,
    )
    return await asyncio.to_thread(_state, base.source, head.source, facts)


async def edited_state(
    store: Store, record: SessionRecord, edits: dict[str, Any]
) -> tuple[ChatSessionState, list[ModelChanges]]:
    """The session's state with some fields replaced, and the diffs that lead to it.

    Raises:
        ValidationError: if it is not a state.
        DataError: if a field differs that cannot be edited.
        ProgramError: if edited code is not one part of its kind.
    """
    before = await state_of(store, record)
    after = ChatSessionState.model_validate(before.model_dump() | edits)
    head = await store.version(record.id, record.head)
    changes = await asyncio.to_thread(lambda: state_changes(before, after, Program.parse(head.source)))
    return after, changes


async def program_of(store: Store, record: SessionRecord) -> SessionProgram:
    """The session's present program, and its data where they are small enough for the wire."""
    head = await store.version(record.id, record.head)
    data = await store.get_data(head.data_id)
    small = len(data.json_data.encode()) <= WIRE_DATA_BYTES
    return SessionProgram(
        code=await asyncio.to_thread(lambda: Program.parse(head.source).composed()),
        json_data=data.json_data if small else None,
        opt_input_data_id=head.data_id,
        version_id=head.id,
        hash=head.hash,
    )


def version_view(record: VersionRecord) -> Version:
    """A version without its program."""
    return Version(
        opt_input_data_id=record.data_id,
        **{name: value for name, value in vars(record).items() if name in Version.model_fields},
    )


def etag(record: SessionRecord) -> str:
    """The revision as an entity tag."""
    return f'"{record.revision}"'


def _state(base: str, head: str, facts: SessionFacts) -> ChatSessionState:
    return session_state(Program.parse(base), Program.parse(head), facts)
