"""One connection to a chat session: turns as streams of messages, asks answered on the way.

The reader records every message that arrives and hands it to the turn that runs, if one does. Asks are acted
on while a turn runs and this connection has the floor; what is said goes through the outbox, so that a lost
connection or server loses nothing that was said.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import Self

from decision_ai.client import turn as turns
from decision_ai.client.asking import default_approver
from decision_ai.client.connect_options import ConnectOptions
from decision_ai.client.loop_thread import call_in_thread
from decision_ai.client.outbox import Outbox
from decision_ai.client.remote_files import remote_files
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.responder import Answered, Responder
from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer, UserMessage
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import (
    Cancel,
    ChatResponseDelta,
    LiveContainer,
    LiveMessage,
    Presence,
    ReasoningDelta,
    SolveOutcome,
    SolveProgressed,
)
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.solution import Solution
from decision_ai.client.transport import Connected, Event, Transport
from decision_ai.client.turn import DEFAULT_EXCLUDED, MessageType, StreamedMessage, Turn
from decision_ai.errors import ConnectionFailed, ProtocolError, ServerRefused
from decision_ai.solving.executors.base import Executor
from decision_ai.solving.outcome import SolveProgress
from decision_ai.wire import codec
from decision_ai.wire.conversation import REFUSED, Conversation
from decision_ai.wire.moves import Phase

_AT_REST = {Phase.AWAITING_PROMPT, Phase.AWAITING_FEEDBACK}


class ChatConnection:
    """A connection to a chat session, made by `ChatSession.connect()`; an async context manager."""

    def __init__(
        self,
        chat_session_id: str,
        request_handler: RequestHandler,
        open_executor: Callable[[], AbstractAsyncContextManager[Executor]],
        outbox_folder: Path,
        options: ConnectOptions,
    ) -> None:
        self.conversation = Conversation(chat_session_id)
        """Everything that was said, and what may come next."""
        self.current_solution: Solution | None = None
        """How the newest solve over this connection ended; false in a condition without a plan."""
        self._requests = request_handler
        self._open_executor = open_executor
        self._outbox_folder = outbox_folder
        self._options = options
        self._stack = AsyncExitStack()
        self._transport = Transport(
            request_handler.base_url,
            request_handler.api_key,
            chat_session_id,
            backoff=options.backoff,
            revive=request_handler.revive,
            interactive=options.interactive,
        )
        self._outbox: Outbox
        self._responder: Responder
        self._outgoing: asyncio.Queue[codec.Envelope] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._connected: asyncio.Future[None] | None = None
        self._broken_off = False
        """Whether a critical error arrived, whose close is on its way."""
        self._turn: Turn | None = None
        self._told: int | None = None  # how long the history was when the last turn here ended
        self._floor_wish = options.floor
        self._has_floor = False

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The history of the session, oldest first."""
        return self.conversation.messages

    async def __aenter__(self) -> Self:
        if self._writer is not None:
            raise ProtocolError("this connection is open already; make another with session.connect()")
        async with AsyncExitStack() as stack:
            session_id = self.conversation.chat_session_id
            executor = await stack.enter_async_context(self._open_executor())  # it warms up meanwhile
            history = await call_in_thread(self._requests.messages, session_id)
            self.conversation = Conversation(session_id, history)
            self._outbox = stack.enter_context(Outbox.open(self._outbox_folder, session_id))
            self._responder = Responder(
                executor,
                remote_files(self._requests, session_id, self._options.backoff),
                approve=self._options.approve or default_approver(),
                approve_solve=self._options.approve_solve,
                parameters=self._options.parameters,
            )
            stack.push_async_callback(self._end_tasks)
            self._writer = asyncio.get_running_loop().create_task(self._write())
            await self._ensure_connected()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._stack.aclose()

    async def stream_messages(
        self, prompt: str, exclude_message_types: Iterable[MessageType] | None = DEFAULT_EXCLUDED
    ) -> AsyncIterator[StreamedMessage]:
        """Say something and get what follows until it is the person's turn again.

        A turn that is still open, as in a session that is continued, is brought to its end first. If it began
        with the very same words, as when a notebook's cell is run again, that is all.

        Args:
            prompt: what to say.
            exclude_message_types: kinds or classes to leave out; None shows everything.

        Raises:
            ProtocolError: if the prompt is blank or another stream of this connection runs.
            LimitExceeded: if the prompt is too long.
            ServerRefused: if the server does not take the prompt, such as from one without the floor.
            ConnectionFailed: if the connection is lost for good; what was said is kept.
            Exception: what the approver raised, after the turn it rejected is over.
        """
        said = self._container(turns.read_prompt(prompt))
        async with self._running_turn() as turn:
            again = not self._at_rest() and turns.last_prompt(self.conversation.messages) == prompt
            async for message in turn.shown(exclude_message_types, over=self._at_rest()):
                yield message
            if again:
                return
            turn.prompt_id = said.message_id
            self._say(said)
            async for message in turn.shown(exclude_message_types, over=self._at_rest()):
                yield message

    async def resume(
        self, exclude_message_types: Iterable[MessageType] | None = DEFAULT_EXCLUDED
    ) -> AsyncIterator[StreamedMessage]:
        """Bring a turn that was left open to its end; nothing follows if there is none."""
        async with self._running_turn() as turn:
            async for message in turn.shown(exclude_message_types, over=self._at_rest()):
                yield message

    def cancel(self) -> None:
        """Stop a running solve within a second, keeping the best plan; otherwise, cancel the turn."""
        if self._turn is not None and self._turn.stop_solve is not None:
            self._turn.stop_solve.set()
        else:
            self._say_live(Cancel())

    # ---- turns

    @asynccontextmanager
    async def _running_turn(self) -> AsyncIterator[Turn]:
        if self._writer is None:
            raise ProtocolError(
                "this connection is not open; chat inside `async with session.connect() as chat`"
            )
        for _ in range(3):  # a stream left by `break` is closed by the loop a moment later
            if self._turn is not None:
                await asyncio.sleep(0)
        if self._turn is not None:
            raise ProtocolError("another stream of this connection is running; read it to its end first")
        self._turn = turn = Turn()
        turn.catch_up(self.conversation.messages, self._told)
        try:
            await self._ensure_connected()
            self._act()
            yield turn
        finally:
            self._turn, self._told = None, len(self.conversation)
            await turn.end()
        if turn.approver_error is not None:
            raise turn.approver_error

    def _at_rest(self) -> bool:
        """Whether it is the person's turn and no prompt is on its way."""
        on_its_way = any(isinstance(container.message, Prompt) for container in self._outbox.pending)
        return self.conversation.phase in _AT_REST and not on_its_way

    def _fail(self, error: Exception) -> None:
        if self._turn is not None:
            self._turn.fail(error)

    # ---- what arrives

    async def _ensure_connected(self) -> None:
        """Wait until the socket is open; reads anew after a failure or a critical error."""
        if self._reader is not None and self._broken_off:
            await asyncio.wait([self._reader])
        if self._reader is None or self._reader.done():
            loop = asyncio.get_running_loop()
            self._broken_off, self._connected = False, loop.create_future()
            self._reader = loop.create_task(self._read(self._connected))
        assert self._connected is not None
        await asyncio.shield(self._connected)

    async def _read(self, connected: asyncio.Future[None]) -> None:
        events = self._transport.events(lambda: self.conversation.last_message_id, lambda: self._floor_wish)
        failure: Exception = ConnectionFailed("the server closed the connection; say it again to go on")
        try:
            async with aclosing(events):
                async for event in events:
                    self._take_in(event)
                    if isinstance(event, Connected) and not connected.done():
                        connected.set_result(None)
                    if self._broken_off:
                        return
        except Exception as error:  # raised again to the caller of the running stream
            failure = error
        if connected.done():
            self._fail(failure)
        else:
            connected.set_exception(failure)

    def _take_in(self, event: Event) -> None:
        match event:
            case Connected(live=live):
                # A live server says at once who has the floor; a strict one lets speak who does not watch.
                self._has_floor = not live and self._options.floor != "watch"
                for container in self._outbox.pending:
                    self._outgoing.put_nowait(container)
                # What was written while the connection was lost is missing in the middle.
                self._deliver_live(ChatResponseDelta(delta="", restart=True))
            case LiveContainer(message=message):
                if isinstance(message, Presence):
                    self._take_in_presence(message)
                self._deliver_live(message)
            case MessageContainer() if event.message_id.startswith(REFUSED):
                self._take_in_refusal(event)
            case MessageContainer():
                self._take_in_stored(event)

    def _deliver_live(self, message: LiveMessage) -> None:
        """Hand a live message to the turn; a delta that comes late is of a step that is over."""
        written = isinstance(message, ChatResponseDelta | ReasoningDelta)
        if self._turn is not None and (not written or self.conversation.phase is Phase.WORKING):
            self._turn.deliver(message)

    def _take_in_stored(self, container: MessageContainer) -> None:
        known = container.message_id in self.conversation
        self.conversation.record(container)
        self._outbox.settle(container.message_id)
        if not known:
            self._broken_off = isinstance(container.message, CriticalErrorMessage)
        if self._turn is not None:
            for ask, _ in self._turn.answering:
                if self.conversation.answered(ask):
                    self._turn.withdraw(ask)
            if not known:
                self._turn.deliver(container.message, last=self._at_rest() or self._broken_off)
        self._act()

    def _take_in_presence(self, presence: Presence) -> None:
        if self._has_floor and not presence.you_have_the_floor:
            self._floor_wish = "watch"  # displaced: it does not take the floor back by itself
        elif self._floor_wish == "take":
            self._floor_wish = None  # it was asked for once; a reconnect does not ask again
        self._has_floor = presence.you_have_the_floor
        self._act()

    def _take_in_refusal(self, container: MessageContainer) -> None:
        refused_id = container.message_id.removeprefix(REFUSED)
        self._outbox.settle(refused_id)
        message, turn = container.message, self._turn
        if turn is None:
            return
        if refused_id == turn.prompt_id and isinstance(message, UncriticalErrorMessage):
            turn.fail(ServerRefused(409, "the prompt was refused", message.error))
        else:
            turn.deliver(message, last=self._at_rest())

    # ---- what is said

    def _container(self, message: UserMessage) -> MessageContainer:
        container = MessageContainer(chat_session_id=self.conversation.chat_session_id, message=message)
        codec.decode(codec.encode(container))  # what the server would refuse must not get into the outbox
        return container

    def _say(self, container: MessageContainer) -> None:
        self._outbox.put(container)
        self._outgoing.put_nowait(container)

    def _say_live(self, message: LiveMessage) -> None:
        session_id = self.conversation.chat_session_id
        self._outgoing.put_nowait(LiveContainer(chat_session_id=session_id, message=message))

    async def _write(self) -> None:
        while True:
            await self._transport.send(await self._outgoing.get())

    # ---- asks

    def _act(self) -> None:
        """Answer the open ask, if that is for us to do and not done yet."""
        ask, turn = self.conversation.open_ask, self._turn
        if turn is None or ask is None or not isinstance(ask.message, AskForValidation | AskForSolve):
            return
        if not self._has_floor or ask.message_id in turn.acted or self._is_answered(ask.message):
            return
        turn.acted.add(ask.message_id)
        task = asyncio.get_running_loop().create_task(self._answer(ask.message, turn))
        turn.answering.append((ask, task))

    def _is_answered(self, ask: AskForValidation | AskForSolve) -> bool:
        """Whether an answer of ours, perhaps of an earlier process, is on its way."""
        return any(
            isinstance(container.message, ValidationResponse | SolveResponse)
            and container.message.tool_origin == ask.tool_origin
            for container in self._outbox.pending
        )

    async def _answer(self, ask: AskForValidation | AskForSolve, turn: Turn) -> None:
        try:
            if isinstance(ask, AskForValidation):
                set_of_asks = self.conversation.change_set(ask)
                changes = tuple(part.changes for part in set_of_asks)
                answered = await self._responder.validate(ask, changes, self._edit_of(ask))
            else:
                answered = await self._solve(ask, turn)
            turn.approver_error = turn.approver_error or answered.error
            self._say(self._container(answered.response))
        except Exception as error:  # raised again to the caller of the stream; the ask stays open
            self._fail(error)

    async def _solve(self, ask: AskForSolve, turn: Turn) -> Answered:
        tool_id = ask.tool_origin.id

        def on_progress(progress: SolveProgress) -> None:
            self._tell(SolveProgressed(tool_id=tool_id, progress=progress))

        turn.stop_solve = asyncio.Event()
        try:
            answered = await self._responder.solve(ask, on_progress=on_progress, stop=turn.stop_solve)
        finally:
            turn.stop_solve = None
        if answered.result is not None:
            self.current_solution = Solution.of(answered.result)
            self._tell(SolveOutcome(tool_id=tool_id, outcome=self.current_solution.outcome))
        return answered

    def _tell(self, message: SolveProgressed | SolveOutcome) -> None:
        """Tell the watchers, and this stream, how the solve goes."""
        self._say_live(message)
        if self._turn is not None:
            self._turn.deliver(message)

    def _edit_of(self, ask: AskForValidation) -> ModelChanges | None:
        """The person's newest edit of the call behind an ask."""
        edits = (
            message.changes
            for message in reversed(self.conversation.messages)
            if isinstance(message, ValidationResponse) and message.tool_origin.id == ask.tool_origin.id
        )
        return next((edit for edit in edits if edit is not None), None)

    # ---- the end

    async def _end_tasks(self) -> None:
        if self._turn is not None:
            await self._turn.end()
        for task in (self._reader, self._writer):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        self._reader = self._writer = None
