"""What a step of the agent brings: nothing to do until somebody answers, or something to say and keep."""

from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai_server.agent.journal import Note
from decision_ai_server.agent.ports import Move


@dataclass(frozen=True)
class Wait:
    """Somebody else has the word."""


@dataclass(frozen=True, kw_only=True)
class NewVersion:
    """An approved change set becomes the present version; `incompatible` does not build on the data."""

    program: Program
    json_data: str
    changes: tuple[ModelChanges, ...]
    sentence: str
    incompatible: tuple[IncompatiblePart, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Emit:
    """Messages to store and send, with what has to be stored in the same transaction.

    Attributes:
        messages: in order.
        data: new data objects as JSON text, needed by the messages.
        version: the version to append, or None.
        move: the version to go to, or None.
        checks: all the checks the person keeps from now, or None to leave them.
        notes: what goes into the journal with the messages, and only with them.
    """

    messages: tuple[ChatMessage, ...]
    data: tuple[str, ...] = ()
    version: NewVersion | None = None
    move: Move | None = None
    checks: tuple[PlanCheck, ...] | None = None
    notes: tuple[Note, ...] = ()


Step = Wait | Emit
