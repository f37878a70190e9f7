"""The journal of a session: what a language model was sent, what decisions cost, the figures of results."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from decision_ai_server.agent.journal import NOTE_KINDS, NoteKind
from decision_ai_server.storage.records import JournalRecord
from decision_ai_server.web.parts import BadRequest, CallerDep, PartsDep

router = APIRouter(prefix="/v1/chat_sessions", tags=["journal"])
MOST = 1000
"""Entries of one page."""
_LARGEST = 2**63 - 1


class JournalEntry(BaseModel):
    """One entry."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    number: int
    """Counts the entries of the session from 1."""
    at: int
    """How many messages the session had when it was made."""
    kind: NoteKind
    payload: dict[str, Any]
    created_at: int
    """Milliseconds since 1970 (UTC)."""


class JournalPage(BaseModel):
    """Entries, oldest first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    items: list[JournalEntry]
    next: int | None
    """What `after` must be for the following page; None at the end."""


@router.get("/{chat_session_id}/journal")
async def journal(
    chat_session_id: str,
    parts: PartsDep,
    _caller: CallerDep,
    kinds: str | None = None,
    since: Annotated[int, Query(ge=0, le=_LARGEST)] = 0,
    after: Annotated[int, Query(ge=0, le=_LARGEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
) -> JournalPage:
    """Entries of the journal, oldest first.

    `kinds` names those to read, separated by commas; `since` is the number of messages from which on; `after`
    is the `next` of the page before.
    """
    await parts.store.get_session(chat_session_id)
    found = await parts.store.journal(chat_session_id, _kinds(kinds), since, skip=after, limit=limit + 1)
    page = found[:limit]
    return JournalPage(
        items=[_entry(record) for record in page],
        next=page[-1].number if len(found) > limit else None,
    )


def _kinds(text: str | None) -> set[NoteKind] | None:
    if text is None:
        return None
    names = {name.strip() for name in text.split(",")}
    known = {kind for kind in NOTE_KINDS if kind in names}
    if names - known:
        raise BadRequest(f"kinds: {text!r:.80} must be some of {', '.join(NOTE_KINDS)}, separated by commas")
    return known


def _entry(record: JournalRecord) -> JournalEntry:
    note = record.entry.note
    return JournalEntry(
        number=record.number,
        at=record.entry.at,
        kind=note.kind,
        payload=note.payload,
        created_at=record.created_at,
    )
