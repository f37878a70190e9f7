"""The tool that asks the client to solve the present version."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decision_ai_server.agent.ports import Output, RequestSolve, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.tools.inputs import first_problem


class SolveInput(BaseModel):
    """How long and how closely to solve."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

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

    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Ask the client for a solve."""
        try:
            wanted = SolveInput.model_validate(args)
        except ValidationError as error:
            return Output(first_problem(error), failed=True)
        return RequestSolve(parameters=wanted.model_dump(exclude_none=True))
