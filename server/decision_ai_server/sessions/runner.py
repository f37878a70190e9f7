"""One running session: messages in, turns forward, everything stored before it is acted on or sent.

The lock guards the order of history: append to the store, record in the conversation, send to every
connection. Thinking happens outside of it; a step that was worked out on a history that has grown meanwhile
is thrown away and worked out again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import (
    Cancel,
    Cancelled,
    LiveContainer,
)
from decision_ai.errors import DecisionAIError, ProtocolError
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job, ModelDescription
from decision_ai.wire import codec
from decision_ai.wire.codec import Envelope
from decision_ai.wire.conversation import REFUSED, Accepted, Conversation, Duplicate, Refused
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.asking import compose
from decision_ai_server.agent.loop import Agent, cancel_turn, fail_turn
from decision_ai_server.agent.ports import ModelVersion, SessionView
from decision_ai_server.agent.steps import Emit, NewVersion, Wait
from decision_ai_server.sessions.audience import Audience
from decision_ai_server.sessions.ports import Connection
from decision_ai_server.sessions.versions import VersionReader, data_record, version_record
from decision_ai_server.storage.engine import unbroken
from decision_ai_server.storage.errors import NotFound, NothingToUndo, StaleRevision
from decision_ai_server.storage.records import Append, SessionRecord
from decision_ai_server.storage.store import Store

_LOG = logging.getLogger(__name__)
_BETWEEN_TURNS = frozenset({Phase.AWAITING_PROMPT, Phase.AWAITING_FEEDBACK})
_BUSY = frozenset({Phase.WORKING, Phase.AWAITING_VALIDATION, Phase.AWAITING_SOLVE})


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What every session of a server shares.

    Attributes:
        now: milliseconds since 1970.
        new_id: makes ids of messages and versions.
    """

    store: Store
    agent: Agent
    executor: Executor
    now: Callable[[], int]
    new_id: Callable[[], str]


