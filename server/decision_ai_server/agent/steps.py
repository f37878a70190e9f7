"""What a step of the agent brings: nothing to do until somebody answers, or something to say and keep."""

from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.modeling.program import Program


@dataclass(frozen=True)
class Wait:
    """Somebody else has the word."""


@dataclass(frozen=True, kw_only=True)
class NewVersion:
    """An approved change set becomes the present version."""

    program: Program
    json_data: str
    changes: tuple[ModelChanges, ...]
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Emit:
    """Messages to store and send, with what has to be stored in the same transaction.

    Attributes:
        messages: in order.
        data: new data objects as JSON text, needed by the messages.
        version: the version to append, or None.
        undo: how many versions to take back.
    """

    messages: tuple[ChatMessage, ...]
    data: tuple[str, ...] = ()
    version: NewVersion | None = None
    undo: int = 0


Step = Wait | Emit
