"""The unions over all messages, and the envelope each is sent in."""

from typing import Annotated
from uuid import uuid4

from pydantic import Field

from decision_ai.client.schemas.base import Schema
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, Reasoning, SystemPrompt
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolMessage

UserMessage = Annotated[Prompt | ValidationResponse | SolveResponse, Field(discriminator="kind")]
AssistantMessage = Annotated[
    SystemPrompt
    | ChatResponse
    | Reasoning
    | ToolCall
    | UncriticalErrorMessage
    | CriticalErrorMessage
    | AskForPrompt
    | AskForFeedback
    | AskForValidation
    | AskForSolve,
    Field(discriminator="kind"),
]
ChatMessage = UserMessage | AssistantMessage | ToolMessage


class MessageContainer(Schema):
    """The envelope: one message of one session."""

    chat_session_id: str
    message: Annotated[ChatMessage, Field(discriminator="kind")]
    timestamp: int | None = None
    """Milliseconds since 1970 (UTC), set by the server when it stores the message."""
    message_id: str = Field(default_factory=lambda: str(uuid4()))
    """Unique within the session; a message that arrives twice is answered once."""
