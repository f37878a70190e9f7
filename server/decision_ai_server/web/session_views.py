"""A session as the outside sees it, worked out from its records."""

import asyncio
from typing import Any

from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_session import ChatSessionState, SessionUsage, Usage
from decision_ai.modeling.program import Program
from decision_ai.modeling.state import SessionFacts, session_state, state_changes
from decision_ai.wire.limits import WIRE_DATA_BYTES
from decision_ai_server.agent.journal import Spent, spent
from decision_ai_server.agent.moving import find
from decision_ai_server.storage.records import SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store
from decision_ai_server.web.parts import Parts


class ChatSessionList(BaseModel):
    """A page of sessions, newest first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    items: list[ChatSessionState]
    next: str | None
    """What `before` must be for the following page; None at the end."""


class MessageList(BaseModel):
    """What was said in a session, oldest first."""

    items: list[MessageContainer]


class SessionProgram(BaseModel):
    """The program of a version."""

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
    state = await asyncio.to_thread(_state, base, head, facts)
    return state.model_copy(update={"usage": await _usage_of(store, record.id)})


async def edited_state(
    store: Store, record: SessionRecord, edits: dict[str, Any]
) -> tuple[ChatSessionState, list[ModelChanges]]:
    """The session's state with some fields replaced, and the diffs that lead to it.

    Raises:
        ValidationError: if it is not a state.
        NotFound: if it names data that were not uploaded.
        DataError: if a field differs that cannot be edited.
        ProgramError: if edited code is not one part of its kind.
    """
    before = await state_of(store, record)
    # What is said moves these on and not the revision: a state from before it can still be written.
    now = {"updated_at": before.updated_at, "usage": before.usage}
    after = ChatSessionState.model_validate(before.model_dump() | edits | now)
    head = await store.version(record.id, record.head)
    json_data = None
    if after.opt_input_data_id != before.opt_input_data_id:
        old = await store.get_data(before.opt_input_data_id)
        new = await store.get_data(after.opt_input_data_id)
        json_data = old.json_data, new.json_data
    changes = await asyncio.to_thread(
        lambda: state_changes(before, after, Program.parse(head.source), json_data=json_data)
    )
    return after, changes


async def version_of(parts: Parts, session_id: str, version: str | None = None) -> VersionRecord:
    """A version by branch, number or id; None is the present one.

    Raises:
        NotFound: if there is no such session.
        UnknownVersion: if there is no such version.
    """
    record = await parts.store.get_session(session_id)
    if version is None:
        return await parts.store.version(session_id, record.head)
    found = find(await parts.sessions.tree(session_id), version)
    return await parts.store.version(session_id, found.id)


def running_program(version: VersionRecord) -> Program:
    """A version as it runs: without the parts that do not build on its data."""
    return Program.parse(version.source).without(version.incompatible)


async def program_of(store: Store, version: VersionRecord, *, whole: bool) -> SessionProgram:
    """The program of a version, and its data where they are small enough for the wire.

    Args:
        store: where the data are.
        version: which one.
        whole: whether parts that do not build on its data stay in; else it is what runs.
    """
    data = await store.get_data(version.data_id)
    small = len(data.json_data.encode()) <= WIRE_DATA_BYTES
    return SessionProgram(
        code=await asyncio.to_thread(_composed, version, whole=whole),
        json_data=data.json_data if small else None,
        opt_input_data_id=version.data_id,
        version_id=version.id,
        hash=version.hash,
    )


async def answer(parts: Parts, record: SessionRecord, response: Response) -> ChatSessionState:
    """The state of a session as an answer, with its entity tag."""
    response.headers["ETag"] = etag(record)
    return await state_of(parts.store, record)


def etag(record: SessionRecord) -> str:
    """The revision as an entity tag."""
    return f'"{record.revision}"'


def _composed(version: VersionRecord, *, whole: bool) -> str:
    return (Program.parse(version.source) if whole else running_program(version)).composed()


def _state(base: VersionRecord, head: VersionRecord, facts: SessionFacts) -> ChatSessionState:
    reasons = {(part.kind, part.id): part.reason for part in head.incompatible}
    return session_state(Program.parse(base.source), Program.parse(head.source), facts, reasons)


async def _usage_of(store: Store, session_id: str) -> SessionUsage | None:
    """What language models have cost in a session; None where none was used."""
    records = await store.journal(session_id, ("decision", "loss", "result"))
    entries = [record.entry for record in records]
    total = spent(entries)
    if not total.tokens:
        return None
    last = _usage(spent(entries, await store.last_prompt(session_id)))
    return SessionUsage(**_usage(total).model_dump(), last_turn=last)


def _usage(cost: Spent) -> Usage:
    return Usage(**vars(cost))
