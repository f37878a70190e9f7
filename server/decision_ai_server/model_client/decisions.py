"""The three things a modeller may decide; names and fields follow the model-client seed."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Decision(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class ToolCall(_Decision):
    """Call one tool."""

    type: Literal["tool_call"] = "tool_call"
    name: str
    input: dict[str, Any] = Field(default_factory=dict)


class FinalAnswer(_Decision):
    """Answer and end the turn."""

    type: Literal["final_answer"] = "final_answer"
    answer: str


class AskUser(_Decision):
    """Ask the person; the next prompt answers."""

    type: Literal["ask_user"] = "ask_user"
    question: str


class DecisionUsage(_Decision):
    """Tokens the provider reported for one decision, all attempts summed."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class DecisionRetryNote(_Decision):
    """One malformed attempt that was recovered from."""

    error: str
    raw: str = ""


class ModelDecision(_Decision):
    """A thought and exactly one action. The fields after `action` belong to the harness, not to the model."""

    thought_summary: str = ""
    action: Annotated[ToolCall | FinalAnswer | AskUser, Field(discriminator="type")]
    retry_trace: list[DecisionRetryNote] = Field(default_factory=list)
    transport_trace: list[str] = Field(default_factory=list)
    streaming_fallback: str = ""
    usage: DecisionUsage | None = None
    transport: str = ""
