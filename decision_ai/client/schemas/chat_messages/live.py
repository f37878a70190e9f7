"""The extra kinds of `decision-ai.v1.live`. They never change the state of a conversation, `cancel` excepted.

A connection that did not offer the live subprotocol never sees one.
"""

from typing import Annotated, Literal

from pydantic import FailFast, Field

from decision_ai.client.schemas.base import Schema
from decision_ai.solving.outcome import Outcome, SolveProgress


class ChatResponseDelta(Schema):
    """A piece of a response that is still being written; the `chat_response` that follows is what counts."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["chat_response_delta"] = "chat_response_delta"
    delta: str
    restart: bool = False
    """True if the pieces before this one are withdrawn: the response is being written anew."""


class ReasoningDelta(Schema):
    """A piece of reasoning that is still being written."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["reasoning_delta"] = "reasoning_delta"
    delta: str


class SolveProgressed(Schema):
    """The client tells the watchers how its solve is going."""

    origin: Literal["user"] = "user"
    kind: Literal["solve_progress"] = "solve_progress"
    tool_id: str | None = None
    progress: SolveProgress


class SolveOutcome(Schema):
    """The full typed outcome behind the `SolveResponse` that follows it."""

    origin: Literal["user"] = "user"
    kind: Literal["solve_outcome"] = "solve_outcome"
    tool_id: str | None = None
    outcome: Outcome


class Options(Schema):
    """The choices of a clarifying question; the next prompt may be one of them."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["options"] = "options"
    options: Annotated[list[str], FailFast()]


class Presence(Schema):
    """Who watches the session and who has the floor."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["presence"] = "presence"
    connections: int
    """Open connections, this one included."""
    you_have_the_floor: bool


class Cancel(Schema):
    """The person stops the running turn."""

    origin: Literal["user"] = "user"
    kind: Literal["cancel"] = "cancel"


class Cancelled(Schema):
    """The turn was stopped; open calls are settled and `ask_for_prompt` follows."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["cancelled"] = "cancelled"


LiveMessage = Annotated[
    ChatResponseDelta
    | ReasoningDelta
    | SolveProgressed
    | SolveOutcome
    | Options
    | Presence
    | Cancel
    | Cancelled,
    Field(discriminator="kind"),
]


class LiveContainer(Schema):
    """The envelope of a live message."""

    chat_session_id: str
    message: LiveMessage
    timestamp: int | None = None
    message_id: str | None = None
