"""The tool that takes versions back."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decision_ai_server.agent.ports import Output, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.tools.inputs import first_problem


class UndoInput(BaseModel):
    """How far to go back."""

    model_config = ConfigDict(extra="forbid")

    steps: int = Field(default=1, ge=1)


class Undo:
    """Take back the newest approved change sets."""

    spec = ToolSpec(
        name="undo",
        description="Take back the newest approved change set, or the newest `steps` of them.",
        input_schema=UndoInput.model_json_schema(),
    )

    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Say what is taken back; the session moves its head."""
        try:
            steps = UndoInput.model_validate(args).steps
        except ValidationError as error:
            return Output(first_problem(error), failed=True)
        available = len(context.versions) - 1
        if steps > available:
            count = "no approved change" if available == 0 else f"only {available} approved change(s)"
            return Output(f"there is {count} to undo", failed=True)
        undone = "; ".join(version.summary for version in context.versions[:steps])
        return Output(f"Undone: {undone}.", undo=steps)