class SessionRunner:
    """The live side of one session; made by `open_runner`, driven by its `run`."""

    def __init__(
        self,
        parts: Parts,
        *,
        record: SessionRecord,
        base: Program,
        conversation: Conversation,
        versions: VersionReader,
        line: tuple[ModelVersion, ...],
    ) -> None:
        self._parts, self._record, self._base, self._line = parts, record, base, line
        self._conversation, self._versions = conversation, versions
        self._audience = Audience(record.id)
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._thinking: asyncio.Task[Emit | Wait] | None = None
        self._stop_wanted = False
        self._unsure = False
        """Whether the store failed, so that what it holds must be read again."""
        self._over = False
        self._approver = "owner"
        self._described: tuple[str, ModelDescription | None] | None = None

    async def run(self) -> None:
        """Advance turns for as long as the server runs; ends only by being cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                while await self._advance():
                    pass
            except Exception as error:
                if self._over:
                    return
                _LOG.exception("session %s: a step failed", self._record.id)
                await self._fail(error)

    async def join(self, connection: Connection, *, after: str | None, take: bool, watch: bool) -> None:
        """Add a connection: send what it missed, tell the others, go on with a turn that stood still.

        Raises:
            NotFound: if the session has been deleted meanwhile.
        """
        async with self._sure():
            for container in self._conversation.replay(after):
                connection.push(container)
            self._audience.join(connection, take=take, watch=watch)
        self._wake.set()

    async def leave(self, connection: Connection) -> None:
        """Remove a connection; the turn goes on to its next ask."""
        async with self._lock:
            self._audience.leave(connection)

    async def receive(self, connection: Connection, envelope: Envelope) -> None:
        """Take in one envelope of a connection: store it and act, acknowledge it again, or refuse it."""
        if isinstance(envelope, LiveContainer):
            await self._receive_live(connection, envelope)
            return
        async with self._sure():
            verdict = self._conversation.consider(envelope)
            if isinstance(verdict, Accepted) and not self._audience.may_speak(connection):
                verdict = Refused(
                    "another client has the floor of this session; connect with floor=take to speak"
                )
            match verdict:
                case Duplicate():
                    connection.push(self._conversation[envelope.message_id])
                    return
                case Refused(reason=reason):
                    self.refuse(connection, envelope.message_id, reason)
                    return
            self._approver = connection.principal
            stamped = envelope.model_copy(update={"timestamp": self._parts.now()})
            await self._append(Append(messages=(stamped,)))
        self._wake.set()

    def refuse(self, connection: Connection, message_id: str, reason: str) -> None:
        """Tell a connection why something it sent does not count; nothing is stored."""
        error = UncriticalErrorMessage(error=reason)
        connection.push(self._envelope(error, message_id=REFUSED + message_id))

    async def edit(
        self,
        changes: list[ModelChanges],
        *,
        expected_revision: int,
        author: str,
        reasoning_enabled: bool | None = None,
    ) -> SessionRecord:
        """Make one version of changes made outside of the conversation; change the setting, if one is given.

        Raises:
            StaleRevision: if the model changed since the caller looked.
            ProgramError: if a change does not fit.
        """
        async with self._sure():
            if expected_revision != self._record.revision:
                raise StaleRevision(self._record.id, expected_revision, self._record.revision)
            append = Append()
            if changes:
                composed = compose(self._line[0], tuple(changes))
                version = NewVersion(
                    program=composed.program,
                    json_data=composed.json_data,
                    changes=tuple(changes),
                    sentence="",
                )
                append = self._with_version(version, author=author, approver=author)
            await self._append(replace(append, reasoning_enabled=reasoning_enabled))
        self._wake.set()
        return self._record

    async def undo(self, steps: int) -> SessionRecord:
        """Go back by that many versions, at most to the first.

        Raises:
            NothingToUndo: at the first version.
        """
        async with self._sure():
            if len(self._line) == 1:
                raise NothingToUndo(self._record.id)
            target = self._line[min(steps, len(self._line) - 1)]
            await self._append(Append(head=target.id))
        self._wake.set()
        return self._record

    async def shut(self, code: int, reason: str) -> None:
        """Close every connection."""
        async with self._lock:
            self._audience.close(code, reason)

    async def end(self, code: int, reason: str) -> None:
        """Close every connection and take in nothing more: another runner may take over."""
        async with self._lock:
            self._over = True
            self._audience.close(code, reason)

    @property
    def connections(self) -> int:
        """How many connections watch."""
        return len(self._audience)

    @asynccontextmanager
    async def _sure(self) -> AsyncIterator[None]:
        """The lock, with a history that is the store's.

        Raises:
            NotFound: if the session is over.
        """
        async with self._lock:
            if self._over:
                raise NotFound("chat session", self._record.id)
            if self._unsure:
                await self._read_again()
            yield

    async def _read_again(self) -> None:
        """Take over from the store what may have been written before it failed."""
        self._record, self._line, messages = await _stored(self._parts, self._versions, self._record.id)
        for container in messages[len(self._conversation) :]:
            self._tell(container)
        self._unsure = False
        self._wake.set()

    def _tell(self, container: MessageContainer) -> None:
        self._conversation.record(container)
        self._audience.tell(container)

    async def _advance(self) -> bool:
        """One step; False when somebody else has the word."""
        async with self._sure():
            if self._stop_wanted:
                await self._stop_turn()
            view = self._view()
        async with asyncio.TaskGroup() as group:
            self._thinking = group.create_task(self._parts.agent.next_step(view))
        task, self._thinking = self._thinking, None
        async with self._sure():
            outdated = len(view.messages) != len(self._conversation) or view.versions != self._line
            if self._stop_wanted or outdated:
                return True
            step = task.result()
            if isinstance(step, Wait):
                return False
            await self._commit(step)
        return True

    async def _stop_turn(self) -> None:
        """End the running turn because the person said stop; the caller holds the lock."""
        self._stop_wanted = False
        if self._conversation.phase in _BUSY:
            await self._commit(cancel_turn(self._view()))
            self._audience.tell_live(Cancelled())

    async def _commit(self, step: Emit) -> None:
        append = Append()
        if step.version is not None:
            append = self._with_version(step.version, author="assistant", approver=self._approver)
        elif step.undo:
            append = Append(head=self._line[step.undo].id)
        now = self._parts.now()
        data = tuple(data_record(text, now) for text in step.data)
        await self._append(
            Append(
                messages=tuple(self._envelope(message) for message in step.messages),
                data=(*append.data, *data),
                versions=append.versions,
                head=append.head,
            )
        )

    def _with_version(self, version: NewVersion, *, author: str, approver: str) -> Append:
        now = self._parts.now()
        row = version_record(
            version,
            id=self._parts.new_id(),
            session_id=self._record.id,
            parent=self._record.head,
            author=author,
            approver=approver,
            now=now,
        )
        return Append(data=(data_record(version.json_data, now),), versions=(row,), head=row.id)

    @unbroken
    async def _append(self, append: Append) -> None:
        """Store, then record, then send; the caller holds the lock.

        All of it, even if the caller is cancelled: a connection that ends while its message is being stored
        must not leave us with less than the store.

        Raises:
            LimitExceeded: if a message is too large to be sent; nothing is stored.
            ProtocolError: if a message is not allowed now; nothing is stored.
        """
        self._conversation.foresee(append.messages)
        for container in append.messages:
            codec.encode(container)
        try:
            self._record = await self._parts.store.append(self._record.id, append, now=self._parts.now())
            if append.head is not None:
                self._line = await self._versions.line(self._record.id, append.head)
        except BaseException:
            self._unsure = True
            raise
        for container in append.messages:
            self._tell(container)

    async def _fail(self, error: Exception) -> None:
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        reason = f"something went wrong on the server ({type(error).__name__}); please try again"
        if isinstance(error, DecisionAIError):
            reason = str(error)
        try:
            async with self._sure():
                if self._conversation.phase not in _BETWEEN_TURNS:
                    await self._commit(fail_turn(self._view(), reason))
        except NotFound:
            await self.shut(4404, "the session was deleted")
        except ProtocolError:
            # Nothing has begun that could end with an error; connecting again tries once more.
            await self.shut(1013, reason.encode()[:100].decode(errors="ignore"))
        except Exception:
            # The store itself fails: nothing can be kept, so nobody is told anything that would not be.
            _LOG.exception("session %s: the failure could not be stored", self._record.id)
            await self.shut(1011, "the server cannot store messages; connect again later")

    async def _receive_live(self, connection: Connection, envelope: LiveContainer) -> None:
        message = envelope.message
        ours = envelope.chat_session_id == self._record.id
        if message.origin != "user" or not ours or not self._audience.may_speak(connection):
            return
        if isinstance(message, Cancel):
            self._stop_wanted = True
            if self._thinking is not None:
                self._thinking.cancel()
            self._wake.set()
            return
        self._audience.pass_on(envelope, connection)

    def _view(self) -> SessionView:
        return SessionView(
            phase=self._conversation.phase,
            messages=self._conversation.messages,
            base=self._base,
            versions=self._line,
            describe=self._describe,
            reasoning=bool(self._record.reasoning_enabled),
        )

    async def _describe(self) -> ModelDescription | None:
        head = self._line[0]
        if self._described is None or self._described[0] != head.id:
            job = Job(task="build", source=head.program.composed(), json_data=head.json_data)
            result = await self._parts.executor.run(job)
            self._described = (head.id, result.description)
        return self._described[1]

    def _envelope(self, message: ChatMessage, *, message_id: str | None = None) -> MessageContainer:
        return MessageContainer(
            chat_session_id=self._record.id,
            message=message,
            timestamp=self._parts.now(),
            message_id=message_id or self._parts.new_id(),
        )


async def open_runner(parts: Parts, session_id: str) -> SessionRunner:
    """Bring a session up from the store.

    Raises:
        NotFound: if there is no such session.
    """
    versions = VersionReader(parts.store)
    record, line, messages = await _stored(parts, versions, session_id)
    model = await parts.store.get_model(record.model_id)
    return SessionRunner(
        parts,
        record=record,
        base=Program.parse(model.source),
        conversation=Conversation(session_id, messages),
        versions=versions,
        line=line,
    )


async def _stored(
    parts: Parts, versions: VersionReader, session_id: str
) -> tuple[SessionRecord, tuple[ModelVersion, ...], list[MessageContainer]]:
    record = await parts.store.get_session(session_id)
    line = await versions.line(session_id, record.head)
    return record, line, await parts.store.messages(session_id)
