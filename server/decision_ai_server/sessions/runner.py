"""One running session: messages in, turns forward, everything stored before it is acted on or sent.

The lock guards the order of history: append to the store, record in the conversation, send to every
connection. Thinking happens outside of it; a step that is worked out on a history that grows meanwhile is
thrown away and worked out again. What was noted in the course of it is kept.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import (
    Cancel,
    Cancelled,
    LiveContainer,
)
from decision_ai.errors import DecisionAIError, ProtocolError
from decision_ai.solving.executors.base import Executor, Job, ModelDescription
from decision_ai.solving.findings import PlanCheck
from decision_ai.wire.codec import Envelope
from decision_ai.wire.conversation import REFUSED, Accepted, Conversation, Duplicate, Refused
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.asking import compose, running
from decision_ai_server.agent.history import read_turn
from decision_ai_server.agent.loop import Agent, cancel_turn, fail_turn
from decision_ai_server.agent.ports import Move, SessionView, VersionTree
from decision_ai_server.agent.steps import Emit, NewVersion, Step, Wait
from decision_ai_server.sessions.appends import Appends
from decision_ai_server.sessions.attempt import Attempt
from decision_ai_server.sessions.audience import Audience
from decision_ai_server.sessions.compatibility import marked
from decision_ai_server.sessions.ledger import Ledger
from decision_ai_server.sessions.ports import Connection, Meter, NoMeter
from decision_ai_server.storage.errors import NotFound, StaleRevision
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
        meter: counts what they do.
    """

    store: Store
    agent: Agent
    executor: Executor
    now: Callable[[], int]
    new_id: Callable[[], str]
    meter: Meter = field(default_factory=NoMeter)


