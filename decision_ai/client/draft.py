"""What the assistant is writing, pieced together from live messages. Only the message that follows counts."""

from dataclasses import dataclass, replace

from decision_ai.client.schemas.chat_messages.chat import Reasoning
from decision_ai.client.schemas.chat_messages.live import (
    ChatResponseDelta,
    Options,
    Presence,
    ReasoningDelta,
    SolveOutcome,
    SolveProgressed,
)
from decision_ai.client.turn import StreamedMessage


@dataclass(frozen=True)
class Draft:
    """A response and the reasoning before it, as far as they are written; false while there is neither."""

    response: str = ""
    reasoning: str = ""

    def __bool__(self) -> bool:
        return bool(self.response or self.reasoning)

    def after(self, message: StreamedMessage) -> "Draft":
        """The draft after one more message of the stream; whatever is said in full ends it."""
        match message:
            case ChatResponseDelta(delta=piece, restart=True):
                return Draft(response=piece)
            case ChatResponseDelta(delta=piece):
                return replace(self, response=self.response + piece)
            case ReasoningDelta(delta=piece):
                return replace(self, reasoning=self.reasoning + piece)
            case Reasoning():
                return replace(self, reasoning="")
            case Options() | Presence() | SolveProgressed() | SolveOutcome():
                return self
            case _:
                return Draft()
