"""The rows of the store as values, and the effects a step has besides its messages."""

from dataclasses import dataclass
from typing import Any

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai_server.agent.journal import Entry

MAIN = "main"
"""The branch a session starts on."""


@dataclass(frozen=True, kw_only=True)
class ModelRecord:
    """A deployed model file. `source` is the whole file as uploaded."""

    id: str
    created_at: int
    name: str
    source: str


@dataclass(frozen=True, kw_only=True)
class DataRecord:
    """One immutable, content-addressed input-data object."""

    id: str
    created_at: int
    json_data: str


@dataclass(frozen=True, kw_only=True)
class DataSummary:
    """A data object without its payload. `size` is the payload's length in bytes of UTF-8."""

    id: str
    created_at: int
    size: int


@dataclass(frozen=True, kw_only=True)
class VersionRecord:
    """One approved state of a session.

    `changes` are the diffs as JSON-ready dictionaries; `incompatible` are the parts that do not build on the
    data.
    """

    id: str
    session_id: str
    parent: str | None
    created_at: int
    author: str
    approver: str
    sentence: str
    changes: list[dict[str, Any]]
    source: str
    data_id: str
    hash: str
    incompatible: tuple[IncompatiblePart, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SessionRecord:
    """A chat session. `revision` counts changes of its model and settings and is its ETag."""

    id: str
    created_at: int
    updated_at: int
    model_id: str
    data_id: str
    """The data the session started with."""
    head: str
    """Id of the present version."""
    revision: int
    reasoning_enabled: bool | None = None
    branch: str = MAIN
    """Name of the branch that the next version goes on."""


@dataclass(frozen=True, kw_only=True)
class JournalRecord:
    """An entry of a session's journal. `number` counts the entries of the session from 1."""

    number: int
    created_at: int
    entry: Entry


@dataclass(frozen=True, kw_only=True)
class Append:
    """Everything one step adds, written in one transaction.

    Attributes:
        messages: envelopes in order; their ids are unique within the session.
        data: new data objects; an id that exists already is left alone.
        versions: new versions.
        head: the new head, or None to leave it; if it is one of the new versions, its branch grows with it.
        branch: the branch the session is on from now, or None to stay; one that does not exist yet is made,
            with its tip at the head.
        reasoning_enabled: the new setting, or None to leave it.
        checks: all the checks the person keeps from now, or None to leave them.
        journal: what is kept besides the messages, in order.
    """

    messages: tuple[MessageContainer, ...] = ()
    data: tuple[DataRecord, ...] = ()
    versions: tuple[VersionRecord, ...] = ()
    head: str | None = None
    branch: str | None = None
    reasoning_enabled: bool | None = None
    checks: tuple[PlanCheck, ...] | None = None
    journal: tuple[Entry, ...] = ()
