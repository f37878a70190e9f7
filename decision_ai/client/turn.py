"""One turn as its reader sees it: the messages from a prompt to the next ask for one."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.live import LiveMessage
from decision_ai.errors import ProtocolError

StreamedMessage = ChatMessage | LiveMessage
MessageType = str | type[BaseModel]

_PROTOCOL = ("ask_for_prompt", "ask_for_feedback", "ask_for_validation", "ask_for_solve")
_OWN = ("prompt", "validation_response", "solve_response", "solve_progress", "solve_outcome", "cancel")
_LIVE = ("chat_response_delta", "reasoning_delta", "options", "presence", "cancelled")

DEFAULT_EXCLUDED: frozenset[str] = frozenset({"system_prompt", *_PROTOCOL, *_OWN, *_LIVE})
"""The kinds a stream leaves out unless told otherwise: everything but what the assistant says and does."""


@dataclass(frozen=True)
class _Item:
    message: StreamedMessage
    last: bool


@dataclass
class Turn:
    """What belongs to one run of `stream_messages` or `resume`."""

    items: asyncio.Queue[_Item | Exception] = field(default_factory=asyncio.Queue)
    acted: set[str] = field(default_factory=set)
    """Ids of the asks that were acted on."""
    prompt_id: str | None = None
    answering: list[tuple[MessageContainer, asyncio.Task[None]]] = field(default_factory=list)
    """The asks that are being answered."""
    stop_solve: asyncio.Event | None = None
    """Stops the solve that runs, if one does."""
    approver_error: Exception | None = None
    """What the approver raised; for the caller, once the turn it rejected is over."""

    def deliver(self, message: StreamedMessage, *, last: bool = False) -> None:
        """Hand a message to the reader; `last` if the turn is over with it."""
        self.items.put_nowait(_Item(message, last))

    def catch_up(self, messages: Sequence[ChatMessage], told: int | None) -> None:
        """Hand over what the assistant said after the first `told` messages; None = there was no turn yet."""
        for message in () if told is None else messages[told:]:
            if isinstance(message, ChatResponse):
                self.deliver(message)

    def fail(self, error: Exception) -> None:
        """End the reader with an error, after the messages before it."""
        self.items.put_nowait(error)

    def withdraw(self, ask: MessageContainer) -> None:
        """Stop answering an ask that no longer waits."""
        for answered, task in self.answering:
            # Cancelled twice, a task would not finish its own clean-up.
            if answered is ask and not task.cancelling():
                task.cancel()

    async def end(self) -> None:
        """Stop answering."""
        for ask, task in self.answering:
            self.withdraw(ask)
            await asyncio.wait([task])

    async def shown(
        self, excluded: Iterable[MessageType] | None, *, over: bool
    ) -> AsyncIterator[StreamedMessage]:
        """The messages up to the last one; if it is `over`, only those that wait already."""
        hidden = {_kind(kind) for kind in excluded or ()}
        while not (over and self.items.empty()):
            item = await self.items.get()
            if isinstance(item, Exception):
                raise item
            over = over or item.last
            if item.message.kind not in hidden:
                yield item.message


def last_prompt(messages: Sequence[ChatMessage]) -> str | None:
    """What the person said last; None before they said anything."""
    said = (message.prompt for message in reversed(messages) if isinstance(message, Prompt))
    return next(said, None)


def read_prompt(text: str) -> Prompt:
    """The prompt as a message.

    Raises:
        ProtocolError: if it is blank.
    """
    try:
        return Prompt(prompt=text)
    except ValidationError as error:
        words = str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, ")
        raise ProtocolError(f"prompt: {words}") from error


def _kind(message_type: MessageType) -> str:
    return message_type if isinstance(message_type, str) else str(message_type.model_fields["kind"].default)
