"""Tool calls of the assistant and what they brought."""

import json
from typing import Annotated, Any, Literal

from pydantic import FailFast, Field, field_validator

from decision_ai.client.schemas.base import Schema


class ToolData(Schema):
    """One tool call. An answer echoes it, so its `args` carry what the wire has no field for.

    Reserved keys of `args`: `part`, `hash`, `input_data_id`, `card`, `edited`, `parameters`
    (see docs/protocol.md).
    """

    name: str
    args: dict[str, Any]
    id: str | None = None
    preface: str | None = None
    """Text to show before the call runs."""

    @field_validator("args")
    @classmethod
    def validate_args_are_json(cls, v: dict[str, Any]) -> dict[str, Any]:
        """Refuse what JSON cannot carry unchanged, such as an infinite number.

        Raises:
            ValueError: if there is such a value.
        """
        try:
            json.dumps(v, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise ValueError("has a value that JSON cannot carry, such as an infinite number") from None
        return v


class ToolCall(Schema):
    """The assistant calls tools."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["tool_call"] = "tool_call"
    tool_data: Annotated[list[ToolData], FailFast()]


class ToolOutput(Schema):
    """What a tool call brought."""

    origin: Literal["tool"] = "tool"
    kind: Literal["tool_output"] = "tool_output"
    tool_id: str
    """The `id` of the `ToolData` this answers."""
    tool_output: str


ToolMessage = Annotated[ToolOutput, Field(discriminator="kind")]
