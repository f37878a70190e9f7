"""Behind the scenes of a terminal chat: the connection on the background loop, as a queue of events.

The main thread keeps the keyboard and the screen for itself, so that Ctrl-C interrupts whatever it waits for:
a line, an editor, or the next event.
"""

import asyncio
import queue
from dataclasses import dataclass, field
from typing import Self

from decision_ai.client.approval import ApprovalDecision, Preview, Proposal
from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.chat_session import ChatSession
from decision_ai.client.loop_thread import run_blocking
from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.client.turn import StreamedMessage
from decision_ai.solving.parameters import SolveParameters
from decision_ai.wire.moves import Phase


@dataclass(frozen=True)
class Said:
    """A message arrived."""

    message: StreamedMessage


@dataclass(frozen=True)
class Asked:
    """A proposal waits for the person."""

    proposal: Proposal
    _answer: "asyncio.Future[ApprovalDecision]" = field(repr=False)

    @property
    def withdrawn(self) -> bool:
        """Whether it is no longer asked: answered elsewhere, or the turn was stopped."""
        return self._answer.done()

    def preview(self) -> Preview | None:
        """Wait for the preview."""

        async def wait() -> Preview | None:
            return await self.proposal.preview()

        return run_blocking(wait())

    def answer(self, decision: ApprovalDecision) -> None:
        """Give the person's answer; nothing happens if it is withdrawn."""

        def settle() -> None:
            if not self._answer.done():
                self._answer.set_result(decision)

        self._answer.get_loop().call_soon_threadsafe(settle)


@dataclass(frozen=True)
class Over:
    """The turn is over."""

    error: Exception | None = None


Event = Said | Asked | Over


class Backstage:
    """One connection to a session; a context manager, used from one thread."""

    def __init__(
        self, session: ChatSession, parameters: SolveParameters, *, interactive: bool = True
    ) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._connection = session.connect(
            approve=self._approve, floor="take", parameters=parameters, interactive=interactive
        )
        self._turn: asyncio.Task[None] | None = None

    @property
    def connection(self) -> ChatConnection:
        """What was said, and the newest solution; to be read between turns."""
        return self._connection

    @property
    def open_question(self) -> ChatResponse | None:
        """What the assistant asked earlier and waits for the answer to; to be read between turns."""
        conversation = self._connection.conversation
        if conversation.phase is not Phase.AWAITING_FEEDBACK:
            return None
        said = (message for message in reversed(conversation.messages) if isinstance(message, ChatResponse))
        return next(said, None)

    def __enter__(self) -> Self:
        run_blocking(self._connection.__aenter__())
        return self

    def __exit__(self, *exc_info: object) -> None:
        run_blocking(self._close())

    def begin(self, prompt: str | None) -> None:
        """Start a turn; None brings an open one to its end."""
        run_blocking(self._begin(prompt))

    def next_event(self) -> Event:
        """Wait for what happens next in the turn; the last event is `Over`."""
        return self._events.get()

    def cancel(self) -> None:
        """Stop the turn, or its solve with the best plan so far."""

        async def cancel() -> None:
            self._connection.cancel()

        run_blocking(cancel())

    async def _begin(self, prompt: str | None) -> None:
        self._turn = asyncio.get_running_loop().create_task(self._run(prompt))

    async def _run(self, prompt: str | None) -> None:
        connection = self._connection
        stream = connection.resume(None) if prompt is None else connection.stream_messages(prompt, None)
        try:
            async for message in stream:
                self._events.put(Said(message))
        except Exception as error:  # it belongs to the thread that waits for events
            self._events.put(Over(error))
        else:
            self._events.put(Over())

    async def _approve(self, proposal: Proposal) -> ApprovalDecision:
        answer: asyncio.Future[ApprovalDecision] = asyncio.get_running_loop().create_future()
        self._events.put(Asked(proposal, answer))
        return await answer

    async def _close(self) -> None:
        if self._turn is not None:
            self._turn.cancel()
            await asyncio.wait([self._turn])
        await self._connection.__aexit__(None, None, None)
