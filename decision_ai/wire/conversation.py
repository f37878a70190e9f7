"""One conversation, without any I/O: what was said, what may come next, and what an arriving message means.

Client and server hold one each and feed it the same messages. The server asks `consider` before it stores
what a client sent; both call `record` with what the store has. All state follows from the recorded messages,
so a conversation is rebuilt from its history alone.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    AskForValidation,
    ProtocolRequestMessage,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.errors import ProtocolError
from decision_ai.wire.moves import MOVES, Phase

REFUSED = "refused:"
"""The id of the error that refuses a message is this and the id of that message."""


@dataclass(frozen=True)
class Accepted:
    """The message may be stored and acted on."""


@dataclass(frozen=True)
class Duplicate:
    """The message is in the history already; it is acknowledged and not acted on again."""


@dataclass(frozen=True)
class Refused:
    """The message is not allowed now; `reason` is the sentence for whoever sent it."""

    reason: str


Verdict = Accepted | Duplicate | Refused


class Conversation:
    """The history of one session and everything that follows from it."""

    def __init__(self, chat_session_id: str, history: Iterable[MessageContainer] = ()) -> None:
        self.chat_session_id = chat_session_id
        self.phase = Phase.OPENING
        self.open_ask: MessageContainer | None = None
        """The envelope of the ask that waits for an answer."""
        self.open_calls: dict[str, ToolData] = {}
        """Tool calls without an output, by id."""
        self._history: list[MessageContainer] = []
        self._positions: dict[str, int] = {}
        for container in history:
            self.record(container)

    def __iter__(self) -> Iterator[MessageContainer]:
        return iter(self._history)

    def __len__(self) -> int:
        return len(self._history)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._positions

    def __getitem__(self, message_id: str) -> MessageContainer:
        return self._history[self._positions[message_id]]

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The messages without their envelopes, oldest first."""
        return tuple(container.message for container in self._history)

    @property
    def last_message_id(self) -> str | None:
        """Id of the newest message; what a client says in `?after=`."""
        return self._history[-1].message_id if self._history else None

    def consider(self, container: MessageContainer) -> Verdict:
        """What to do with a message that a client sent; changes nothing."""
        verdict = self._verdict(container)
        if not isinstance(verdict, Accepted):
            return verdict
        if container.message.origin != "user":
            return Refused(f"{container.message.kind}: only the server says this")
        if not container.message_id or container.message_id.startswith(REFUSED):
            return Refused(f"message_id: must not be empty or begin with {REFUSED!r}")
        return verdict

    def record(self, container: MessageContainer) -> None:
        """Add a stored message; one that is there already changes nothing.

        Raises:
            ProtocolError: if the message is not allowed here.
        """
        match self._verdict(container):
            case Duplicate():
                return
            case Refused(reason=reason):
                raise ProtocolError(reason)
        message = container.message
        self.phase = MOVES[self.phase][message.kind]
        self.open_ask = container if isinstance(message, ProtocolRequestMessage) else None
        if isinstance(message, ToolCall):
            self.open_calls |= {call.id: call for call in message.tool_data if call.id is not None}
        elif isinstance(message, ToolOutput):
            self.open_calls.pop(message.tool_id, None)
        self._positions[container.message_id] = len(self._history)
        self._history.append(container)

    def foresee(self, containers: Iterable[MessageContainer]) -> None:
        """Check that messages may be recorded in this order; changes nothing.

        Raises:
            ProtocolError: if one of them is not allowed where it would stand.
        """
        trial = copy(self)
        trial.open_calls, trial._positions, trial._history = dict(self.open_calls), dict(self._positions), []
        for container in containers:
            trial.record(container)

    def replay(self, after: str | None) -> list[MessageContainer]:
        """What a peer that last saw `after` has to be sent: everything since, and the open ask in any case.

        An id that is not in the history replays everything.
        """
        start = self._positions.get(after, -1) + 1 if after is not None else 0
        missed = self._history[start:]
        if self.open_ask is not None and self.open_ask not in missed:
            return [*missed, self.open_ask]
        return missed

    def answered(self, ask: MessageContainer) -> bool:
        """Whether a recorded ask no longer waits: it was answered, asked anew or withdrawn."""
        return self.open_ask is None or self.open_ask.message_id != ask.message_id

    def change_set(self, ask: AskForValidation) -> tuple[AskForValidation, ...]:
        """The newest ask of every part of the set that `ask` belongs to, up to and with `ask`, in order."""
        own = _part(ask)
        if own is None:
            return (ask,)
        parts: dict[int, AskForValidation] = {}
        for message in self.messages:
            if isinstance(message, AskForValidation) and message.tool_origin.id == ask.tool_origin.id:
                other = _part(message)
                if other is not None and other[0] == own[0]:
                    parts[other[1]] = message
        parts[own[1]] = ask
        return tuple(parts[i] for i in sorted(parts) if i <= own[1])

    def _verdict(self, container: MessageContainer) -> Verdict:
        if container.message_id in self._positions:
            return Duplicate()
        if container.chat_session_id != self.chat_session_id:
            return Refused(
                f"this connection is of session {self.chat_session_id!r}, "
                f"the message names {container.chat_session_id!r}"
            )
        reason = self._objection(container.message)
        return Accepted() if reason is None else Refused(reason)

    def _objection(self, message: ChatMessage) -> str | None:
        if message.kind not in MOVES[self.phase]:
            return _not_now(self.phase, message.kind)
        match message:
            case ValidationResponse() | SolveResponse():
                return self._answer_objection(message)
            case ToolOutput() if message.tool_id not in self.open_calls:
                return f"tool_output: no open call has the id {message.tool_id!r}"
            case AskForValidation() | AskForSolve() if message.tool_origin.id not in self.open_calls:
                return f"{message.kind}: no open call has the id {message.tool_origin.id!r}"
            case AskForPrompt() | AskForFeedback() if self.open_calls:
                return f"{message.kind}: the call {next(iter(self.open_calls))!r} has no output yet"
        return None

    def _answer_objection(self, answer: ValidationResponse | SolveResponse) -> str | None:
        """Why an answer does not fit the open ask; what was approved must be what was asked."""
        assert self.open_ask is not None
        ask = self.open_ask.message
        assert isinstance(ask, AskForValidation | AskForSolve)
        if answer.tool_origin.id != ask.tool_origin.id:
            return (
                f"{answer.kind}: answers the call {answer.tool_origin.id!r}, "
                f"but {ask.tool_origin.id!r} is open"
            )
        asked, named = ask.tool_origin.args.get("hash"), answer.tool_origin.args.get("hash")
        if asked != named:
            return (
                f"{answer.kind}: the hash {named!r} is not the one asked ({asked!r}); "
                "the model changed in between, look at the new question"
            )
        return None


def _part(ask: AskForValidation) -> tuple[str, int] | None:
    """The set an ask belongs to and its place in it; None where it stands alone."""
    match ask.tool_origin.args.get("part"):
        case {"set": str(name), "i": int(position)}:
            return name, position
    return None


_ADVICE = {
    Phase.OPENING: "nothing was said yet; wait until the assistant asks",
    Phase.WORKING: "the assistant has the word; wait until it asks, or cancel the turn",
    Phase.AWAITING_PROMPT: "nothing is asked; say something first",
    Phase.AWAITING_FEEDBACK: "the assistant asked back; answer in words",
    Phase.AWAITING_VALIDATION: "a change waits to be answered first",
    Phase.AWAITING_SOLVE: "a solve waits to be answered first",
    Phase.CLOSED: "the last turn broke off; connect again to go on",
}
"""What somebody who spoke out of turn can do."""


def _not_now(phase: Phase, kind: str) -> str:
    allowed = ", ".join(MOVES[phase])
    where = phase.replace("_", " ")
    return f"{kind} is not allowed while the conversation is {where}: {_ADVICE[phase]} (allowed: {allowed})"
