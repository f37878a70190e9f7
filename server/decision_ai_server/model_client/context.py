"""What one decision is made on, as values: no history, no store, no tools that run."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class AllowedTool(_Part):
    """A tool the model may call."""

    name: str
    description: str
    input_schema: dict[str, Any] = Field(default_factory=dict)
    """JSON schema of its input, an object."""


class ConversationTurn(_Part):
    """One thing that was said before this turn."""

    role: Literal["user", "assistant"]
    text: str


class Evidence(_Part):
    """A call of this turn and what it brought."""

    tool: str
    input: dict[str, Any] = Field(default_factory=dict)
    result: str
    """As the model reads it; whoever packs it fences what others wrote."""


class ContextPacket(_Part):
    """Everything one decision is made on, the parts that change least first."""

    instructions: str = ""
    """The fixed part: role, rules, examples. The same for every request, so that prefix caches hold."""
    background: str = ""
    """What changes with a version only: the model, its data as far as they may be seen."""
    conversation: tuple[ConversationTurn, ...] = ()
    """Earlier turns, oldest first; what does not fit is told in `summary`."""
    summary: str = ""
    """Turns that are no longer in `conversation`, in brief."""
    goal: str
    """The person's sentence."""
    phase: str = "decide"
    """Where the turn stands, such as `decide`, `repair` or `answer`."""
    allowed_tools: tuple[AllowedTool, ...] = ()
    recent_evidence: tuple[Evidence, ...] = ()
    """The calls of this turn, oldest first."""
    latest_error: str | None = None
    """Why the last decision was sent back."""
