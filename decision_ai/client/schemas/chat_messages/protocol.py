"""The asks of the assistant and the answers of the client."""

from typing import Literal

from decision_ai.client.schemas.base import Schema
from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.solving import Solving
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import Validation


class AskForPrompt(Schema):
    """The turn is over; the person may type."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["ask_for_prompt"] = "ask_for_prompt"


class AskForFeedback(Schema):
    """A clarifying question stands in the response before; the next prompt answers it."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["ask_for_feedback"] = "ask_for_feedback"


class AskForValidation(Schema):
    """Build this program on a copy, check it, show the person the change and ask."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["ask_for_validation"] = "ask_for_validation"
    code: str
    """The composed program with the change in it."""
    changes: ModelChanges
    tool_origin: ToolData


class AskForSolve(Schema):
    """Check this program, then solve it."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["ask_for_solve"] = "ask_for_solve"
    code: str
    tool_origin: ToolData


class ValidationResponse(Schema):
    """The answer to `AskForValidation`."""

    origin: Literal["user"] = "user"
    kind: Literal["validation_response"] = "validation_response"
    rejected: bool
    """True if the person said no; a check that failed is not a rejection."""
    validation: Validation
    tool_origin: ToolData
    """The ask's, echoed."""
    rejection_message: str | None = None
    """The person's words, for the modeller."""
    changes: ModelChanges | None = None
    """The change as the person edited it; it is composed and asked again."""


class SolveResponse(Schema):
    """The answer to `AskForSolve`."""

    origin: Literal["user"] = "user"
    kind: Literal["solve_response"] = "solve_response"
    rejected: bool
    validation: Validation
    """The check that ran before the solve."""
    tool_origin: ToolData
    """The ask's, echoed."""
    solving: Solving | None = None
    """None where the check failed or the person refused."""
    rejection_message: str | None = None


ProtocolMessage = (
    AskForPrompt | AskForFeedback | AskForValidation | AskForSolve | ValidationResponse | SolveResponse
)
ProtocolRequestMessage = AskForPrompt | AskForFeedback | AskForValidation | AskForSolve
ProtocolResponseMessage = ValidationResponse | SolveResponse
