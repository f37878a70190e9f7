"""Chat sessions: create, list, read, change the state, delete.

The chat itself is `web/chat.py`; what walks among the versions is `web/versions.py`.
"""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.modeling.data import program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job
from decision_ai_server.sessions.compatibility import DoesNotBuild
from decision_ai_server.storage.errors import StaleRevision
from decision_ai_server.storage.records import Append, SessionRecord, VersionRecord
from decision_ai_server.web.parts import BadRequest, CallerDep, PartsDep, well_formed
from decision_ai_server.web.problems import PreconditionRequired
from decision_ai_server.web.session_views import (
    ChatSessionList,
    MessageList,
    SessionProgram,
    answer,
    edited_state,
    etag,
    program_of,
    state_of,
    version_of,
)

router = APIRouter(prefix="/v1/chat_sessions", tags=["chat_sessions"])

Id = Annotated[str, Field(max_length=64, pattern="^[!-~]+$")]


class ChatSessionCreation(BaseModel):
    """What a new session is about."""

    model_config = ConfigDict(extra="forbid")

    opt_model_id: Id
    opt_input_data_id: Id
    reasoning_enabled: bool | None = None


@router.post("", status_code=201)
async def create(
    body: ChatSessionCreation, response: Response, parts: PartsDep, caller: CallerDep
) -> ChatSessionState:
    """Start a session, once the model has been built on the data."""
    model = await parts.store.get_model(body.opt_model_id)
    data = await parts.store.get_data(body.opt_input_data_id)
    source = await asyncio.to_thread(lambda: Program.parse(model.source).composed())
    result = await parts.executor.run(Job(task="build", source=source, json_data=data.json_data))
    if not isinstance(result.validation, ValidationSucceeded):
        raise DoesNotBuild(result.validation)
    now = parts.now()
    record = SessionRecord(
        id=parts.new_id(),
        created_at=now,
        updated_at=now,
        model_id=model.id,
        data_id=data.id,
        head=parts.new_id(),
        revision=0,
        reasoning_enabled=body.reasoning_enabled,
    )
    base = VersionRecord(
        id=record.head,
        session_id=record.id,
        parent=None,
        created_at=now,
        author=caller.name,
        approver=caller.name,
        sentence="",
        changes=[],
        source=model.source,
        data_id=data.id,
        hash=program_hash(source, data.id, None),
    )
    await parts.store.create_session(record, base, Append())
    response.headers["Location"] = f"{router.prefix}/{record.id}"
    return await answer(parts, record, response)


@router.get("")
async def list_some(
    parts: PartsDep,
    _caller: CallerDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: str | None = None,
) -> ChatSessionList:
    """A page of sessions, newest first; `before` is the `next` of the page before it."""
    found = await parts.store.list_sessions(limit=limit + 1, before=before)
    page = found[:limit]
    items = [await state_of(parts.store, record) for record in page]
    return ChatSessionList(items=items, next=page[-1].id if len(found) > limit else None)


@router.get("/{chat_session_id}")
async def get(
    chat_session_id: str, response: Response, parts: PartsDep, _caller: CallerDep
) -> ChatSessionState:
    """The state of a session; its ETag is what `If-Match` of a PATCH wants."""
    return await answer(parts, await parts.store.get_session(chat_session_id), response)


@router.patch("/{chat_session_id}", dependencies=[Depends(well_formed)])
async def patch(
    chat_session_id: str,
    edits: dict[str, Any],
    response: Response,
    parts: PartsDep,
    caller: CallerDep,
    if_match: Annotated[str | None, Header()] = None,
) -> ChatSessionState:
    """Make an edited state the present one: the whole state, or the fields of it that differ.

    The differences become one new version, approved by the caller.
    """
    record = await parts.store.get_session(chat_session_id)
    expected = _revision(if_match, record)
    if record.revision != expected:
        raise StaleRevision(record.id, expected, record.revision)
    try:
        wanted, changes = await edited_state(parts.store, record, edits)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
    reasoning = None if wanted.reasoning_enabled == record.reasoning_enabled else wanted.reasoning_enabled
    if changes or reasoning is not None:
        record = await parts.sessions.edit(
            record.id,
            changes,
            expected_revision=expected,
            author=caller.name,
            reasoning_enabled=reasoning,
        )
    return await answer(parts, record, response)


@router.delete("/{chat_session_id}", status_code=204)
async def remove(chat_session_id: str, parts: PartsDep, _caller: CallerDep) -> None:
    """Delete a session with everything that was said; connections to it are closed."""
    await parts.store.get_session(chat_session_id)
    await parts.sessions.close(chat_session_id)
    await parts.store.delete_session(chat_session_id)
    # Whoever connected in between brought it up once more.
    await parts.sessions.close(chat_session_id)


@router.get("/{chat_session_id}/messages")
async def messages(
    chat_session_id: str, parts: PartsDep, _caller: CallerDep, after: str | None = None
) -> MessageList:
    """What was said, oldest first; with `after`, what follows that message."""
    await parts.store.get_session(chat_session_id)
    return MessageList(items=await parts.store.messages(chat_session_id, after))


@router.get("/{chat_session_id}/program")
async def program(
    chat_session_id: str,
    parts: PartsDep,
    _caller: CallerDep,
    version: str | None = None,
    whole: bool = False,
) -> SessionProgram:
    """The program as it runs, of the present version or that of a branch, number or id.

    With `whole`, the parts that do not build on the version's data stay in it.
    """
    found = await version_of(parts, chat_session_id, version)
    return await program_of(parts.store, found, whole=whole)


def _revision(if_match: str | None, record: SessionRecord) -> int:
    if if_match is None:
        raise PreconditionRequired("send If-Match with the ETag of the state that was changed")
    if if_match.strip() == "*":
        return record.revision
    tag = if_match.strip().removeprefix("W/").strip('"')
    if not (tag.isascii() and tag.isdecimal() and len(tag) < 20):
        raise BadRequest(
            f"If-Match must be the ETag of the session, such as {etag(record)}, not {if_match!r:.80}"
        )
    return int(tag)