class SessionRunner:
    """The live side of one session; made by `open_runner`, driven by its `run`."""

    def __init__(self, parts: Parts, ledger: Ledger) -> None:
        self._parts, self._ledger = parts, ledger
        self._audience = Audience(ledger.record.id)
        self._appends = Appends(ledger.record.id, parts.now, parts.new_id)
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._attempt: Attempt | None = None
        self._stop: int | None = None
        """Where the turn to be stopped was prompted; a stop that comes late must not hit the next one."""
        self._over = False
        self._approver = "owner"
        self._described: tuple[str, ModelDescription | None] | None = None

    async def run(self) -> None:
        """Advance turns for as long as the server runs; ends only by being cancelled."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._advance_all()
        finally:
            with suppress(DecisionAIError):  # nobody is left to be told
                async with self._lock:
                    await self._keep_notes()

    async def _advance_all(self) -> None:
        try:
            while await self._advance():
                pass
        except Exception as error:
            if not self._over:
                _LOG.exception("session %s: a step failed", self._ledger.record.id)
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
        connection.push(self._appends.envelope(error, message_id=REFUSED + message_id))

    async def edit(
        self,
        make: Callable[[VersionTree], Sequence[ModelChanges]],
        *,
        author: str,
        expected_revision: int | None = None,
        reasoning_enabled: bool | None = None,
    ) -> SessionRecord:
        """Make one version of changes made outside of the conversation; change the setting, if one is given.

        Args:
            make: the changes to the present version; none make no version.
            author: who wants them, without being asked.
            expected_revision: the revision the caller looked at; None = whatever it is.
            reasoning_enabled: the new setting; None leaves it.

        Raises:
            StaleRevision: if the model changed since the caller looked.
            ProgramError: if a change does not fit.
            DoesNotBuild: if nothing can be built on the data afterwards.
        """
        while True:
            async with self._sure():
                record, tree = self._ledger.record, self._ledger.tree
                if expected_revision not in (None, record.revision):
                    raise StaleRevision(record.id, expected_revision or 0, record.revision)
            version = await self._outside_version(tree, tuple(make(tree)))
            async with self._sure():
                if self._ledger.record.revision != record.revision:
                    continue  # it was worked out on what is no longer present
                append = Append()
                if version is not None:
                    append = self._appends.version(
                        version, parent=record.head, author=author, approver=author
                    )
                await self._append(replace(append, reasoning_enabled=reasoning_enabled))
                record = self._ledger.record
            self._wake.set()
            return record

    async def move(self, choose: Callable[[VersionTree], Move]) -> SessionRecord:
        """Go to another version; an open question is asked again on it.

        Args:
            choose: the move, such as one of `agent/moving.py`; what it raises is passed on.
        """
        async with self._sure():
            tree = self._ledger.tree
            move = choose(tree)
            if move != Move(head=tree.head, branch=tree.branch):
                await self._append(Append(head=move.head, branch=move.branch))
            record = self._ledger.record
        self._wake.set()
        return record

    async def change_checks(
        self, change: Callable[[tuple[PlanCheck, ...]], tuple[PlanCheck, ...]]
    ) -> tuple[PlanCheck, ...]:
        """Keep other checks; an open question is as it was, the next one knows them.

        Args:
            change: from the checks that are kept to those to keep; what it raises is passed on.
        """
        async with self._sure():
            await self._append(Append(checks=change(self._ledger.checks)))
            return self._ledger.checks

    async def tree(self) -> VersionTree:
        """All versions and branches as they are now."""
        async with self._sure():
            return self._ledger.tree

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
    def _conversation(self) -> Conversation:
        return self._ledger.conversation

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
                raise NotFound("chat session", self._ledger.record.id)
            if self._ledger.unsure:
                await self._ledger.read_again(self._audience.tell)
                self._wake.set()
            yield

    async def _advance(self) -> bool:
        """One step; False when somebody else has the word."""
        async with self._sure():
            await self._stop_turn()
            self._attempt = attempt = Attempt(self._view(), self._audience.tell_live)
        try:
            try:
                step = await attempt.work(self._think(attempt.view))
            finally:
                self._attempt = None
                self._ledger.noted += attempt.entries
            async with self._sure():
                if step is None or self._stop is not None or self._is_outdated(attempt.view):
                    attempt.stop()
                    await self._keep_notes()
                    return True
                if isinstance(step, Wait):
                    await self._keep_notes()
                    return False
                await self._commit(step)
            return True
        except BaseException:
            attempt.stop()
            raise

    def _is_outdated(self, view: SessionView) -> bool:
        """Whether something was stored since a step was begun."""
        said = len(view.messages) != len(self._conversation)
        return said or view.tree is not self._ledger.tree or view.checks is not self._ledger.checks

    async def _think(self, view: SessionView) -> Step:
        step = await self._parts.agent.next_step(view)
        if isinstance(step, Wait) or step.version is None:
            return step
        return replace(step, version=await marked(view.tree.line()[0], step.version, view.run))

    async def _stop_turn(self) -> None:
        """End the running turn if the person said stop; the caller holds the lock."""
        stop, self._stop = self._stop, None
        if stop is not None and stop == self._prompted and self._conversation.phase in _BUSY:
            await self._commit(cancel_turn(self._view()))
            self._audience.tell_live(Cancelled())

    @property
    def _prompted(self) -> int:
        return read_turn(self._conversation.messages).prompted

    async def _commit(self, step: Emit) -> None:
        head, at = self._ledger.record.head, len(self._conversation)
        await self._append(self._appends.step(step, head=head, approver=self._approver, at=at))

    async def _keep_notes(self) -> None:
        """Store what was noted for nothing; the caller holds the lock."""
        if self._ledger.noted:
            await self._append(Append())

    async def _outside_version(
        self, tree: VersionTree, changes: tuple[ModelChanges, ...]
    ) -> NewVersion | None:
        """The version that changes made outside of the conversation lead to; None without any."""
        if not changes:
            return None
        head = tree.line()[0]
        composed = compose(head, changes)
        version = NewVersion(
            program=composed.program, json_data=composed.json_data, changes=changes, sentence=""
        )
        return await marked(head, version, self._parts.executor.run)

    async def _append(self, append: Append) -> None:
        """Store, record and send; the caller holds the lock."""
        await self._ledger.append(append, now=self._parts.now(), tell=self._audience.tell)
        self._stop_outdated()

    def _stop_outdated(self) -> None:
        """Spare the rest of a step that will be thrown away."""
        if self._attempt is not None and self._is_outdated(self._attempt.view):
            self._attempt.stop()

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
                else:
                    await self._keep_notes()
        except NotFound:
            await self.shut(4404, "the session was deleted")
        except ProtocolError:
            # Nothing has begun that could end with an error; connecting again tries once more.
            await self.shut(1013, reason.encode()[:100].decode(errors="ignore"))
        except Exception:
            # The store itself fails: nothing can be kept, so nobody is told anything that would not be.
            _LOG.exception("session %s: the failure could not be stored", self._ledger.record.id)
            await self.shut(1011, "the server cannot store messages; connect again later")

    async def _receive_live(self, connection: Connection, envelope: LiveContainer) -> None:
        message = envelope.message
        ours = envelope.chat_session_id == self._ledger.record.id
        if message.origin != "user" or not ours or not self._audience.may_speak(connection):
            return
        if isinstance(message, Cancel):
            if self._conversation.phase in _BUSY:
                self._stop = self._prompted
                if self._attempt is not None:
                    self._attempt.stop()
                self._wake.set()
            return
        self._audience.pass_on(envelope, connection)

    def _view(self) -> SessionView:
        return SessionView(
            phase=self._conversation.phase,
            messages=self._conversation.messages,
            base=self._ledger.base,
            tree=self._ledger.tree,
            describe=self._describe,
            run=self._parts.executor.run,
            checks=self._ledger.checks,
            reasoning=bool(self._ledger.record.reasoning_enabled),
            interactive=self._audience.interactive,
            journal=self._ledger.journal,
        )

    async def _describe(self) -> ModelDescription | None:
        head = self._ledger.tree.line()[0]
        if self._described is None or self._described[0] != head.id:
            job = Job(task="build", source=running(head), json_data=head.json_data)
            result = await self._parts.executor.run(job)
            self._described = (head.id, result.description)
        return self._described[1]


async def open_runner(parts: Parts, session_id: str) -> SessionRunner:
    """Bring a session up from the store.

    Raises:
        NotFound: if there is no such session.
    """
    return SessionRunner(parts, await Ledger.open(parts.store, session_id, parts.meter))
