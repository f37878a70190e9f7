"""The tool that asks the client to solve the present version."""

from typing import Any

from pydantic import Field

from decision_ai_server.agent.ports import RequestSolve, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.tools.inputs import ToolInput, read, told


class SolveInput(ToolInput):
    """How long and how closely to solve."""

    time_limit: float | None = Field(default=None, gt=0)
    """Seconds; none = until proven."""
    relative_gap: float | None = Field(default=None, ge=0)
    """Stop once the plan is provably within this fraction of the best."""


class Solve:
    """Solve the model as it stands."""

    spec = ToolSpec(
        name="solve",
        description="Solve the present version of the model and return the plan with its outcome.",
        input_schema=SolveInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Ask the client for a solve."""
        return RequestSolve(parameters=read(SolveInput, args).model_dump(exclude_none=True))
