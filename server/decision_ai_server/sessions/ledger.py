"""What a running session has stored, held in memory: record, conversation, versions, checks, journal.

Everything is stored before it is recorded, and recorded before it is told. If the store fails in between,
nobody knows what it holds: `read_again` takes over what it does.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import PlanCheck
from decision_ai.wire import codec
from decision_ai.wire.conversation import Conversation
from decision_ai_server.agent.history import read_turn
from decision_ai_server.agent.journal import Entry, NoteKind
from decision_ai_server.agent.ports import VersionTree
from decision_ai_server.sessions.ports import Meter
from decision_ai_server.sessions.versions import VersionReader
from decision_ai_server.storage.engine import unbroken
from decision_ai_server.storage.records import Append, SessionRecord
from decision_ai_server.storage.store import Store

_HELD: frozenset[NoteKind] = frozenset({"decision", "loss", "result"})
"""Kinds of entries of the journal that steps look at; requests are large, and only for people."""


class Ledger:
    """One session's stored state; made by `Ledger.open`. Its owner guards the order of calls."""

    def __init__(
        self,
        store: Store,
        versions: VersionReader,
        *,
        base: Program,
        state: "_Stored",
        meter: Meter,
    ) -> None:
        self._store, self._versions, self._meter = store, versions, meter
        self.base = base
        self.record, self.tree, self.checks, self.journal, messages = state
        self.conversation = Conversation(self.record.id, messages)
        self.unsure = False
        """Whether the store failed, so that what it holds must be read again."""
        self.noted: list[Entry] = []
        """Entries of the journal that go with the next append, whatever it brings."""

    @classmethod
    async def open(cls, store: Store, session_id: str, meter: Meter) -> "Ledger":
        """Bring a session up from the store.

        Raises:
            NotFound: if there is no such session.
        """
        versions = VersionReader(store)
        state = await _stored(store, versions, session_id)
        model = await store.get_model(state[0].model_id)
        return cls(store, versions, base=Program.parse(model.source), state=state, meter=meter)

    async def read_again(self, tell: Callable[[MessageContainer], None]) -> None:
        """Take over from the store what may have been written before it failed."""
        state = await _stored(self._store, self._versions, self.record.id)
        self.record, self.tree, self.checks, self.journal, messages = state
        for container in messages[len(self.conversation) :]:
            self.conversation.record(container)
            tell(container)
        self.unsure = False

    @unbroken
    async def append(self, append: Append, *, now: int, tell: Callable[[MessageContainer], None]) -> None:
        """Store, then record, tell and count.

        All of it, even if the caller is cancelled: a connection that ends while its message is being stored
        must not leave us with less than the store.

        Raises:
            LimitExceeded: if a message is too large to be sent; nothing is stored.
            ProtocolError: if a message is not allowed now; nothing is stored.
        """
        self.conversation.foresee(append.messages)
        for container in append.messages:
            codec.encode(container)
        append = replace(append, journal=(*self.noted, *append.journal))
        # Should the store fail, nobody knows whether they are stored, and they must not be there twice.
        self.noted = []
        try:
            self.record = await self._store.append(self.record.id, append, now=now)
            if (append.head, append.branch) != (None, None):
                self.tree = await self._versions.tree(self.record)
            if append.checks is not None:
                self.checks = append.checks
            self.journal += tuple(entry for entry in append.journal if entry.note.kind in _HELD)
        except BaseException:
            self.unsure = True
            raise
        for container in append.messages:
            self.conversation.record(container)
            tell(container)
        self._count(append)

    def _count(self, append: Append) -> None:
        for entry in append.journal:
            self._meter.noted(entry.note)
        ended = {one.message.tool_id for one in append.messages if isinstance(one.message, ToolOutput)}
        for record in read_turn(self.conversation.messages).calls if ended else ():
            if record.call.id in ended:
                self._meter.called(record)


_Stored: TypeAlias = tuple[
    SessionRecord, VersionTree, tuple[PlanCheck, ...], tuple[Entry, ...], list[MessageContainer]
]


async def _stored(store: Store, versions: VersionReader, session_id: str) -> _Stored:
    record = await store.get_session(session_id)
    tree, checks = await versions.tree(record), await store.checks(session_id)
    journal = tuple(record.entry for record in await store.journal(session_id, _HELD))
    return record, tree, checks, journal, await store.messages(session_id)
