"""The versions of a session: what there is, going from one to another, and what differs between two."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.modeling.comparing import Comparison
from decision_ai.solving.findings import IncompatiblePart
from decision_ai_server.agent import moving
from decision_ai_server.agent.comparing import Budget
from decision_ai_server.agent.ports import VersionTree
from decision_ai_server.storage.records import VersionRecord
from decision_ai_server.web.parts import CallerDep, PartsDep, well_formed
from decision_ai_server.web.session_views import answer

router = APIRouter(prefix="/v1/chat_sessions", tags=["versions"], dependencies=[Depends(well_formed)])

MOST_SECONDS = 600.0
"""The longest time limit of a solve that a comparison may ask for."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, strict=True)


class Steps(_Body):
    """How far to go."""

    steps: int = Field(default=1, ge=1)


class NewBranch(_Body):
    """What to call the branch."""

    name: str


class Target(_Body):
    """Where to go."""

    version: str | int
    """A branch, a number, or the id of a version."""


class Component(_Body):
    """Which part to bring back."""

    id: str


class Version(BaseModel):
    """One approved state of a session, without its program."""

    id: str
    number: int
    parent: str | None
    created_at: int
    author: str
    approver: str
    sentence: str
    summary: str
    changes: list[dict[str, Any]]
    opt_input_data_id: str
    hash: str
    incompatible: list[IncompatiblePart]
    is_head: bool


class BranchView(BaseModel):
    """One branch."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str
    tip: str
    """Id of its newest version."""
    number: int
    """Number of that version."""
    is_present: bool
    """Whether the session is on it."""


class VersionList(BaseModel):
    """Every version of a session, oldest first, and which one is present."""

    items: list[Version]
    head: str
    branches: list[BranchView]


class BranchList(BaseModel):
    """The branches of a session by name."""

    items: list[BranchView]


@router.get("/{chat_session_id}/versions")
async def versions(chat_session_id: str, parts: PartsDep, _caller: CallerDep) -> VersionList:
    """Every approved state, oldest first, and the branches."""
    tree = await parts.sessions.tree(chat_session_id)
    records = await parts.store.versions(chat_session_id)
    # A version that was made since the tree was read is left to the next call.
    items = [_version(tree, number, record) for number, record in enumerate(records[: len(tree.versions)])]
    return VersionList(items=items, head=tree.head, branches=_branches(tree))


@router.get("/{chat_session_id}/branches")
async def branches(chat_session_id: str, parts: PartsDep, _caller: CallerDep) -> BranchList:
    """The branches by name."""
    return BranchList(items=_branches(await parts.sessions.tree(chat_session_id)))


@router.post("/{chat_session_id}/undo")
async def undo(
    chat_session_id: str,
    response: Response,
    parts: PartsDep,
    _caller: CallerDep,
    body: Steps | None = None,
) -> ChatSessionState:
    """Go back by some versions, one without a body, at most to the first; nothing is lost."""
    steps = (body or Steps()).steps
    record = await parts.sessions.move(chat_session_id, lambda tree: moving.undo(tree, steps))
    return await answer(parts, record, response)


@router.post("/{chat_session_id}/redo")
async def redo(
    chat_session_id: str,
    response: Response,
    parts: PartsDep,
    _caller: CallerDep,
    body: Steps | None = None,
) -> ChatSessionState:
    """Go forward again by some versions, one without a body, at most to the newest of the branch."""
    steps = (body or Steps()).steps
    record = await parts.sessions.move(chat_session_id, lambda tree: moving.redo(tree, steps))
    return await answer(parts, record, response)


@router.post("/{chat_session_id}/branch")
async def branch(
    chat_session_id: str, body: NewBranch, response: Response, parts: PartsDep, _caller: CallerDep
) -> ChatSessionState:
    """Make a branch at the present version and go on there."""
    record = await parts.sessions.move(chat_session_id, lambda tree: moving.branch(tree, body.name))
    return await answer(parts, record, response)


@router.post("/{chat_session_id}/checkout")
async def checkout(
    chat_session_id: str, body: Target, response: Response, parts: PartsDep, _caller: CallerDep
) -> ChatSessionState:
    """Go to the newest version of a branch, or to any version."""
    target = str(body.version)
    record = await parts.sessions.move(chat_session_id, lambda tree: moving.checkout(tree, target))
    return await answer(parts, record, response)


@router.post("/{chat_session_id}/reset")
async def reset(
    chat_session_id: str, body: Component, response: Response, parts: PartsDep, caller: CallerDep
) -> ChatSessionState:
    """Bring one component back to what it was at first: a new version, approved by the caller."""
    record = await parts.sessions.reset(chat_session_id, body.id, author=caller.name)
    return await answer(parts, record, response)


@router.get("/{chat_session_id}/compare")
async def compare(
    chat_session_id: str,
    a: str,
    parts: PartsDep,
    _caller: CallerDep,
    b: str | None = None,
    solve: bool = True,
    time_limit: Annotated[float, Query(gt=0, le=MOST_SECONDS)] = 60.0,
) -> Comparison:
    """What differs between two versions (the present one where `b` is left out), and between their plans."""
    return await parts.sessions.compare(chat_session_id, (a, b), Budget(solve=solve, seconds=time_limit))


def _version(tree: VersionTree, number: int, record: VersionRecord) -> Version:
    return Version(
        id=record.id,
        number=number,
        parent=record.parent,
        created_at=record.created_at,
        author=record.author,
        approver=record.approver,
        sentence=record.sentence,
        summary=tree.versions[number].summary,
        changes=record.changes,
        opt_input_data_id=record.data_id,
        hash=record.hash,
        incompatible=list(record.incompatible),
        is_head=record.id == tree.head,
    )


def _branches(tree: VersionTree) -> list[BranchView]:
    return [
        BranchView(name=name, tip=tip, number=tree.number(tip), is_present=name == tree.branch)
        for name, tip in tree.branches.items()
    ]
